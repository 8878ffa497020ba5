import type { ResolvedFilters } from '../../grammar/filters.ts'
import {
  agentOf,
  callCount,
  calledText,
  callerUnknownText,
  callsText,
  daysText,
  noCallsText,
  noneText,
  wholeText,
} from '../../grammar/sentences.ts'
import { LineNames } from '../../telephony/lines.ts'
import {
  type Call,
  type CallPage,
  type CallStatus,
  type Direction,
  isRaw,
  lastPage,
  orRaw,
  rowPositions,
} from '../../telephony/types.ts'
import { addDays, dayLabel, lastDays, rangeLabel } from '../../time/days.ts'
import { offsetMinutes } from '../../time/offsets.ts'
import { rangeClockChanges } from '../../time/ranges.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { type ClockChange, localDay, zoneLabel } from '../../time/zones.ts'
import { capital, numberText } from '../../util/text.ts'
import type { FoundCalls } from './number-search.ts'
import { directionsOf, isOfLastDays, type ListQuery, SEARCHED_DAYS, withDays } from './query.ts'

// What a message says about itself, in words. Nothing here is escaped.

/** How a call ended, as its row says it. */
export const resultLabel = (direction: Direction, status: CallStatus): string => {
  if (status === 'answered') return 'Answered'
  return direction === 'incoming' ? 'Missed' : 'No answer'
}

export const formatResult = ({ direction, status }: Pick<Call, 'direction' | 'status'>): string =>
  orRaw(status, (known) => resultLabel(direction, known))

/** The query with what the number that is looked for is called. */
const named = (query: ListQuery, { meaningOf }: LineNames): ResolvedFilters => ({
  ...query,
  lineName: query.number && meaningOf(query.number),
})

/** `Missed incoming calls`, `Anna Smith: incoming calls`, `Calls to +44 20 7946 0042`, `Calls to numbers with 0042` */
export function titleOf(query: ListQuery, lines: LineNames): string {
  const agent = agentOf(query)
  const text = `${callsText(query)}${calledText(named(query, lines))}`
  return agent === undefined ? capital(text) : `${agent}: ${text}`
}

function describedDays(query: ListQuery, today: LocalDay): string {
  if (isOfLastDays(query)) return `Last ${SEARCHED_DAYS} days (${rangeLabel(lastDays(SEARCHED_DAYS, today))})`
  return capital(daysText(query) ?? 'all dates')
}

/** `21–40 of 2,544` */
function rowsText(page: CallPage): string {
  const { first, last } = rowPositions(page)
  const rows = `${numberText(first)}–${numberText(last)}`
  return page.total === undefined ? rows : `${rows} of ${numberText(page.total)}`
}

/** `all dates · Europe/Berlin (UTC+01:00)` */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${describedDays(query, localDay(zone, now))} · ${zoneLabel(zone, now)}`

/** `3 calls · Fri 20 Nov 2026 · Europe/Berlin (UTC+01:00)` */
export const describeList = (query: ListQuery, page: CallPage, zone: Zone, now: Date): string =>
  `${page.total === page.calls.length ? callCount(page.total) : rowsText(page)} · ${describeDays(query, zone, now)}`

/** What was asked for, in the middle of a sentence: `missed incoming calls, 9–15 Nov, page 2`. */
export function requestText(query: ListQuery, today: LocalDay, lines = LineNames.none): string {
  const days = isOfLastDays(query) ? `last ${SEARCHED_DAYS} days` : daysText(query, today)
  const page = query.page > 1 ? `page ${query.page}` : undefined
  return [wholeText(named(query, lines)), days, page].filter((part) => part !== undefined).join(', ')
}

/** `page 2 of 128` */
export function pageOfPages(page: CallPage): string {
  const last = lastPage(page)
  return `page ${numberText(page.page)}${last === undefined ? '' : ` of ${numberText(last)}`}`
}

/** `Page 2 of 128 · 21–40 of 2,544` */
export const position = (page: CallPage): string => `${capital(pageOfPages(page))} · ${rowsText(page)}`

/** `forward 1 hour`, `back 30 minutes` */
/** `1 hour`, `30 minutes` */
function shiftLength(minutes: number): string {
  const hours = Math.abs(minutes) / 60
  return Number.isInteger(hours)
    ? `${hours} ${hours === 1 ? 'hour' : 'hours'}`
    : `${Math.abs(minutes)} minutes`
}

const shiftOf = ({ before, after }: Pick<ClockChange, 'before' | 'after'>): number =>
  offsetMinutes(after) - offsetMinutes(before)

/**
 * Days are sent in one offset, the one at the start of the range: where it changes within, people are told what that does.
 * Not of a range whose end is still to come: its days are those of now.
 * @param calls those that are shown: of a change that all of them are on one side of, nobody has to know
 */
export function clockNote(
  query: ListQuery,
  zone: Zone,
  now: Date,
  calls?: readonly Pick<Call, 'at'>[],
): string | undefined {
  const today = localDay(zone, now)
  const days = withDays(query, today)
  const isBetween = ({ at: change }: ClockChange) =>
    calls === undefined ||
    new Set(calls.flatMap(({ at }) => (isRaw(at) ? [] : [at.getTime() < change.getTime()]))).size > 1
  const inRange = rangeClockChanges(zone, days, now)
  const changes = inRange.filter(isBetween)
  if (changes.length === 0 || (days.to !== undefined && days.to > today)) return undefined
  const when = changes.map((change) => {
    const minutes = shiftOf(change)
    return `${minutes > 0 ? 'forward' : 'back'} ${shiftLength(minutes)} on ${dayLabel(localDay(zone, change.at))}`
  })
  const shift = inRange.reduce((sum, change) => sum + shiftOf(change), 0)
  return `The clocks went ${when.join(' and ')}. Each call shows its local time.${edgeText(days.to === today ? undefined : days.to, shift)}`
}

/** What the offset of a range's first day does to the end of its last one: nothing to today's, after which there is no call. */
function edgeText(to: LocalDay | undefined, shift: number): string {
  if (to === undefined || shift === 0) return ''
  const length = shiftLength(shift).replace(/^1 /, '')
  return shift < 0
    ? ` This list leaves out the last ${length} of ${dayLabel(to)}.`
    : ` This list includes the first ${length} of ${dayLabel(addDays(to, 1))}.`
}

/** What was looked through for a number, and what can't be found. */
export function foundNote({ read, total, isCut }: FoundCalls, query: ListQuery): string {
  const of = total === undefined || total <= read ? '' : ` of ${numberText(total)}`
  const searched = isCut
    ? `Searched ${callCount(read, of)} before time ran out. There may be more.`
    : `Searched ${callCount(read)}.`
  // An incoming record holds the company's own number, not the caller's.
  return directionsOf(query).includes('incoming') ? `${searched} ${callerUnknownText}` : searched
}

/** What can't be known of the calls that are listed. */
export const callerNote = ({ direction, status, number }: ListQuery): string | undefined =>
  direction === 'incoming' && status === 'missed' && number === undefined ? callerUnknownText : undefined

/** For a list without a call. */
export function emptyText(listed: ListQuery, lines = LineNames.none): string {
  const query = named(listed, lines)
  return isOfLastDays(listed) ? `${noneText(query)} in the last ${SEARCHED_DAYS} days.` : noCallsText(query)
}
