import type { Word } from '../../slack/routing/command-words.ts'
import { isPartOfNumber, isSearchable, NUMBER_DIGITS, readDigits } from '../../telephony/match-number.ts'
import type { CallStatus, Direction } from '../../telephony/types.ts'
import { matchRange, parseDayWord } from '../../time/ranges.ts'
import type { LocalDay } from '../../time/types.ts'
import type { ListQuery } from './query.ts'

/** What is wrong with a command, in words for people, and at which of its words; the text is not escaped. */
export interface Problem {
  readonly at: number
  readonly text: string
}

export interface NamedAgent {
  /** A name, a part of one, or an id. */
  readonly name: string
  /** Where the words follow that may belong to the name: `Smith` in `agent:Anna Smith`. */
  readonly more: readonly number[]
}

type ParsedCommand =
  | { readonly query: ListQuery; readonly agent: NamedAgent | undefined }
  | {
      readonly problems: readonly Problem[]
      /** What was understood. */
      readonly query: ListQuery
    }

const directions: Readonly<Record<string, Direction>> = {
  incoming: 'incoming',
  in: 'incoming',
  outgoing: 'outgoing',
  out: 'outgoing',
}
const isStatus = (text: string): text is CallStatus => text === 'answered' || text === 'missed'

const hints: Readonly<Record<string, string>> = {
  page: 'Pages count from 1.',
  status: 'A result is answered or missed.',
  agent: 'Write a name or an id behind it.',
}
const fewDigits = `Write ${NUMBER_DIGITS.least} to ${NUMBER_DIGITS.most} digits behind it.`

/** What may stand before a colon. */
export const keys = ['from', 'to', 'agent', 'number', 'page', 'status'] as const

/** The words that stand by themselves, those of ranges among them. */
export const plainWords = [
  ...Object.keys(directions),
  'answered',
  'missed',
  'today',
  'yesterday',
  'this',
  'last',
  'week',
  'month',
  'days',
]

/** In words: `last 7 days`. */
const longestRange = 3

interface Draft {
  direction?: Direction
  status?: CallStatus
  from?: LocalDay
  to?: LocalDay
  agent?: string
  number?: string
  page?: number
}

const notADate = (text: string) => `"${text}" isn't a date. Write it as 2026-11-05, today or yesterday.`

export const unrecognised = ({ key, value, written }: Pick<Word, 'key' | 'value' | 'written'>): string =>
  key === undefined && /^\d{1,4}[-./]\d/.test(value) ? notADate(written) : `I don't recognise "${written}".`

/**
 * Reads the words of `/calls`, in any order. What is not understood comes back as problems in plain words, all at once.
 * Usage: [incoming|outgoing] [missed|answered] [RANGE] [from:DAY] [to:DAY] [agent:NAME-OR-ID] [number:DIGITS] [page:N]
 */
export function parseCallsCommand(words: readonly Word[], today: LocalDay): ParsedCommand {
  const draft: Draft = {}
  const problems: Problem[] = []
  let more: readonly number[] = []
  const complain = (at: number, text: string) => problems.push({ at, text })

  function take<K extends keyof Draft>(at: number, name: K, value: Draft[K], written: string): void {
    if (draft[name] !== undefined && draft[name] !== value)
      complain(at, `"${written}" contradicts an earlier word.`)
    else draft[name] = value
  }

  function takePair(at: number, { key = '', value, written }: Word): void {
    const lower = value.toLowerCase()
    if (key === 'from' || key === 'to') {
      const day = parseDayWord(value, today)
      if (day) take(at, key, day, written)
      else complain(at, notADate(value))
    } else if (key === 'status' && isStatus(lower)) take(at, 'status', lower, written)
    else if (key === 'page' && /^[1-9]\d{0,5}$/.test(value)) take(at, 'page', Number(value), written)
    else if (key === 'agent' && value !== '') take(at, 'agent', value, written)
    else complain(at, `I don't recognise "${written}". ${hints[key] ?? ''}`.trim())
  }

  const plainFrom = (at: number) => {
    const rest = words.slice(at, at + longestRange)
    const stop = rest.findIndex((word) => word.key !== undefined || word.quoted)
    return (stop === -1 ? rest : rest.slice(0, stop)).map(({ value }) => value)
  }

  for (let at = 0; at < words.length; ) {
    const word = words[at]
    if (!word) break
    const lower = word.value.toLowerCase()
    const range = word.key === undefined && !word.quoted ? matchRange(plainFrom(at), today) : undefined
    let count = range?.wordCount ?? 1
    if (word.key === 'number') {
      const { digits, written, wordCount } = numberAt(words, at, today)
      count = wordCount
      if (isSearchable(digits)) take(at, 'number', digits, written)
      else complain(at, `I don't recognise "${written}". ${fewDigits}`)
    } else if (word.key !== undefined) {
      takePair(at, word)
      if (word.key === 'agent' && !word.quoted) {
        more = namesFrom(words, at + 1, today)
        count += more.length
      }
    } else if (range && 'problem' in range)
      complain(at, `In "${word.written}" the end date is before the start date.`)
    else if (range) {
      const written = words.slice(at, at + count).map((one) => one.written)
      take(at, 'from', range.range.from, written.join(' '))
      take(at, 'to', range.range.to, written.join(' '))
    } else if (directions[lower]) take(at, 'direction', directions[lower], word.written)
    else if (isStatus(lower)) take(at, 'status', lower, word.written)
    else complain(at, unrecognised(word))
    at += count
  }

  if (draft.from && draft.to && draft.to < draft.from && problems.length === 0) {
    const at = words.findIndex(({ key }) => key === 'to')
    complain(at, `The end date (${draft.to}) is before the start date (${draft.from}).`)
  }
  const { agent, page = 1, ...filters } = draft
  const query: ListQuery = { direction: filters.number === undefined ? 'incoming' : 'both', ...filters, page }
  if (problems.length > 0) return { problems, query }
  return { query, agent: agent === undefined ? undefined : { name: agent, more } }
}

/** The number that is written at a word and, without quotes, in the digits that follow: `number:+44 20 7946 0042`. */
function numberAt(words: readonly Word[], at: number, today: LocalDay) {
  const following = words[at]?.quoted ? [] : namesFrom(words, at + 1, today)
  const end = following.findIndex((place) => !isPartOfNumber(words[place]?.value ?? ''))
  const wordCount = 1 + (end === -1 ? following.length : end)
  const parts = words.slice(at, at + wordCount)
  return {
    digits: readDigits(parts.map(({ value }) => value).join(' ')) ?? '',
    written: parts.map(({ written }) => written).join(' '),
    wordCount,
  }
}

/** The places of the words, from `start`, that may belong to a name: those that mean nothing by themselves. */
function namesFrom(words: readonly Word[], start: number, today: LocalDay): readonly number[] {
  const places: number[] = []
  for (let at = start; at < words.length; at += 1) {
    const word = words[at]
    if (!word || word.key !== undefined || word.quoted || isKnown(words, at, today)) break
    places.push(at)
  }
  return places
}

function isKnown(words: readonly Word[], at: number, today: LocalDay): boolean {
  const next = words.slice(at, at + longestRange).map(({ value }) => value)
  const lower = next[0]?.toLowerCase() ?? ''
  return directions[lower] !== undefined || isStatus(lower) || matchRange(next, today) !== undefined
}
