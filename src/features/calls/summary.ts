import { lastPage, rowPositions } from '../../telephony/paging.ts'
import type { CallPage, CallStatus, Direction } from '../../telephony/types.ts'
import { dayLabel, rangeLabel, shortDayLabel, weekdayLabel } from '../../time/days.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { offsetMinutes } from '../../time/wall-clock.ts'
import { type ClockChange, localDay, zoneLabel } from '../../time/zones.ts'
import type { ListQuery } from './query.ts'

// What a message says about itself, in words. Nothing here is escaped.

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** How a call ended, as its row says it. */
export const resultLabel = (direction: Direction, status: CallStatus): string => {
  if (status === 'answered') return 'Answered'
  return direction === 'incoming' ? 'Missed' : 'No answer'
}

function callsText({ direction, status }: Pick<ListQuery, 'direction' | 'status'>): string {
  if (status === undefined) return `${direction} calls`
  if (status === 'answered') return `answered ${direction} calls`
  return direction === 'incoming' ? 'missed incoming calls' : 'outgoing calls without an answer'
}

const agentOf = ({ agentId, agentName }: ListQuery) => agentName ?? agentId

/** `Missed incoming calls`, `Anna Smith: incoming calls` */
export function titleOf(query: ListQuery): string {
  const agent = agentOf(query)
  return agent === undefined ? capital(callsText(query)) : `${agent}: ${callsText(query)}`
}

export const isOneDay = ({ from, to }: Pick<ListQuery, 'from' | 'to'>): boolean =>
  from !== undefined && from === to

function daysText({ from, to }: ListQuery): string {
  if (from && to) return from === to ? weekdayLabel(from) : rangeLabel({ from, to })
  if (from) return `since ${dayLabel(from)}`
  return to ? `until ${dayLabel(to)}` : 'any date'
}

const english = new Intl.NumberFormat('en')
/** `2,544` */
const number = (count: number) => english.format(count)
const calls = (count: number) => (count === 1 ? '1 call' : `${number(count)} calls`)

/** `3 calls`, and of more than one page `21–40 of 2,544`. */
function countText(page: CallPage): string {
  if (page.total !== undefined && page.total === page.calls.length) return calls(page.total)
  const { first, last } = rowPositions(page)
  const rows = `${number(first)}–${number(last)}`
  return page.total === undefined ? rows : `${rows} of ${number(page.total)}`
}

/** `any date · Europe/Berlin (UTC+01:00)` */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${daysText(query)} · ${zoneLabel(zone, now)}`

/** `3 calls · Fri 20 Nov 2026 · Europe/Berlin (UTC+01:00)` */
export const describeList = (query: ListQuery, page: CallPage, zone: Zone, now: Date): string =>
  `${countText(page)} · ${describeDays(query, zone, now)}`

/** What was asked for, in the middle of a sentence: `missed incoming calls, 9–15 Nov, page 2`. */
export function requestText(query: ListQuery, today: LocalDay): string {
  const { from, to, page } = query
  const short = (day: LocalDay) => shortDayLabel(day, today)
  const agent = agentOf(query)
  const parts = [
    agent === undefined ? callsText(query) : `${callsText(query)} of ${agent}`,
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
  const rows = `${number(positions.first)}–${number(positions.last)}`
  return last === undefined
    ? `Page ${number(page.page)} · ${rows}`
    : `Page ${number(page.page)} of ${number(last)} · ${rows} of ${number(page.total ?? 0)}`
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
  const agent = agentOf(query)
  const what = agent === undefined ? callsText(query) : `${callsText(query)} of ${agent}`
  if (from && to) {
    return from === to ? `No ${what} on ${dayLabel(from)}.` : `No ${what}, ${rangeLabel({ from, to })}.`
  }
  if (from) return `No ${what} since ${dayLabel(from)}.`
  return to ? `No ${what} until ${dayLabel(to)}.` : `No ${what} yet.`
}
