import { z } from 'zod'
import { textArgument } from '../../slack/blocks/tool-action.ts'
import {
  hasDigits,
  isOfLine,
  isPartOfNumber,
  MAX_LINE_LENGTH,
  NUMBER_DIGITS,
  readSearchable,
} from '../../telephony/lines.ts'
import { type Call, type CallStatus, type Direction, isRaw } from '../../telephony/types.ts'
import { formatLength, MAX_LENGTH_SECONDS, parseLength, writeLength } from '../../time/lengths.ts'
import { joinNames } from '../../util/text.ts'
import type { Seconds } from '../../util/units.ts'
import { AGENT_LENGTHS, agentField, digitsField, lengthField, lineField, resultField } from '../fields.ts'
import { fullDate } from './day-filters.ts'
import { type Filter, groupings, type ParsedFilters, type ResolvedFilters } from './filter.ts'

/** Quotation marks inside the value would end the quotation. */
const quote = (text: string) => `"${text.replaceAll(/["“”„‟]/g, '')}"`

const wordFilter = <Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, readonly string[]>>,
  toFilters: (value: Value) => ParsedFilters,
) => ({
  isPlain: true as const,
  maxWords: 2,
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
  toolArguments: {
    direction: textArgument(40, 'incoming or outgoing; incoming if left out, both for a number'),
  },
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
  toolArguments: { status: textArgument(40, 'answered or missed; both if left out') },
  toArguments: (query) => ({ status: query.status }),
  inputs: (query) => ({ status: resultField(query.status) }),
  leaveOut: ['all', 'All calls'],
} as const satisfies Filter

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
  const end = words.findIndex((word, index) => !isPartOfNumber(word) || (index > 0 && fullDate.test(word)))
  return end === -1 ? words.length : end
}

export const number = {
  name: 'number',
  hasKey: true,
  isPlain: true,
  fields: {
    number: z
      .string()
      .refine((text) => readSearchable(text) === text)
      .optional(),
  },
  hint: `Add ${NUMBER_DIGITS.min} to ${NUMBER_DIGITS.max} digits: number:79460042.`,
  continues: 'digits',
  parse(text) {
    const digits = readSearchable(text)
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

const groupingWords = groupings.map((grouping) => `by:${grouping}`)

export const groupBy = {
  name: 'by',
  hasKey: true,
  otherKeys: ['per'],
  fields: { by: z.enum(groupings) },
  hint: `Write ${joinNames(groupingWords, { conjunction: 'or' })}.`,
  vocabulary: groupings,
  parse(text) {
    const name = text.toLowerCase().replace(/s$/, '')
    const grouping = groupings.find((one) => one === name)
    return grouping && { filters: { by: grouping } }
  },
  write: (query) => query.by && `by:${query.by}`,
  toolArguments: {
    by: textArgument(
      40,
      'What the table groups calls by: line, agent, hour, weekday, day, or person (who in Slack took missed calls that alerts posted)',
    ),
  },
} as const satisfies Filter

/** Groups by person for the question that this answers: `who took what`. */
export const whoTook = {
  name: 'who',
  hasKey: false,
  isPlain: true,
  maxWords: 4,
  parse(text) {
    const isQuestion = /^who (took|takes|has taken) (what|which calls?|calls|missed calls)$/i.test(text)
    return isQuestion ? { filters: { by: 'person' } } : undefined
  },
  write: () => undefined,
} as const satisfies Filter

/** Selects the person's own agent. */
export const own = {
  name: 'own',
  hasKey: false,
  isPlain: true,
  maxWords: 1,
  parse: (text) =>
    ['my', 'me', 'mine'].includes(text.toLowerCase()) ? { filters: { agent: 'me' } } : undefined,
  write: () => undefined,
} as const satisfies Filter

/** A word that adds nothing: `missed calls`. */
export const filler = {
  name: 'filler',
  hasKey: false,
  isPlain: true,
  maxWords: 2,
  parse: (text) => (/^(all )?calls$/i.test(text) ? { filters: {} } : undefined),
  write: () => undefined,
} as const satisfies Filter

export const page = {
  name: 'page',
  hasKey: true,
  fields: { page: z.int().min(1).max(1_000_000) },
  hint: 'Add a number: page:2.',
  parse(text) {
    if (text === '') return undefined
    if (/^[1-9]\d{0,5}$/.test(text)) return { filters: { page: Number(text) } }
    return { problem: `There's no page ${text}.`, meant: '1' }
  },
  write: (query) => (query.page === undefined || query.page === 1 ? undefined : `page:${query.page}`),
  help: ['page:N'],
} as const satisfies Filter

/** Returns 0 for a call that shows no length. */
const getLength = ({ seconds }: Call): Seconds => (isRaw(seconds) ? 0 : seconds)

const lengthSchema = z.int().min(1).max(MAX_LENGTH_SECONDS).optional()

const lengthFilter = (name: 'longer' | 'shorter', example: string) => ({
  name,
  hasKey: true,
  hint: `Add a time: ${name}:${example}.`,
  parse(text: string) {
    const seconds = parseLength(text.replace(/^than /i, ''))
    return seconds === undefined ? undefined : { filters: { [name]: seconds } }
  },
  write: ({ [name]: seconds }: ResolvedFilters) =>
    seconds === undefined ? undefined : `${name}:${writeLength(seconds)}`,
  help: [`${name}:${example}`],
  toArguments: ({ [name]: seconds }: ResolvedFilters) => ({ [name]: seconds && writeLength(seconds) }),
})

/** Compares the lengths that lists show. */
export const longer = {
  ...lengthFilter('longer', '5m'),
  fields: { longer: lengthSchema },
  text: (query) => (query.longer === undefined ? '' : ` longer than ${formatLength(query.longer)}`),
  matches: (call, query) => query.longer === undefined || getLength(call) > query.longer,
  toolArguments: { longer: textArgument(20, 'Only calls longer than this: 5m, 90s, 1:30') },
  inputs: (query) => ({ longer: lengthField('Longer than', query.longer) }),
  leaveOut: ['any-length', 'Any length'],
} as const satisfies Filter

/** Calls without a length aren't shorter than anything: they never began. */
export const shorter = {
  ...lengthFilter('shorter', '30s'),
  fields: { shorter: lengthSchema },
  text(query) {
    if (query.shorter === undefined) return ''
    const joined = query.longer === undefined ? '' : ' and'
    return `${joined} shorter than ${formatLength(query.shorter)}`
  },
  matches(call, query) {
    const seconds = getLength(call)
    return query.shorter === undefined || (seconds > 0 && seconds < query.shorter)
  },
  toolArguments: { shorter: textArgument(20, 'Only calls shorter than this: 30s, 1:30') },
  inputs: (query) => ({ shorter: lengthField('Shorter than', query.shorter) }),
  leaveOut: ['any-short-length', 'Any length'],
} as const satisfies Filter
