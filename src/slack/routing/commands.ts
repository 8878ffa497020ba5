import { fold, formatNumber } from '../../util/text.ts'
import type { Guards } from '../access/guards.ts'
import { unescapeText } from '../blocks/blocks.ts'
import { escapeTyped, problemMessage, readCommandButton } from '../blocks/buttons.ts'
import { type Answer, isModal, textAnswer } from '../deliver/answers.ts'
import type { Command } from '../inbound/payloads.ts'
import type { CommandRoute, Handler, Interaction } from './routes.ts'
import { isPlainWord, isVisible, splitWords, unknownWordsMessage, type Word } from './words.ts'

/** No other app's command has this name. The name of another command may follow: `/callboard calls`. */
const LONG_NAME = 'callboard'

/** Bounds the work of parsing; longer text was pasted by mistake. */
const MAX_CHARACTERS = 1000
const MAX_WORDS = 50
const tooLongText = `That's too long. A command can have up to ${formatNumber(MAX_CHARACTERS)} characters and ${MAX_WORDS} words.`

/** Restores typed links and addresses, which Slack changes to `<mailto:a@b.com|a@b.com>`. */
const unwrapLinks = (text: string): string =>
  text.replaceAll(
    /<(?![#@!])(?:mailto:|tel:)?([^|<>]*)(?:\|([^<>]*))?>/g,
    (_, target: string, label: string | undefined) => label || target,
  )

/** Restores typed `<#C123>` and `<@U123>`, because Slack writes mentions like that. */
const restoreMentions = (text: string): string =>
  text.replaceAll(/&lt;([#@][A-Z0-9]+(?:\|[^<>]*?)?)&gt;/g, '$1')

export const parseCommandText = (text: string): readonly Word[] =>
  splitWords(unescapeText(unwrapLinks(restoreMentions(text))))

/** A command's route with the words that it reads, or with the answer to words that nothing reads. */
export interface FoundCommand {
  readonly name: string
  readonly route: Handler<{ readonly words: readonly Word[] }>
  readonly words: readonly Word[]
}

/** Creates a route that gives this answer, whatever the words are. */
function routeToAnswer(name: string, answer: Answer, needs: CommandRoute['needs'] = 'member'): FoundCommand {
  return { name, route: { needs, handle: async () => answer }, words: [] }
}

/** @param name the command with its subcommand, which reads no words */
function refuseWords(name: string, route: CommandRoute, words: readonly Word[]): FoundCommand {
  const { needs, moreWords } = route
  if (moreWords === 'secret') {
    const text = `Type ${name} alone, and enter the key and secret in the form.`
    return routeToAnswer(name, { message: problemMessage(text, { command: name, buttons: [] }) }, needs)
  }
  return routeToAnswer(name, { message: unknownWordsMessage(words, name) }, needs)
}

/** Finds a subcommand anywhere among the words, else the route that the words mean, else the one for any words. */
function findSubcommand(routes: readonly CommandRoute[], words: readonly Word[]) {
  const plainWords = words.map((word) => (isPlainWord(word) ? fold(word.value) : undefined))
  for (const index of words.keys()) {
    // A subcommand has up to two words.
    for (const count of [2, 1]) {
      const nameWords = plainWords.slice(index, index + count)
      if (nameWords.length < count || nameWords.includes(undefined)) continue
      const name = nameWords.join(' ')
      // Names of agents and lines may contain it: Help Desk.
      if (name === 'help' && index > 0) continue
      // Narrows whatever the other words name: `mine report`, `mine by day`.
      if (name === 'mine' && words.length > 1) continue
      const route = routes.find((candidate) => isNamed(candidate, name))
      if (route) return { route, words: words.toSpliced(index, count) }
    }
  }
  const route =
    routes.find(({ isMeant }) => isMeant?.(words)) ?? routes.find(({ word }) => word === undefined)
  return route && { route, words }
}

const isNamed = ({ word, aliases = [] }: CommandRoute, name: string): boolean =>
  word === name || aliases.includes(name)

/** Under `/callboard`, the first word is the command's name, unless it is a subcommand of `/callboard`. */
function splitCommandName(slashName: string, words: readonly Word[], longRoutes: readonly CommandRoute[]) {
  const [firstWord, ...otherWords] = words
  if (slashName !== LONG_NAME || !isPlainWord(firstWord)) return { name: slashName, words }
  const name = fold(firstWord.value)
  if (longRoutes.some((route) => isNamed(route, name))) return { name: slashName, words }
  return { name, words: otherWords }
}

/** Returns undefined only without a route for any words of `/callboard`. */
export function findCommand(
  { command: slashCommand, text }: Pick<Command, 'command' | 'text'>,
  routes: readonly CommandRoute[],
): FoundCommand | undefined {
  const words = parseCommandText(text.slice(0, MAX_CHARACTERS)).filter(isVisible)
  if (text.length > MAX_CHARACTERS || words.length > MAX_WORDS)
    return routeToAnswer(`/${LONG_NAME}`, textAnswer(tooLongText))
  const longRoutes = routes.filter(({ command }) => command === LONG_NAME)
  const split = splitCommandName(slashCommand.slice(1), words, longRoutes)
  const commandRoutes = routes.filter(({ command }) => command === split.name)
  // If the name is no command's, as that of `/callboard missed`, all words are read as those of `/callboard`.
  const found = findSubcommand(commandRoutes, split.words) ?? findSubcommand(longRoutes, words)
  if (!found) return undefined
  const { route } = found
  const name = `/${route.command} ${route.word ?? ''}`.trim()
  const readsWords = route.word === undefined || route.moreWords === 'read'
  if (!readsWords && found.words.length > 0) return refuseWords(name, route, found.words)
  return { name, ...found }
}

/** Runs a typed command for a person who was admitted to something else. Returns nothing for a modal or an unknown command. */
export type RunCommand = (interaction: Interaction, typed: string) => Promise<Answer | undefined>

/** @param listRoutes called for each command, because routes that run commands are created first */
export const createRunCommand =
  (guards: Pick<Guards, 'admit'>, listRoutes: () => readonly CommandRoute[]): RunCommand =>
  async (interaction, typed) => {
    // Parsed like a command's button, whose value is what Slack sends for a typed command.
    const command = readCommandButton(escapeTyped(typed))
    const found = command && findCommand(command, listRoutes())
    if (!found) return undefined
    const { workspace, person } = interaction.actor
    const actor = await guards.admit(workspace, person.id, found.route.needs)
    const reply = await found.route.handle({ interaction: { ...interaction, actor }, words: found.words })
    return isModal(reply) ? undefined : reply
  }
