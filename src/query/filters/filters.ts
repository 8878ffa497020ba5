import { isOfLine } from '../../telephony/lines.ts'
import { hasDigits, isPartOfNumber, NUMBER_DIGITS, readSearchable } from '../../telephony/phone-numbers.ts'
import { type CallStatus, type Direction, isRaw } from '../../telephony/types.ts'
import { formatLength, parseLength, writeLength } from '../../time/lengths.ts'
import { joinNames } from '../../util/text.ts'
import { type Filter, groupings, type ParsedFilters } from './filter.ts'

const directions: ReadonlyMap<string, Direction> = new Map([
  ['incoming', 'incoming'],
  ['in', 'incoming'],
  ['inbound', 'incoming'],
  ['outgoing', 'outgoing'],
  ['out', 'outgoing'],
  ['outbound', 'outgoing'],
])

export const direction: Filter = {
  name: 'direction',
  isPlain: true,
  vocabulary: [...directions.keys()],
  parse(text) {
    const value = directions.get(text.toLowerCase())
    return value && { filters: { direction: value } }
  },
  write: (query) => (query.direction === 'both' ? undefined : query.direction),
}

const statuses: ReadonlyMap<string, CallStatus> = new Map([
  ['answered', 'answered'],
  ['missed', 'missed'],
  ['unanswered', 'missed'],
  ['not answered', 'missed'],
  ['no answer', 'missed'],
])

export const status: Filter = {
  name: 'status',
  hasKey: true,
  isPlain: true,
  vocabulary: [...statuses.keys()],
  hint: 'Write status:answered or status:missed.',
  parse(text) {
    const value = statuses.get(text.toLowerCase())
    return value && { filters: { status: value } }
  },
  write: (query) => query.status,
  leaveOut: { id: 'all', text: 'All calls' },
}

export const agent: Filter = {
  name: 'agent',
  hasKey: true,
  hint: 'Add a name or ID: agent:"Anna Smith".',
  continues: 'words',
  parse: (text) => (text === '' ? undefined : { filters: { agent: text } }),
  write: (query) => query.agentId,
  text: ({ agentId, agentName }) => ` for ${agentName || agentId}`,
}

export const line: Filter = {
  name: 'line',
  hasKey: true,
  hint: 'Add a name or number: line:"Sales Berlin".',
  continues: 'words',
  parse: (text) => (text === '' ? undefined : { filters: { line: text } }),
  write: (query) => query.line,
  text: (query) => ` to ${query.lineName ?? query.line}`,
  matches: (call, query) => query.line !== undefined && isOfLine(call.number, query.line),
}

/** A date with its year, alone or at the start of a range: `2026-11-31`, `24/11/2026..` */
const FULL_DATE = /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2\d{4})(?:\.\.|$)/

/** Counts the leading words that form one number. A full date after digits isn't one of them. */
export function countDigits(words: readonly string[]): number {
  const end = words.findIndex((word, index) => !isPartOfNumber(word) || (index > 0 && FULL_DATE.test(word)))
  return end === -1 ? words.length : end
}

export const number: Filter = {
  name: 'number',
  hasKey: true,
  isPlain: true,
  hint: `Add ${NUMBER_DIGITS.min} to ${NUMBER_DIGITS.max} digits: number:79460042.`,
  continues: 'digits',
  parse(text) {
    const digits = readSearchable(text)
    if (digits === undefined) return undefined
    return { filters: { number: digits } }
  },
  write: (query) => query.number,
  text: (query) => ` to ${query.lineName ?? `numbers with ${query.number}`}`,
  matches: (call, query) => query.number !== undefined && hasDigits(call.number, query.number),
}

const groupingWords = groupings.map((grouping) => `by:${grouping}`)

export const groupBy: Filter = {
  name: 'by',
  hasKey: true,
  otherKeys: ['per'],
  hint: `Write ${joinNames(groupingWords, { conjunction: 'or' })}.`,
  vocabulary: groupings,
  parse(text) {
    const name = text.toLowerCase().replace(/s$/, '')
    const by = groupings.find((grouping) => grouping === name)
    return by && { filters: { by } }
  },
}

const phrase = (name: string, pattern: RegExp, filters: ParsedFilters): Filter => ({
  name,
  isPlain: true,
  parse: (text) => (pattern.test(text) ? { filters } : undefined),
})

/** Reads `who took what` as a report by person. */
export const whoTook = phrase('who', /^who (took|takes|has taken) (what|which calls?|calls|missed calls)$/i, {
  by: 'person',
})

const OWN = /^(my|me|mine)$/i

export const isOwn = (text: string): boolean => OWN.test(text)

/** Selects the person's own agent. */
export const own = phrase('own', OWN, { agent: 'me' })

/** Accepts `calls` without a meaning, as in `missed calls`. */
export const filler = phrase('filler', /^(all )?calls$/i, {})

export const page: Filter = {
  name: 'page',
  hasKey: true,
  hint: 'Add a number: page:2.',
  parse(text) {
    if (text === '') return undefined
    if (/^[1-9]\d{0,5}$/.test(text)) return { filters: { page: Number(text) } }
    return { problem: `There's no page ${text}.`, meant: '1' }
  },
  write: ({ page = 1 }) => (page === 1 ? undefined : String(page)),
}

const lengthFilter = (name: 'longer' | 'shorter', example: string): Filter => ({
  name,
  hasKey: true,
  hint: `Add a time: ${name}:${example}.`,
  parse(text) {
    const seconds = parseLength(text.replace(/^than /i, ''))
    if (seconds === undefined) return undefined
    return { filters: { [name]: seconds } }
  },
  write: ({ [name]: seconds }) => (seconds === undefined ? undefined : writeLength(seconds)),
})

/** Compares the lengths that lists show. `shorter` leaves out calls without a length, because they never began. */
export const longer: Filter = {
  ...lengthFilter('longer', '5m'),
  text: ({ longer = 0 }) => ` longer than ${formatLength(longer)}`,
  matches: ({ seconds }, { longer = 0 }) => !isRaw(seconds) && seconds > longer,
  leaveOut: { id: 'any-length', text: 'Any length' },
}

export const shorter: Filter = {
  ...lengthFilter('shorter', '30s'),
  text({ longer, shorter = 0 }) {
    const text = ` shorter than ${formatLength(shorter)}`
    return longer === undefined ? text : ` and${text}`
  },
  matches: ({ seconds }, { shorter = 0 }) => !isRaw(seconds) && seconds > 0 && seconds < shorter,
  leaveOut: { id: 'any-short-length', text: 'Any length' },
}
