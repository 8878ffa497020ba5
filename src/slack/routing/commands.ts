import { splitWords, type Word } from '../../grammar/words.ts'
import { numberText } from '../../util/text.ts'
import { problemsMessage, unknownWordsMessage } from '../blocks/command-button.ts'
import { textAnswer } from '../deliver/answer.ts'
import type { CommandPayload } from '../inbound/payloads.ts'
import type { CommandRoute } from './routes.ts'

/** The app's own name is a command too, followed by the name of another: no other app has it. */
const longName = 'callboard'

/** More than anybody types, as Slack sends it, entities and all: whoever sends more has pasted something else. */
const mostCharacters = 1000
const mostWords = 50

/**
 * What `should_escape: true` did to the text, undone.
 * @see https://docs.slack.dev/interactivity/implementing-slash-commands#escaping
 */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/**
 * Links, addresses and telephone numbers as the person typed them: `should_escape: true` makes `<mailto:a@b.com|a@b.com>` of
 * `a@b.com`. A `<` that a person typed arrives as an entity, so each one is Slack's; those of channels, people and groups stay.
 */
const unwrapLinks = (text: string): string =>
  text.replaceAll(
    /<(?![#@!])(?:mailto:|tel:)?([^|<>]*)(?:\|([^<>]*))?>/g,
    (_, target: string, label: string | undefined) => label || target,
  )

/** Slack writes a channel that was chosen as `<#C123|name>`. Where a person typed the like it has entities, and is none. */
const unmention = (text: string): string => text.replaceAll(/&lt;(#[A-Z0-9]+(?:\|[^<>]*?)?)&gt;/g, '$1')

export const commandWords = (text: string): readonly Word[] =>
  splitWords(unescapeText(unwrapLinks(unmention(text))))

/** Of `<#C123|name>`, as Slack writes a channel that was chosen from its suggestions. */
export const channelWord = ({ key, value }: Word): string | undefined =>
  key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(value)?.[1] : undefined

interface FoundCommand {
  readonly name: string
  readonly route: CommandRoute | undefined
  /** Those that follow the ones that chose the route. */
  readonly words: readonly Word[]
}

function tooLong(count: number, most: number, what: string): FoundCommand {
  const [found, limit] = [count, most].map(numberText)
  const answer = textAnswer(`That's too long: ${found} ${what}. A command can have up to ${limit}.`)
  const route: CommandRoute = { command: longName, needs: 'member', handle: async () => answer }
  return { name: `/${longName}`, route, words: [] }
}

/** In place of a route that doesn't take these words: whom the command refuses, it refuses still. */
function unknownWords(
  { command, word, needs, moreWords }: CommandRoute,
  words: readonly Word[],
): CommandRoute {
  const typed = `/${command} ${word}`
  const written = words.map((one) => one.written)
  const message =
    moreWords === 'secret'
      ? problemsMessage([`Use ${typed} without other words.`], { command: typed, buttons: [] })
      : unknownWordsMessage(written, typed)
  return { command, needs, handle: async () => ({ message }) }
}

const plainWord = (word: Word | undefined) =>
  word?.key === undefined ? word?.value.toLowerCase() : undefined

function find(routes: readonly CommandRoute[], command: string, first: string | undefined) {
  const own = routes.filter((route) => route.command === command)
  return (
    own.find(({ word }) => word !== undefined && word === first) ?? own.find(({ word }) => word === undefined)
  )
}

/** Which route a command leads to: by its name, under `/callboard` by its first word, and by the word after that. */
export function findCommand(
  { command: slashed, text }: Pick<CommandPayload, 'command' | 'text'>,
  routes: readonly CommandRoute[],
): FoundCommand {
  if (text.length > mostCharacters) return tooLong(text.length, mostCharacters, 'characters')
  const all = commandWords(text)
  if (all.length > mostWords) return tooLong(all.length, mostWords, 'words')
  const own = slashed.slice(1)
  const first = plainWord(all[0])
  const isOwnWord = routes.some(
    ({ command, word }) => command === longName && word !== undefined && word === first,
  )
  const isPrefixed = own === longName && !isOwnWord
  const command = isPrefixed ? (first ?? '') : own
  const rest = isPrefixed ? all.slice(1) : all
  const found = find(routes, command, plainWord(rest[0]))
  // What is no command is for the app's own to tell, with all of its words.
  const [route, words] = found ? [found, rest] : [find(routes, longName, undefined), all]
  const name = `/${route?.command ?? longName} ${route?.word ?? ''}`.trim()
  if (route?.word === undefined) return { name, route, words }
  const more = words.slice(1)
  const isUnknown = more.length > 0 && route.moreWords !== 'read'
  return { name, route: isUnknown ? unknownWords(route, more) : route, words: more }
}
