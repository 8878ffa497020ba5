import { dayLabel, rangeLabel, shortDayLabel, weekdayLabel } from '../time/days.ts'
import type { OpenRange } from '../time/ranges.ts'
import type { LocalDay } from '../time/types.ts'
import { numberText } from '../util/text.ts'
import type { Filtered } from './filters.ts'

// What was asked for, in words. Nothing here is escaped.

/** Said where missed calls are listed or asked for: nobody can look up whom to call. */
export const callerUnknownText = "The phone service doesn't record who called."

/** `2,544 calls` @param of what stands before the noun: ` of 3,000` */
export const callCount = (count: number, of = ''): string =>
  `${numberText(count)}${of} ${count === 1 && of === '' ? 'call' : 'calls'}`

export const isOneDay = ({ from, to }: OpenRange): boolean => from !== undefined && from === to

/** `missed incoming calls` */
export function callsText({ direction, status }: Pick<Filtered, 'direction' | 'status'>): string {
  const way = direction === undefined || direction === 'both' ? '' : `${direction} `
  if (status === undefined) return `${way}calls`
  if (status === 'answered') return `answered ${way}calls`
  return direction === 'outgoing' ? 'outgoing calls without an answer' : `missed ${way}calls`
}

export const agentOf = ({ agentId, agentName }: Filtered): string | undefined => agentName || agentId

/** ` to Sales Berlin`, ` to +44 20 7946 0042`, ` to numbers with 0042`: what is looked for is the number called, or dialled. */
export function calledText({ line, lineName, number }: Filtered): string {
  if (lineName !== undefined) return ` to ${lineName}`
  if (line !== undefined) return ` to ${line}`
  return number === undefined ? '' : ` to numbers with ${number}`
}

/** `missed incoming calls for Anna Smith to numbers with 0042` */
export function wholeText(query: Filtered): string {
  const agent = agentOf(query)
  return `${callsText(query)}${agent === undefined ? '' : ` for ${agent}`}${calledText(query)}`
}

/**
 * `Fri 20 Nov 2026`, `9–15 Nov 2026`, `since 5 Nov 2026`; `undefined` for any day.
 * @param today for fewer words: `20 Nov`, `9–15 Nov`, `since 5 Nov`
 */
export function daysText({ from, to }: OpenRange, today?: LocalDay): string | undefined {
  const label = (day: LocalDay) => (today === undefined ? dayLabel(day) : shortDayLabel(day, today))
  if (from && to && from === to) return today === undefined ? weekdayLabel(from) : label(from)
  if (from && to) return rangeLabel({ from, to }, today)
  if (from) return `since ${label(from)}`
  return to && `until ${label(to)}`
}

/** `No missed calls for Anna Smith`: those that are made are not missed. */
export const noneText = (query: Filtered): string =>
  `No ${wholeText(query).replace('missed incoming', 'missed')}`

/** For a list or a report without a call: `No missed calls on Fri 20 Nov 2026.` */
export function noCallsText(query: Filtered): string {
  const days = daysText(query)
  const isClosed = query.from !== undefined && query.to !== undefined
  const when = days === undefined ? 'yet' : isClosed ? `${isOneDay(query) ? 'on' : 'during'} ${days}` : days
  return `${noneText(query)} ${when}.`
}
