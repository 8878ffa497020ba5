import { splitWords, type Word } from '../../grammar/parse-words.ts'
import { formatNumber } from '../../util/text.ts'
import { problemMessage, suggestLongCommand, unknownWordsMessage } from '../blocks/action.ts'
import { textAnswer } from '../deliver/answer.ts'
import type { CommandPayload } from '../inbound/payloads.ts'
import type { CommandRoute } from './routes.ts'

/** Command that no other app has; the name of another command follows it. */
const LONG_NAME = 'callboard'

/** Bounds the work of parsing. Slack's entities count; longer text was pasted by mistake. */
const MAX_CHARACTERS = 1000
const MAX_WORDS = 50

/** Reverts `should_escape: true`, https://docs.slack.dev/interactivity/implementing-slash-commands#escaping */
export const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/**
 * Restores typed links, addresses and phone numbers, which Slack changes to `<mailto:a@b.com|a@b.com>`. A typed `<` arrives as an
 * entity. Mentions of channels, people and groups stay.
 */
const unwrapLinks = (text: string): string =>
  text.replaceAll(
    /<(?![#@!])(?:mailto:|tel:)?([^|<>]*)(?:\|([^<>]*))?>/g,
    (_, target: string, label: string | undefined) => label || target,
  )

/** Removes the brackets of a typed `<#C123>`, because Slack writes chosen channels like that. */
const unmention = (text: string): string => text.replaceAll(/&lt;(#[A-Z0-9]+(?:\|[^<>]*?)?)&gt;/g, '$1')

export const commandWords = (text: string): readonly Word[] =>
  splitWords(unescapeText(unwrapLinks(unmention(text))))

/** Returns the id in `<#C123|name>`, which Slack writes for a channel that was chosen from its suggestions. */
export const channelWord = ({ key, value }: Word): string | undefined =>
  key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(value)?.[1] : undefined

interface FoundCommand {
  readonly name: string
  readonly route: CommandRoute | undefined
  /** The words that didn't choose the route. */
  readonly words: readonly Word[]
}

function tooLong(count: number, max: number, unit: string): FoundCommand {
  const [found, limit] = [count, max].map(formatNumber)
  const answer = textAnswer(`That's too long: ${found} ${unit}. A command can have up to ${limit}.`)
  const route: CommandRoute = { command: LONG_NAME, needs: 'member', handle: async () => answer }
  return { name: `/${LONG_NAME}`, route, words: [] }
}

/** Replaces a route that doesn't accept these words. It needs the same permission. */
function unknownWords(
  { command, word, needs, moreWords }: CommandRoute,
  words: readonly Word[],
): CommandRoute {
  const typed = `/${command} ${word}`
  const message =
    moreWords === 'secret'
      ? problemMessage(`Type ${typed} alone, and enter the key and secret in the form.`, {
          command: typed,
          buttons: [],
        })
      : unknownWordsMessage(
          words.map((one) => one.written),
          typed,
        )
  return { command, needs, handle: async () => ({ message }) }
}

function withLongSuggestions(route: CommandRoute): CommandRoute {
  const { handle } = route
  if (!handle) return route
  return {
    ...route,
    async handle(interaction, words) {
      const answer = await handle(interaction, words)
      return answer && suggestLongCommand(answer)
    },
  }
}

const plainWord = (word: Word | undefined) =>
  word?.key === undefined && !word?.quoted ? word?.value.toLowerCase() : undefined

/** Finds the subcommand, which may stand anywhere. `help` comes first, because names contain it: Help Desk. */
function findSubcommand(routes: readonly CommandRoute[], words: readonly Word[]) {
  for (const [at, one] of words.entries()) {
    const word = plainWord(one)
    const route = routes.find((own) => own.word !== undefined && own.word === word)
    if (route && (at === 0 || word !== 'help')) return { route, words: words.toSpliced(at, 1) }
  }
  const route = routes.find(({ word }) => word === undefined)
  return route && { route, words }
}

/** Finds the route of a command by its name, under `/callboard` by its first word, and by its subcommand. */
export function findCommand(
  { command: slashed, text }: Pick<CommandPayload, 'command' | 'text'>,
  routes: readonly CommandRoute[],
): FoundCommand {
  if (text.length > MAX_CHARACTERS) return tooLong(text.length, MAX_CHARACTERS, 'characters')
  const all = commandWords(text)
  if (all.length > MAX_WORDS) return tooLong(all.length, MAX_WORDS, 'words')
  const first = plainWord(all[0])
  const own = routes.filter(({ command }) => command === LONG_NAME)
  const isPrefixed = slashed === `/${LONG_NAME}` && !own.some(({ word }) => word && word === first)
  const command = isPrefixed ? (first ?? '') : slashed.slice(1)
  const named = routes.filter((route) => route.command === command)
  const found = findSubcommand(named, isPrefixed ? all.slice(1) : all) ?? findSubcommand(own, all)
  if (!found) return { name: `/${LONG_NAME}`, route: undefined, words: all }
  const { route, words } = found
  const name = `/${route.command} ${route.word ?? ''}`.trim()
  const isAccepted = route.word === undefined || route.moreWords === 'read' || words.length === 0
  const accepting = isAccepted ? route : unknownWords(route, words)
  const isLong = isPrefixed && route.command !== LONG_NAME
  return { name, route: isLong ? withLongSuggestions(accepting) : accepting, words }
}
