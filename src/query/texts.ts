import { LineNames } from '../telephony/lines.ts'
import { type Call, type CallStatus, type Direction, formatOrRaw } from '../telephony/types.ts'
import { dayLabel, type LocalDay, rangeLabel, weekdayLabel } from '../time/days.ts'
import { type OpenRange, parseRange } from '../time/ranges.ts'
import { countNoun } from '../util/text.ts'
import { filtersText } from './filters/call-filters.ts'
import type { ResolvedFilters } from './filters/filter.ts'
import { countDaysToToday, type ListQuery } from './query.ts'
import type { FoundCalls } from './search.ts'

/** Shown where people look for whom to call back. */
export const callerUnknownText = "The phone service doesn't record who called."

type CallKind = Pick<ResolvedFilters, 'direction' | 'status'>

/** `missed call`, `answered outgoing call` */
export function callNoun({ direction, status }: CallKind): string {
  const prefix = direction === undefined || direction === 'both' ? '' : `${direction} `
  if (status === undefined) return `${prefix}call`
  if (status === 'answered') return `answered ${prefix}call`
  if (direction === 'outgoing') return 'unanswered outgoing call'
  return 'missed call'
}

/** `missed calls`, `answered outgoing calls` */
export const callsText = (kind: CallKind): string => `${callNoun(kind)}s`

/** Falls back to the id of an agent without a name. */
export const getAgentText = ({ agentId, agentName }: ResolvedFilters): string | undefined =>
  agentName || agentId

/** `missed calls longer than 5 minutes for Anna Smith to numbers with 0042` */
const filteredCallsText = (query: ResolvedFilters): string => `${callsText(query)}${filtersText(query)}`

/** In full, `Fri 20 Nov 2026`, `since 5 Nov 2026`; relative to `today`, `20 Nov`, `9–15 Nov`; `undefined` for any day */
export function daysText({ from, to }: OpenRange, today?: LocalDay): string | undefined {
  if (today === undefined && from && from === to) return weekdayLabel(from)
  if (from && to) return rangeLabel({ from, to }, today)
  if (from) return `since ${dayLabel(from, today)}`
  if (to) return `until ${dayLabel(to, today)}`
  return undefined
}

const rangeNames = ['today', 'yesterday', 'this week', 'last week', 'this month', 'last month']

/** ` yesterday`, ` on 20 Nov`, ` in the last 7 days`, `, 9–15 Nov`, ` since 5 Nov`; empty for any day */
export function titleDaysText({ from, to }: OpenRange, today: LocalDay, unnamedRangePrefix = ', '): string {
  const days = daysText({ from, to }, today)
  if (days === undefined) return ''
  if (from === undefined || to === undefined) return ` ${days}`
  for (const name of rangeNames) {
    const range = parseRange(name, today)?.range
    if (range?.from === from && range.to === to) return ` ${name}`
  }
  if (from === to) return ` on ${days}`
  const dayCount = countDaysToToday({ from, to }, today)
  if (dayCount !== undefined) return ` in the last ${dayCount} days`
  return `${unnamedRangePrefix}${days}`
}

export function resultLabel(direction: Direction, status: CallStatus): string {
  if (status === 'answered') return 'Answered'
  return direction === 'incoming' ? 'Missed' : 'No answer'
}

export const formatResult = ({ direction, status }: Pick<Call, 'direction' | 'status'>): string =>
  formatOrRaw(status, (known) => resultLabel(direction, known))

/** Names the line or the whole number that the searched digits stand for. */
export function withLineName(query: ResolvedFilters, lines: LineNames): ResolvedFilters {
  if (query.line !== undefined) return { ...query, lineName: lines.getLabel(query.line) }
  if (query.number !== undefined) return { ...query, lineName: lines.getMeaning(query.number) }
  return query
}

/** The query in the middle of a sentence: `missed calls, 9–15 Nov, page 2`. */
export function requestText(query: ListQuery, today: LocalDay, lines = LineNames.none): string {
  const parts = [filteredCallsText(withLineName(query, lines))]
  const days = daysText(query, today)
  if (days !== undefined) parts.push(days)
  if (query.page > 1) parts.push(`page ${query.page}`)
  return parts.join(', ')
}

/** `No missed calls yesterday.`, `No missed calls during 9–15 Nov.`, `No missed calls among 258 calls yet.` */
export function noCallsText(
  query: ResolvedFilters,
  today: LocalDay,
  { lines = LineNames.none, found }: { lines?: LineNames; found?: FoundCalls | undefined } = {},
): string {
  const calls = filteredCallsText(withLineName(query, lines))
  const isSearchComplete = found !== undefined && found.timedOutAfterMs === undefined
  const among = isSearchComplete ? ` among ${countNoun(found.progress.records, 'call')}` : ''
  const days = titleDaysText(query, today, ' during ') || ' yet'
  return `No ${calls}${among}${days}.`
}
