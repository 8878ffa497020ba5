import { z } from 'zod'
import { textArgument } from '../slack/blocks/tool-action.ts'
import type { Field } from '../slack/forms/form.ts'
import {
  hasDigits,
  isOfLine,
  isPartOfNumber,
  isSearchable,
  type LineNames,
  MAX_LINE_LENGTH,
  NUMBER_DIGITS,
  readDigits,
} from '../telephony/lines.ts'
import { type Call, type CallStatus, type Direction, isRaw } from '../telephony/types.ts'
import { type LocalDay, parseDay } from '../time/days.ts'
import { formatLength, MAX_LENGTH_SECONDS, parseLength, writeLength } from '../time/lengths.ts'
import { lowerWeekdays, MAX_LAST_DAYS, parseDayWords, parseRange, writeRange } from '../time/ranges.ts'
import { joinNames, nearestWord } from '../util/text.ts'
import type { Seconds } from '../util/units.ts'
import { AGENT_LENGTHS, agentField, digitsField, lengthField, lineField, resultField } from './fields.ts'

/** Agents and lines aren't looked up yet. */
export interface ParsedFilters {
  readonly direction?: Direction | undefined
  readonly status?: CallStatus | undefined
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  /** A name, a part of one, or an id. */
  readonly agent?: string | undefined
  /** A name, a part of one, or digits. */
  readonly line?: string | undefined
  /** Digits only. */
  readonly number?: string | undefined
  readonly longer?: Seconds | undefined
  readonly shorter?: Seconds | undefined
  readonly by?: Grouping | undefined
  readonly page?: number | undefined
}

export interface ResolvedFilters extends Omit<ParsedFilters, 'direction' | 'agent'> {
  readonly direction?: Direction | 'both' | undefined
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
  readonly lineName?: string | undefined
}

/** The problem is a sentence for people, not escaped. */
export type ParseResult =
  | { readonly filters: ParsedFilters }
  | { readonly problem: string; readonly meant?: string | undefined }

/** Declares everything about a filter: lists, reports, exports, forms and tools loop over the declarations. */
export interface Filter {
  readonly name: string
  /** Whether commands take it as `name:value`. */
  readonly hasKey: boolean
  /** Returns `undefined` if the text is no value of this filter. */
  parse(text: string, today: LocalDay): ParseResult | undefined
  readonly hint?: string
  /** Whether values may be written without a key. */
  readonly isPlain?: true
  /** Says what is wrong with a word that looks like a value without a key. */
  explain?(word: string): string | undefined
  /** Words to compare misspelled words with. */
  readonly vocabulary?: readonly string[]
  /** Unquoted values continue with unknown words: all of them, or those with digits. */
  readonly continues?: 'words' | 'digits'
  /** Stored in the values of buttons. */
  readonly fields?: Readonly<Record<string, z.ZodType>>
  /** Formats the filter as typed text; `undefined` if the query doesn't use it. */
  write(query: ResolvedFilters): string | undefined
  /** Follows "calls" in a title; empty if the query doesn't use it. */
  text?(query: ResolvedFilters): string
  /** Examples for the help. */
  readonly help?: readonly string[]
  /** Selects calls that the service can't select. Only called if the query uses the filter. */
  matches?(call: Call, query: ResolvedFilters): boolean
  /** Arguments of Slackbot's tools; their values are read like typed ones. */
  readonly toolArguments?: Readonly<Record<string, z.ZodType>>
  toArguments?(query: ResolvedFilters): object
  /** Inputs of forms. */
  inputs?(query: ResolvedFilters, lines: LineNames): Readonly<Record<string, Field<unknown>>>
  /** Button of an empty list that leaves the filter out: the end of its id, and its text. */
  readonly leaveOut?: readonly [id: string, text: string]
}

export const localDaySchema = z.string().transform((text, context): LocalDay => {
  const day = parseDay(text)
  if (day !== undefined) return day
  context.addIssue({ code: 'custom', message: 'not a day' })
  return z.NEVER
})

/** Quotation marks inside the value would end the quotation. */
const quote = (text: string) => `"${text.replaceAll(/["“”„‟]/g, '')}"`

const wordFilter = <Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, readonly string[]>>,
  toFilters: (value: Value) => ParsedFilters,
) => ({
  isPlain: true as const,
  vocabulary: values.flatMap((value) => words[value]),
  parse(text: string) {
    const value = values.find((one) => words[one].includes(text.toLowerCase()))
    return value && { filters: toFilters(value) }
  },
})

const directions = ['incoming', 'outgoing'] as const

const directionWords = { incoming: ['incoming', 'in', 'inbound'], outgoing: ['outgoing', 'out', 'outbound'] }

export const direction = {
  name: 'direction',
  hasKey: false,
  fields: { direction: z.enum(directions).optional() },
  ...wordFilter<Direction>(directions, directionWords, (value) => ({ direction: value })),
  write: (query) => (query.direction === 'both' ? undefined : query.direction),
  help: directions,
} as const satisfies Filter

const statuses = ['answered', 'missed'] as const

const statusWords = { answered: ['answered'], missed: ['missed', 'unanswered', 'not answered', 'no answer'] }

export const status = {
  name: 'status',
  hasKey: true,
  fields: { status: z.enum(statuses).optional() },
  ...wordFilter<CallStatus>(statuses, statusWords, (value) => ({ status: value })),
  hint: 'Write status:answered or status:missed.',
  write: (query) => query.status,
  help: ['missed', 'answered'],
  toolArguments: { status: z.enum(statuses).optional().describe('Both if left out') },
  toArguments: (query) => ({ status: query.status }),
  inputs: (query) => ({ status: resultField(query.status) }),
  leaveOut: ['all', 'All calls'],
} as const satisfies Filter

const notADayText = (text: string) =>
  `"${text}" isn't a date. Write it as 2026-11-05, 5 Nov, today or yesterday.`

const dayVocabulary = ['today', 'yesterday', ...lowerWeekdays]

/** `2026-11-31`, `24/11/2026` */
const fullDate = /^(\d{4}([-./])\d{1,2}\2\d{1,2}|\d{1,2}([-./])\d{1,2}\3\d{4})(\.\.|$)/

const date = /^\d{1,2}([-./])\d{1,2}(\1(\d{2}|\d{4})?)?$|^\d{4}([-./])\d{1,2}(\4\d{0,2})?$/

/** Whether it looks like dates, valid or not: `31.12.`, `2026/11/5`, `2026-11-05..`. */
export const looksLikeDay = (text: string): boolean => text.split('..').some((part) => date.test(part))

export const range = {
  name: 'range',
  hasKey: false,
  isPlain: true,
  fields: { from: localDaySchema.optional(), to: localDaySchema.optional() },
  vocabulary: [...dayVocabulary, 'this', 'last', 'week', 'month', 'days', 'since'],
  parse(text, today) {
    const result = parseRange(text, today)
    if (result === undefined || 'range' in result) return result && { filters: result.range }
    const problems = {
      reversed: `In "${text}" the end date is before the start date.`,
      'no-day': notADayText(text),
      count: `"${text}": write 1 to ${MAX_LAST_DAYS} days. For more, write the dates: 2025-01-01..2026-11-05.`,
    }
    return { problem: problems[result.problem], meant: result.meant }
  },
  explain: (word) => (looksLikeDay(word) ? notADayText(word) : undefined),
  write: ({ from, to }) => (from && to ? writeRange({ from, to }) : undefined),
} as const satisfies Filter

const rangeEnd = (name: 'from' | 'to') =>
  ({
    name,
    hasKey: true,
    parse(text, today) {
      const day = parseDayWords(text, today)
      if (!day) return { problem: notADayText(text), meant: nearestWord(text, dayVocabulary) }
      return { filters: name === 'from' ? { from: day } : { to: day } }
    },
    write: ({ from, to, [name]: day }) => (day === undefined || (from && to) ? undefined : `${name}:${day}`),
    help: [`${name}:DAY`],
  }) as const satisfies Filter
export const from = rangeEnd('from')
export const to = rangeEnd('to')

export const agent = {
  name: 'agent',
  hasKey: true,
  fields: {
    agentId: z.string().min(1).max(AGENT_LENGTHS.id).optional(),
    agentName: z.string().max(AGENT_LENGTHS.name).optional(),
  },
  hint: 'Add a name or ID: agent:"Anna Smith".',
  continues: 'words',
  parse: (text) => (text === '' ? undefined : { filters: { agent: text } }),
  write: ({ agentId }) => (agentId === undefined ? undefined : `agent:${quote(agentId)}`),
  text({ agentId, agentName }) {
    const name = agentName || agentId
    return name === undefined ? '' : ` for ${name}`
  },
  help: ['agent:NAME', 'agent:me'],
  toolArguments: {
    agent: textArgument(200, "An agent's name, a part of it, or an id; me for the agent that the person is"),
  },
  toArguments: ({ agentId }) => ({ agent: agentId }),
  inputs: (query) => ({ agent: agentField(query) }),
} as const satisfies Filter

export const line = {
  name: 'line',
  hasKey: true,
  fields: { line: z.string().min(1).max(MAX_LINE_LENGTH).optional() },
  hint: 'Add a name or number: line:"Sales Berlin".',
  continues: 'words',
  parse: (text) => (text === '' ? undefined : { filters: { line: text } }),
  write: (query) => (query.line === undefined ? undefined : `line:${quote(query.line)}`),
  text: (query) => (query.line === undefined ? '' : ` to ${query.lineName ?? query.line}`),
  help: ['line:NAME'],
  matches: ({ number: called }, query) => query.line === undefined || isOfLine(called, query.line),
  toolArguments: { line: textArgument(100, "The name or number of one of the company's own lines") },
  toArguments: (query) => ({ line: query.line }),
  inputs: (query, lines) => ({ line: lineField(query.line, lines) }),
} as const satisfies Filter

/** Counts the leading words that form one number. A full date after digits is a separate word. */
export function countDigits(words: readonly string[]): number {
  const end = words.findIndex((word, at) => !isPartOfNumber(word) || (at > 0 && fullDate.test(word)))
  return end === -1 ? words.length : end
}

function parseNumber(text: string): string | undefined {
  const digits = readDigits(text) ?? ''
  return isSearchable(digits) ? digits : undefined
}

export const number = {
  name: 'number',
  hasKey: true,
  isPlain: true,
  fields: {
    number: z
      .string()
      .refine((text) => parseNumber(text) === text)
      .optional(),
  },
  hint: `Add ${NUMBER_DIGITS.min} to ${NUMBER_DIGITS.max} digits: number:79460042.`,
  continues: 'digits',
  parse(text) {
    const digits = parseNumber(text)
    return digits === undefined ? undefined : { filters: { number: digits } }
  },
  write: (query) => (query.number === undefined ? undefined : `number:${query.number}`),
  text({ number: digits, lineName }) {
    if (digits === undefined) return ''
    return lineName === undefined ? ` to numbers with ${digits}` : ` to ${lineName}`
  },
  help: ['number:DIGITS'],
  matches: ({ number: called }, query) => query.number === undefined || hasDigits(called, query.number),
  toolArguments: {
    number: textArgument(
      40,
      'Digits to look for in the number called or dialed; a list then covers the last 30 days and both directions, unless others are given',
    ),
  },
  toArguments: (query) => ({ number: query.number }),
  inputs: (query) => ({ number: digitsField(query.number) }),
} as const satisfies Filter

export const groupings = ['line', 'agent', 'hour', 'weekday', 'day', 'person'] as const
export type Grouping = (typeof groupings)[number]

export const groupBy = {
  name: 'by',
  hasKey: true,
  fields: { by: z.enum(groupings) },
  hint: `Write ${joinNames(
    groupings.map((one) => `by:${one}`),
    { conjunction: 'or' },
  )}.`,
  vocabulary: groupings,
  parse(text) {
    const grouping = groupings.find((one) => one === text.toLowerCase())
    return grouping && { filters: { by: grouping } }
  },
  write: (query) => query.by && `by:${query.by}`,
} as const satisfies Filter

export const page = {
  name: 'page',
  hasKey: true,
  fields: { page: z.int().min(1).max(1_000_000) },
  hint: 'Add a number: page:2.',
  parse(text) {
    if (text === '') return undefined
    return /^[1-9]\d{0,5}$/.test(text)
      ? { filters: { page: Number(text) } }
      : { problem: `There's no page ${text}.`, meant: '1' }
  },
  write: (query) => (query.page === undefined || query.page === 1 ? undefined : `page:${query.page}`),
  help: ['page:N'],
} as const satisfies Filter

/** Returns 0 for a call that shows no length. */
const getLength = ({ seconds }: Call): Seconds => (isRaw(seconds) ? 0 : seconds)

const parseThan = (text: string) => parseLength(text.replace(/^than /i, ''))

const lengthSchema = z.int().min(1).max(MAX_LENGTH_SECONDS).optional()

/** Compares the lengths that lists show. */
export const longer = {
  name: 'longer',
  hasKey: true,
  fields: { longer: lengthSchema },
  hint: 'Add a time: longer:5m.',
  parse(text) {
    const seconds = parseThan(text)
    return seconds === undefined ? undefined : { filters: { longer: seconds } }
  },
  write: (query) => (query.longer === undefined ? undefined : `longer:${writeLength(query.longer)}`),
  text: (query) => (query.longer === undefined ? '' : ` longer than ${formatLength(query.longer)}`),
  help: ['longer:5m'],
  matches: (call, query) => query.longer === undefined || getLength(call) > query.longer,
  toolArguments: { longer: textArgument(20, 'Only calls longer than this: 5m, 90s, 1:30') },
  toArguments: (query) => ({ longer: query.longer && writeLength(query.longer) }),
  inputs: (query) => ({ longer: lengthField('Longer than', query.longer) }),
  leaveOut: ['any-length', 'Any length'],
} as const satisfies Filter

/** Calls without a length aren't shorter than anything: they never began. */
export const shorter = {
  name: 'shorter',
  hasKey: true,
  fields: { shorter: lengthSchema },
  hint: 'Add a time: shorter:30s.',
  parse(text) {
    const seconds = parseThan(text)
    return seconds === undefined ? undefined : { filters: { shorter: seconds } }
  },
  write: (query) => (query.shorter === undefined ? undefined : `shorter:${writeLength(query.shorter)}`),
  text(query) {
    if (query.shorter === undefined) return ''
    const joined = query.longer === undefined ? '' : ' and'
    return `${joined} shorter than ${formatLength(query.shorter)}`
  },
  help: ['shorter:30s'],
  matches(call, query) {
    const seconds = getLength(call)
    return query.shorter === undefined || (seconds > 0 && seconds < query.shorter)
  },
  toolArguments: { shorter: textArgument(20, 'Only calls shorter than this: 30s, 1:30') },
  toArguments: (query) => ({ shorter: query.shorter && writeLength(query.shorter) }),
  inputs: (query) => ({ shorter: lengthField('Shorter than', query.shorter) }),
  leaveOut: ['any-short-length', 'Any length'],
} as const satisfies Filter
