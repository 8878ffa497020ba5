import { lastPage, rowPositions } from '../../telephony/paging.ts'
import type { CallPage, CallStatus, Direction } from '../../telephony/types.ts'
import { dayLabel, rangeLabel, shortDayLabel, weekdayLabel } from '../../time/days.ts'
import { offsetMinutes } from '../../time/offsets.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { type ClockChange, localDay, zoneLabel } from '../../time/zones.ts'
import { capital, numberText } from '../../util/text.ts'
import { isOfLastDays, type ListQuery, lastDays, SEARCHED_DAYS } from './query.ts'

// What a message says about itself, in words. Nothing here is escaped.

/** How a call ended, as its row says it. */
export const resultLabel = (direction: Direction, status: CallStatus): string => {
  if (status === 'answered') return 'Answered'
  return direction === 'incoming' ? 'Missed' : 'No answer'
}

function callsText({ direction, status }: Pick<ListQuery, 'direction' | 'status'>): string {
  const way = direction === 'both' ? '' : `${direction} `
  if (status === undefined) return `${way}calls`
  if (status === 'answered') return `answered ${way}calls`
  return direction === 'outgoing' ? 'outgoing calls without an answer' : `missed ${way}calls`
}

/** ` to numbers with 0042`: what is looked for is the number called, or dialled. */
const ofNumber = ({ number }: Pick<ListQuery, 'number'>) =>
  number === undefined ? '' : ` to numbers with ${number}`

const agentOf = ({ agentId, agentName }: ListQuery) => agentName ?? agentId

/** `Missed incoming calls`, `Anna Smith: incoming calls`, `Calls to numbers with 0042` */
export function titleOf(query: ListQuery): string {
  const agent = agentOf(query)
  const text = `${callsText(query)}${ofNumber(query)}`
  return agent === undefined ? capital(text) : `${agent}: ${text}`
}

/** `missed incoming calls of Anna Smith to numbers with 0042` */
function wholeText(query: ListQuery): string {
  const agent = agentOf(query)
  return `${callsText(query)}${agent === undefined ? '' : ` of ${agent}`}${ofNumber(query)}`
}

export const isOneDay = ({ from, to }: Pick<ListQuery, 'from' | 'to'>): boolean =>
  from !== undefined && from === to

function daysText(query: ListQuery, today: LocalDay): string {
  if (isOfLastDays(query)) return `last ${SEARCHED_DAYS} days (${rangeLabel(lastDays(SEARCHED_DAYS, today))})`
  const { from, to } = query
  if (from && to) return from === to ? weekdayLabel(from) : rangeLabel({ from, to })
  if (from) return `since ${dayLabel(from)}`
  return to ? `until ${dayLabel(to)}` : 'any date'
}

/** `2,544 calls` @param of what stands before the noun: ` of 3,000` */
export const callCount = (count: number, of = ''): string =>
  `${numberText(count)}${of} ${count === 1 && of === '' ? 'call' : 'calls'}`

/** `3 calls`, and of more than one page `21–40 of 2,544`. */
function countText(page: CallPage): string {
  if (page.total !== undefined && page.total === page.calls.length) return callCount(page.total)
  const { first, last } = rowPositions(page)
  const rows = `${numberText(first)}–${numberText(last)}`
  return page.total === undefined ? rows : `${rows} of ${numberText(page.total)}`
}

/** `any date · Europe/Berlin (UTC+01:00)` */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${daysText(query, localDay(zone, now))} · ${zoneLabel(zone, now)}`

/** `3 calls · Fri 20 Nov 2026 · Europe/Berlin (UTC+01:00)` */
export const describeList = (query: ListQuery, page: CallPage, zone: Zone, now: Date): string =>
  `${countText(page)} · ${describeDays(query, zone, now)}`

/** What was asked for, in the middle of a sentence: `missed incoming calls, 9–15 Nov, page 2`. */
export function requestText(query: ListQuery, today: LocalDay): string {
  const { from, to, page } = query
  const short = (day: LocalDay) => shortDayLabel(day, today)
  const parts = [
    wholeText(query),
    ...(isOfLastDays(query) ? [`last ${SEARCHED_DAYS} days`] : []),
    ...(from && to ? [rangeLabel({ from, to }, today)] : []),
    ...(from && !to ? [`since ${short(from)}`] : []),
    ...(to && !from ? [`until ${short(to)}`] : []),
    ...(page > 1 ? [`page ${page}`] : []),
  ]
  return parts.join(', ')
}

/** `Page 2 of 128 · 21–40 of 2,544` */
export function position(page: CallPage): string {
  const last = lastPage(page)
  const positions = rowPositions(page)
  const rows = `${numberText(positions.first)}–${numberText(positions.last)}`
  return last === undefined
    ? `Page ${numberText(page.page)} · ${rows}`
    : `Page ${numberText(page.page)} of ${numberText(last)} · ${rows} of ${numberText(page.total ?? 0)}`
}

/** `forward 1 hour`, `back 30 minutes` */
function shiftText({ before, after }: ClockChange): string {
  const minutes = offsetMinutes(after) - offsetMinutes(before)
  const size = Math.abs(minutes)
  const hours = size / 60
  const length = Number.isInteger(hours) ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${size} minutes`
  return `${minutes > 0 ? 'forward' : 'back'} ${length}`
}

/**
 * Days are sent in one offset, the one at the start of the range: where it changes within, people are told what that does.
 * Not of a range whose end is still to come: its days are those of now.
 */
export function clockNote(
  changes: readonly ClockChange[],
  { to }: Pick<ListQuery, 'to'>,
  zone: Zone,
  now: Date,
): string | undefined {
  if (changes.length === 0 || (to !== undefined && to > localDay(zone, now))) return undefined
  const when = changes.map((change) => `${shiftText(change)} on ${dayLabel(localDay(zone, change.at))}`)
  return `The clocks went ${when.join(' and ')}. Each time here is what the clock showed at that call; a call close to midnight may be listed under the day next to its own.`
}

/** For a list without a call. */
export function emptyText(query: ListQuery): string {
  const { from, to } = query
  const what = wholeText(query)
  if (isOfLastDays(query)) return `No ${what} in the last ${SEARCHED_DAYS} days.`
  if (from && to) {
    return from === to ? `No ${what} on ${dayLabel(from)}.` : `No ${what}, ${rangeLabel({ from, to })}.`
  }
  if (from) return `No ${what} since ${dayLabel(from)}.`
  return to ? `No ${what} until ${dayLabel(to)}.` : `No ${what} yet.`
}
