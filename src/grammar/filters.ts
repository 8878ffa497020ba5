import { z } from 'zod'
import { isPartOfNumber, isSearchable, NUMBER_DIGITS, readDigits } from '../telephony/numbers.ts'
import type { CallStatus, Direction } from '../telephony/types.ts'
import { parseDay, weekdayNames } from '../time/days.ts'
import { MOST_LAST_DAYS, matchRange, monthNamed, parseDayWords, parseRange } from '../time/ranges.ts'
import type { LocalDay } from '../time/types.ts'
import { nearestWord } from '../util/text.ts'

// What calls and agents can be asked for: each filter with its words, its value, what rides of it in a button, and how it is said.

/** What was asked for. Which agent and which line a name means is still to be looked up. */
export interface Asked {
  readonly direction?: Direction | undefined
  readonly status?: CallStatus | undefined
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  /** A name, a part of one, or an id. */
  readonly agent?: string | undefined
  /** A name, a part of one, or digits. */
  readonly line?: string | undefined
  /** Digits alone. */
  readonly number?: string | undefined
  readonly by?: Grouping | undefined
  readonly page?: number | undefined
}

/** The same of a query, in which agents and lines are known. */
export interface Filtered extends Omit<Asked, 'direction' | 'agent'> {
  readonly direction?: Direction | 'both' | undefined
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
  readonly lineName?: string | undefined
}

/** What a value asks for; or why it can't be asked for, in words for people, and what was probably meant. */
export type Reading =
  | { readonly asked: Asked }
  | { readonly problem: string; readonly meant?: string | undefined }

export interface Filter {
  /** What another front door than a command's words calls its value, and what stands before the colon of those with a key. */
  readonly name: string
  readonly hasKey: boolean
  /** Reads a value, wherever it comes from; `undefined` where it is none. */
  read(text: string, today: LocalDay): Reading | undefined
  /** What its value has to be, where it isn't understood. */
  readonly hint?: string
  /** The value that was probably meant by one that isn't understood. */
  nearest?(text: string): string | undefined
  /** How many of these words are its value by themselves, from the first on; 0 where none is. */
  plain?(words: readonly string[], today: LocalDay): number
  /** Words that are its value by themselves, or belong to it: what a slip of the keyboard is compared with. */
  readonly words?: readonly string[]
  /** What people call it otherwise, in a word that is none of it. */
  synonym?(lower: string, today: LocalDay): string | undefined
  /** Without quotes, its value goes on with words that mean nothing by themselves: with all of them, or with digits. */
  readonly goesOn?: 'words' | 'digits'
  /** What rides of it in a button's value. */
  readonly fields?: Readonly<Record<string, z.ZodType>>
  /** As it is written in a command; `undefined` where the query says nothing of it. */
  write(query: Filtered): string | undefined
}

/** A day, in what a button or a view carries. */
export const localDay = z.string().transform((text, context): LocalDay => {
  const day = parseDay(text)
  if (day !== undefined) return day
  context.addIssue({ code: 'custom', message: 'no day' })
  return z.NEVER
})

const near = (words: readonly string[]) => (text: string) => nearestWord(text, words)

/** Closed by any of these, a quotation can't hold them. */
const quoted = (text: string) => `"${text.replaceAll(/["“”„‟]/g, '')}"`

/** A value that is one of several words. */
const oneOf = <Value>(words: ReadonlyMap<string, Value>, asked: (value: Value) => Asked) => ({
  words: [...words.keys()],
  read(text: string) {
    const value = words.get(text.toLowerCase())
    return value === undefined ? undefined : { asked: asked(value) }
  },
  nearest: near([...words.keys()]),
  plain: ([first = '', second = '']: readonly string[]) =>
    [`${first} ${second}`, first].find((one) => words.has(one.toLowerCase()))?.split(' ').length ?? 0,
})

const directions = new Map<string, Direction>([
  ['incoming', 'incoming'],
  ['in', 'incoming'],
  ['outgoing', 'outgoing'],
  ['out', 'outgoing'],
  ['inbound', 'incoming'],
  ['outbound', 'outgoing'],
])

export const direction = {
  name: 'direction',
  hasKey: false,
  fields: { direction: z.enum(['incoming', 'outgoing']).optional() },
  ...oneOf(directions, (asked) => ({ direction: asked })),
  write: (query) => (query.direction === 'both' ? undefined : query.direction),
} as const satisfies Filter

const statuses = new Map<string, CallStatus>([
  ['answered', 'answered'],
  ['missed', 'missed'],
  ['not answered', 'missed'],
  ['no answer', 'missed'],
])

const statusSynonyms = new Map([
  ['unanswered', 'missed'],
  ['noanswer', 'missed'],
  ['no-answer', 'missed'],
  ['lost', 'missed'],
  ['abandoned', 'missed'],
])

export const status = {
  name: 'status',
  hasKey: true,
  fields: { status: z.enum(['answered', 'missed']).optional() },
  ...oneOf(statuses, (asked) => ({ status: asked })),
  synonym: (lower) => statusSynonyms.get(lower),
  hint: 'Write status:answered or status:missed.',
  write: (query) => query.status,
} as const satisfies Filter

export const notADay = (text: string) =>
  `"${text}" isn't a date. Write it as 2026-11-05, 5 Nov, today or yesterday.`

/** The words of days that a slip of the keyboard is compared with. */
const dayWords = ['today', 'yesterday', ...weekdayNames.map((name) => name.toLowerCase())]

/** Days from one to another; `since` leaves the end open. */
export const range = {
  name: 'range',
  hasKey: false,
  fields: { from: localDay.optional(), to: localDay.optional() },
  words: [...dayWords, 'this', 'last', 'week', 'month', 'days', 'since'],
  read(text, today) {
    const reading = parseRange(text, today)
    if (!reading) return undefined
    if ('range' in reading) return { asked: reading.range }
    if (reading.problem === 'reversed')
      return {
        problem: `In "${text}" the end date is before the start date.`,
        meant: reading.meant,
      }
    if (reading.problem === 'part-of-day')
      return { problem: `"${text}": calls are listed by whole days.`, meant: 'today' }
    if (reading.problem === 'no-day') return { problem: notADay(text) }
    return {
      problem: `"${text}": the limit is ${MOST_LAST_DAYS} days. For more, write the dates: 2025-01-01..2026-11-05.`,
      meant: /\b0+ /.test(text) ? 'today' : `last ${MOST_LAST_DAYS} days`,
    }
  },
  // Names of months are people's too.
  synonym(lower, today) {
    const { from, to } = monthNamed(lower, today) ?? {}
    return from ? `${from}..${to}` : dayWords.find((word) => lower.length > 2 && word.startsWith(lower))
  },
  plain: (words, today) => matchRange(words, today)?.wordCount ?? 0,
  write: ({ from, to }) => (from && to ? (from === to ? from : `${from}..${to}`) : undefined),
} as const satisfies Filter

/** One end alone. */
const end = (name: 'from' | 'to') =>
  ({
    name,
    hasKey: true,
    read(text, today) {
      const day = parseDayWords(text, today)
      if (!day) return { problem: notADay(text), meant: near(dayWords)(text) }
      return { asked: name === 'from' ? { from: day } : { to: day } }
    },
    nearest: near(dayWords),
    write: ({ from, to, [name]: day }) => (day === undefined || (from && to) ? undefined : `${name}:${day}`),
  }) as const satisfies Filter
export const from = end('from')
export const to = end('to')

/** As much as rides in a button, and in a menu's option. The whole query has to fit a block's id. */
export const AGENT_LENGTHS = { id: 37, name: 75 } as const

export const agent = {
  name: 'agent',
  hasKey: true,
  fields: {
    agentId: z.string().min(1).max(AGENT_LENGTHS.id).optional(),
    agentName: z.string().max(AGENT_LENGTHS.name).optional(),
  },
  hint: 'Add a name or ID: agent:"Anna Smith".',
  goesOn: 'words',
  read: (text) => (text === '' ? undefined : { asked: { agent: text } }),
  write: ({ agentId }) => (agentId === undefined ? undefined : `agent:${quoted(agentId)}`),
} as const satisfies Filter

/** As much of a line's number as rides in a button. */
export const LONGEST_LINE = 24

export const line = {
  name: 'line',
  hasKey: true,
  /** One of the account's own numbers, or its last digits. */
  fields: { line: z.string().min(1).max(LONGEST_LINE).optional() },
  hint: 'Add a name or number: line:"Sales Berlin".',
  goesOn: 'words',
  read: (text) => (text === '' ? undefined : { asked: { line: text } }),
  write: (query) => (query.line === undefined ? undefined : `line:${quoted(query.line)}`),
} as const satisfies Filter

/** How many of the words are one number. A date with its year behind digits is a word of its own. */
export function countDigits(words: readonly string[]): number {
  const end = words.findIndex((word, at) => !isPartOfNumber(word) || (at > 0 && wholeDate.test(word)))
  return end === -1 ? words.length : end
}

/** As many as ride in a button, and as much of each. */
export const MOST_NUMBERS = 3
export const DIGITS_OF_SEVERAL = 15

function readNumbers(text: string): string | undefined {
  const all = text.split(',').map((one) => readDigits(one) ?? '')
  const isShort = all.length === 1 || all.every(({ length }) => length <= DIGITS_OF_SEVERAL)
  return isShort && all.length <= MOST_NUMBERS && all.every(isSearchable) ? all.join(',') : undefined
}

export const number = {
  name: 'number',
  hasKey: true,
  /** The digits that are looked for in the calls' numbers; those of several lines have commas between them. */
  fields: {
    number: z
      .string()
      .refine((text) => readNumbers(text) === text)
      .optional(),
  },
  hint: `Add ${NUMBER_DIGITS.least} to ${NUMBER_DIGITS.most} digits: number:79460042.`,
  goesOn: 'digits',
  read(text) {
    const digits = readNumbers(text)
    return digits === undefined ? undefined : { asked: { number: digits } }
  },
  plain(words) {
    const count = countDigits(words)
    const digits = readDigits(words.slice(0, count).join(' ')) ?? ''
    return isSearchable(digits) && !looksLikeDay(words[0] ?? '') ? count : 0
  },
  write: (query) => (query.number === undefined ? undefined : `number:${query.number}`),
} as const satisfies Filter

/** `2026-11-31`, `24/11/2026`. */
const wholeDate = /^(\d{4}([-./])\d{1,2}\2\d{1,2}|\d{1,2}([-./])\d{1,2}\3\d{4})(\.\.|$)/

const date = /^\d{1,2}([-./])\d{1,2}(\1(\d{2}|\d{4})?)?$|^\d{4}([-./])\d{1,2}(\4\d{0,2})?$/

/** Whether it is written as dates are somewhere, or a range of them: `31.12.`, `2026/11/5`, `2026-11-05..`. */
export const looksLikeDay = (text: string): boolean => text.split('..').some((part) => date.test(part))

export const groupings = ['line', 'agent', 'hour', 'weekday', 'day'] as const
export type Grouping = (typeof groupings)[number]

export const by = {
  name: 'by',
  hasKey: true,
  fields: { by: z.enum(groupings) },
  hint: `Write ${groupings.map((one) => `by:${one}`).join(', ')}.`,
  read(text) {
    const grouping = groupings.find((one) => one === text.toLowerCase())
    return grouping && { asked: { by: grouping } }
  },
  nearest: near(groupings),
  write: (query) => query.by && `by:${query.by}`,
} as const satisfies Filter

export const page = {
  name: 'page',
  hasKey: true,
  /** Counts from 1. */
  fields: { page: z.int().min(1).max(1_000_000) },
  read: (text) =>
    /^[1-9]\d{0,5}$/.test(text)
      ? { asked: { page: Number(text) } }
      : { problem: `"page:${text}" isn't a page. Pages count from 1.`, meant: '1' },
  nearest: () => '1',
  write: (query) => (query.page === undefined || query.page === 1 ? undefined : `page:${query.page}`),
} as const satisfies Filter

/** The query as the words of a command with these filters. */
export const writeWords = (filters: readonly Filter[], query: Filtered): string =>
  filters
    .map((one) => one.write(query))
    .filter((one) => one !== undefined)
    .join(' ')
