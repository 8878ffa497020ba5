import { dayLabel, rangeLabel, shortDayLabel, weekdayLabel } from '../time/days.ts'
import type { OpenRange } from '../time/ranges.ts'
import type { LocalDay } from '../time/types.ts'
import { numberText } from '../util/text.ts'
import type { ResolvedFilters } from './filters.ts'

// Describes queries in words. No text here is escaped.

/** Shown with missed calls, because people look for whom to call back. */
export const callerUnknownText = "The phone service doesn't record who called."

export const notUnderstoodText = (written: string): string => `I didn't understand "${written}".`

/** `2,544 calls` @param of follows the number: ` of 3,000` */
export const callCount = (count: number, of = ''): string =>
  `${numberText(count)}${of} ${count === 1 && of === '' ? 'call' : 'calls'}`

export const isOneDay = ({ from, to }: OpenRange): boolean => from !== undefined && from === to

/** `missed calls`, `answered outgoing calls` */
export function callsText({ direction, status }: Pick<ResolvedFilters, 'direction' | 'status'>): string {
  const way = direction === undefined || direction === 'both' ? '' : `${direction} `
  if (status === undefined) return `${way}calls`
  if (status === 'answered') return `answered ${way}calls`
  return direction === 'outgoing' ? 'unanswered outgoing calls' : 'missed calls'
}

export const getAgentText = ({ agentId, agentName }: ResolvedFilters): string | undefined =>
  agentName || agentId

/** ` to Sales Berlin`, ` to +44 20 7946 0042`, ` to numbers with 0042`: the number that was called or dialed. */
export function calledText({ line, lineName, number }: ResolvedFilters): string {
  const name = lineName ?? line
  if (name !== undefined) return ` to ${name}`
  return number === undefined ? '' : ` to numbers with ${number}`
}

/** `missed calls for Anna Smith to numbers with 0042` */
export function wholeText(query: ResolvedFilters): string {
  const agent = getAgentText(query)
  return `${callsText(query)}${agent === undefined ? '' : ` for ${agent}`}${calledText(query)}`
}

/**
 * `Fri 20 Nov 2026`, `9–15 Nov 2026`, `since 5 Nov 2026`; `undefined` for any day.
 * @param today shortens the text: `20 Nov`, `9–15 Nov`, `since 5 Nov`
 */
export function daysText({ from, to }: OpenRange, today?: LocalDay): string | undefined {
  const label = (day: LocalDay) => (today === undefined ? dayLabel(day) : shortDayLabel(day, today))
  if (from && to && from === to) return today === undefined ? weekdayLabel(from) : label(from)
  if (from && to) return rangeLabel({ from, to }, today)
  if (from) return `since ${label(from)}`
  return to && `until ${label(to)}`
}

/** `No missed calls for Anna Smith` */
export const noneText = (query: ResolvedFilters): string => `No ${wholeText(query)}`

/** `No missed calls on Fri 20 Nov 2026.` @param among stands before the days: ` among 258 calls` */
export function noCallsText(query: ResolvedFilters, among = ''): string {
  const days = daysText(query)
  const isClosed = query.from !== undefined && query.to !== undefined
  const when = days === undefined ? 'yet' : isClosed ? `${isOneDay(query) ? 'on' : 'during'} ${days}` : days
  return `${noneText(query)}${among} ${when}.`
}
