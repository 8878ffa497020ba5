import { splitWords, type Word } from '../../slack/routing/command-words.ts'
import type { LocalDay } from '../../time/types.ts'
import { nearestWord } from '../../util/text.ts'
import { keys, type Problem, parseCallsCommand, plainWords } from './command.ts'

/** The first words of `/calls` that lead elsewhere than to a list. */
export const subcommands = [
  'alert',
  'alerts',
  'connect',
  'disconnect',
  'export',
  'help',
  'lines',
  'report',
  'schedule',
  'schedules',
  'timezone',
]

/** What people call it. */
const synonyms: Readonly<Record<string, string>> = {
  unanswered: 'missed',
  noanswer: 'missed',
  'no-answer': 'missed',
}

/** By what people would do: the subcommand that lists where it is done. */
const lists: Readonly<Record<string, string>> = { mute: 'alerts', unmute: 'alerts' }
export const listFor = ({ value }: Word): string | undefined => lists[value.toLowerCase()]

/** What was probably meant by a word that is not understood where it stands. */
function correctionOf({ key, value, written, quoted }: Word): string {
  if (key === undefined) {
    if (quoted) return written
    const [first, last, ...others] = value.split('..')
    if (first && last && others.length === 0) return `${last}..${first}`
    return /^\d+$/.test(value)
      ? value
      : (synonyms[value.toLowerCase()] ?? nearestWord(value, plainWords) ?? written)
  }
  const nearestKey = nearestWord(key, keys) ?? key
  if (key === 'page') return 'page:1'
  const nearestValue =
    key === 'status'
      ? nearestWord(value, ['answered', 'missed'])
      : key === 'from' || key === 'to'
        ? nearestWord(value, ['today', 'yesterday'])
        : undefined
  return quoted ? `${nearestKey}:"${value}"` : `${nearestKey}:${nearestValue ?? value}`
}

/** With the dates of `from:` and `to:` the other way round. */
function inOrder(words: readonly Word[]): string {
  const dateAfter = (key: string) => words.find((word) => word.key === key)?.value ?? ''
  const other: Readonly<Record<string, string>> = { from: 'to', to: 'from' }
  return words
    .map(({ key = '', written }) => (other[key] ? `${key}:${dateAfter(other[key])}` : written))
    .join(' ')
}

/** The words as they were probably meant; `undefined` where nothing else was, or where that would not be understood either. */
export function correctCommand(
  words: readonly Word[],
  problems: readonly Problem[],
  today: LocalDay,
): string | undefined {
  const isUnderstood = (text: string) => !('problems' in parseCallsCommand(splitWords(text), today))
  const places = new Set(problems.map(({ at }) => at))
  const written = words.map((word) => word.written).join(' ')
  const corrected = words.map((word, at) => (places.has(at) ? correctionOf(word) : word.written)).join(' ')
  return [corrected, inOrder(words)].find((text) => text !== written && isUnderstood(text))
}

/** The command as it was probably meant where its first word is none of a list: `report last month`; `undefined` elsewhere. */
export function correctSubcommand([first, ...others]: readonly Word[]): string | undefined {
  if (!first || first.key !== undefined || first.quoted) return undefined
  const list = listFor(first)
  if (list !== undefined) return list
  const nearest = nearestWord(first.value, [...plainWords, ...subcommands])
  if (nearest === undefined || !subcommands.includes(nearest)) return undefined
  return [nearest, ...others.map(({ written }) => written)].join(' ')
}
