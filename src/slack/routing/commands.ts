import type { CommandPayload } from '../inbound/payloads.ts'
import { splitWords, type Word } from './command-words.ts'
import type { CommandRoute } from './routes.ts'

/** The app's own name is a command too, followed by the name of another: no other app has it. */
const longName = 'callboard'

export interface SpokenCommand {
  /** For the log: `/calls timezone`. */
  readonly name: string
  readonly route: CommandRoute | undefined
  /** What follows the words that chose the route. */
  readonly words: readonly Word[]
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
export function readCommand(
  payload: Pick<CommandPayload, 'command' | 'text'>,
  routes: readonly CommandRoute[],
): SpokenCommand {
  const spoken = splitWords(payload.text)
  const own = payload.command.slice(1)
  const isLong = own === longName
  const first = plainWord(spoken[0])
  const isOwnWord = routes.some(
    ({ command, word }) => command === longName && word !== undefined && word === first,
  )
  const isPrefixed = isLong && !isOwnWord
  const command = isPrefixed ? (first ?? 'help') : own
  const words = isPrefixed ? spoken.slice(1) : spoken
  const route = find(routes, command, plainWord(words[0])) ?? find(routes, longName, undefined)
  return {
    name: `/${route?.command ?? longName} ${route?.word ?? ''}`.trim(),
    route,
    words: route?.word === undefined ? words : words.slice(1),
  }
}
