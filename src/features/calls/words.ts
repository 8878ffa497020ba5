import type { ResolvedFilters } from '../../grammar/filters.ts'
import {
  callCount,
  calledText,
  callerUnknownText,
  callsText,
  daysText,
  getAgentText,
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
import { addDays, dayLabel, shortDayLabel } from '../../time/days.ts'
import { offsetMinutes } from '../../time/offsets.ts'
import { rangeClockChanges } from '../../time/ranges.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { type ClockChange, localDay, zoneLabel } from '../../time/zones.ts'
import { capital, numberText } from '../../util/text.ts'
import type { FoundCalls } from './number-search.ts'
import { countDaysToToday, type ListQuery } from './query.ts'

// Texts of lists. None of them is escaped.

export const resultLabel = (direction: Direction, status: CallStatus): string => {
  if (status === 'answered') return 'Answered'
  return direction === 'incoming' ? 'Missed' : 'No answer'
}

export const formatResult = ({ direction, status }: Pick<Call, 'direction' | 'status'>): string =>
  orRaw(status, (known) => resultLabel(direction, known))

/** Adds the name of the line, or the whole number, that the digits mean. */
const withLineName = (query: ListQuery, { meaningOf }: LineNames): ResolvedFilters => ({
  ...query,
  lineName: query.number && meaningOf(query.number),
})

/** `Missed calls`, `Anna Smith: incoming calls`, `Calls to +44 20 7946 0042`, `Calls to numbers with 0042` */
export function formatTitle(query: ListQuery, lines: LineNames): string {
  const agent = getAgentText(query)
  const text = `${callsText(query)}${calledText(withLineName(query, lines))}`
  return agent === undefined ? capital(text) : `${agent}: ${text}`
}

/** `21–40 of 2,544` */
function rowsText(page: CallPage): string {
  const { first, last } = rowPositions(page)
  const rows = first === last ? numberText(first) : `${numberText(first)}–${numberText(last)}`
  return page.total === undefined ? rows : `${rows} of ${numberText(page.total)}`
}

/** `All dates · Europe/Berlin (UTC+01:00)` */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${capital(daysText(query) ?? 'all dates')} · ${zoneLabel(zone, now)}`

/** `3 calls · Fri 20 Nov 2026 · Europe/Berlin (UTC+01:00)` */
export const describeList = (query: ListQuery, page: CallPage, zone: Zone, now: Date): string =>
  `${page.total === page.calls.length ? callCount(page.total) : rowsText(page)} · ${describeDays(query, zone, now)}`

/** The query in the middle of a sentence: `missed calls, 9–15 Nov, page 2`. */
export function requestText(query: ListQuery, today: LocalDay, lines = LineNames.none): string {
  const page = query.page > 1 ? `page ${query.page}` : undefined
  return [wholeText(withLineName(query, lines)), daysText(query, today), page]
    .filter((part) => part !== undefined)
    .join(', ')
}

/** `page 2 of 128` */
export function pageOfPages(page: CallPage): string {
  const last = lastPage(page)
  return `page ${numberText(page.page)}${last === undefined ? '' : ` of ${numberText(last)}`}`
}

/** `Page 2 of 128 · 21–40 of 2,544`; `undefined` for a single page. */
export const positionText = (page: CallPage): string | undefined =>
  lastPage(page) === 1 ? undefined : `${capital(pageOfPages(page))} · ${rowsText(page)}`

/** `1 hour`, `30 minutes` */
function formatShift(minutes: number): string {
  const hours = Math.abs(minutes) / 60
  return Number.isInteger(hours)
    ? `${hours} ${hours === 1 ? 'hour' : 'hours'}`
    : `${Math.abs(minutes)} minutes`
}

const getShift = ({ before, after }: Pick<ClockChange, 'before' | 'after'>): number =>
  offsetMinutes(after) - offsetMinutes(before)

/**
 * Explains a clock change within the range, whose days are sent in the offset at its start. Ranges that end in the future use
 * the current offset and need no note.
 * @param calls the calls of the page; a change that no two of them enclose isn't mentioned
 */
export function clockNote(
  { from, to }: ListQuery,
  zone: Zone,
  now: Date,
  calls?: readonly Pick<Call, 'at'>[],
): string | undefined {
  const today = localDay(zone, now)
  const isBetween = ({ at: change }: ClockChange) =>
    calls === undefined ||
    new Set(calls.flatMap(({ at }) => (isRaw(at) ? [] : [at.getTime() < change.getTime()]))).size > 1
  const inRange = rangeClockChanges(zone, { from, to }, now)
  const changes = inRange.filter(isBetween)
  if (changes.length === 0 || (to !== undefined && to > today)) return undefined
  const when = changes.map((change) => {
    const minutes = getShift(change)
    return `${minutes > 0 ? 'forward' : 'back'} ${formatShift(minutes)} on ${dayLabel(localDay(zone, change.at))}`
  })
  const shift = inRange.reduce((sum, change) => sum + getShift(change), 0)
  return `The clocks went ${when.join(' and ')}. Each call shows its local time.${edgeText(to, shift, today)}`
}

/** Says how the offset at the start of the range moves its end. Nothing moves if the range ends today. */
function edgeText(to: LocalDay | undefined, shift: number, today: LocalDay): string {
  if (to === undefined || to === today || shift === 0) return ''
  const length = formatShift(shift).replace(/^1 /, '')
  return shift < 0
    ? ` The last ${length} of ${shortDayLabel(to, today)} isn't included.`
    : ` The first ${length} of ${shortDayLabel(addDays(to, 1), today)} is included.`
}

/** Says how many calls were searched. */
export function foundNote({ read, total, cutAfterMs }: FoundCalls): string {
  if (cutAfterMs === undefined) return `Searched ${callCount(read)}.`
  const of = total === undefined || total <= read ? '' : ` of ${numberText(total)}`
  const seconds = Math.round(cutAfterMs / 1000)
  return `I checked the latest ${callCount(read, of)} in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}

/** Incoming records hold the number that was called, not the caller's. */
export function callerNote({ direction, status, number }: ListQuery): string | undefined {
  const isAsked = number !== undefined || status === 'missed'
  return isAsked && direction !== 'outgoing' ? callerUnknownText : undefined
}

/** Text of a list without calls. */
export function emptyListText(
  query: ListQuery,
  today: LocalDay,
  {
    lines = LineNames.none,
    found,
  }: { readonly lines?: LineNames; readonly found?: FoundCalls | undefined } = {},
): string {
  const named = withLineName(query, lines)
  const among = found && found.cutAfterMs === undefined ? ` among ${callCount(found.read)}` : ''
  const days = query.number === undefined ? undefined : countDaysToToday(query, today)
  if (days === undefined || days === 1) return noCallsText(named, among)
  return `${noneText(named)}${among} in the last ${days} days.`
}
