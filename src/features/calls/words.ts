import type { ResolvedFilters } from '../../grammar/filters.ts'
import { LineNames } from '../../telephony/lines.ts'
import {
  type Call,
  type CallPage,
  type CallStatus,
  type Direction,
  formatOrRaw,
  isRaw,
  lastPage,
  rowPositions,
} from '../../telephony/types.ts'
import { addDays, dayLabel, type LocalDay, rangeLabel, shortDayLabel, weekdayLabel } from '../../time/days.ts'
import { type OpenRange, rangeClockChanges } from '../../time/ranges.ts'
import { type ClockChange, localDay, offsetMinutes, type Zone, zoneLabel } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import type { FoundCalls } from './number-search.ts'
import { countDaysToToday, type ListQuery } from './query.ts'

/** Shown with missed calls, because people look for whom to call back. */
export const callerUnknownText = "The phone service doesn't record who called."

/** `2,544 calls`, `380 of 4,832 calls` */
export const callCount = (count: number, of = ''): string =>
  `${formatNumber(count)}${of} ${count === 1 && of === '' ? 'call' : 'calls'}`

export const isOneDay = ({ from, to }: OpenRange): boolean => from !== undefined && from === to

/** `missed calls`, `answered outgoing calls` */
export function callsText({ direction, status }: Pick<ResolvedFilters, 'direction' | 'status'>): string {
  const prefix = direction === undefined || direction === 'both' ? '' : `${direction} `
  if (status === undefined) return `${prefix}calls`
  if (status === 'answered') return `answered ${prefix}calls`
  return direction === 'outgoing' ? 'unanswered outgoing calls' : 'missed calls'
}

export const getAgentText = ({ agentId, agentName }: ResolvedFilters): string | undefined =>
  agentName || agentId

/** ` to Sales Berlin`, ` to +44 20 7946 0042`, ` to numbers with 0042` */
function calledText({ line, lineName, number }: ResolvedFilters): string {
  const name = lineName ?? line
  if (name !== undefined) return ` to ${name}`
  return number === undefined ? '' : ` to numbers with ${number}`
}

/** `missed calls for Anna Smith to numbers with 0042` */
function wholeText(query: ResolvedFilters): string {
  const agent = getAgentText(query)
  return `${callsText(query)}${agent === undefined ? '' : ` for ${agent}`}${calledText(query)}`
}

/**
 * `Fri 20 Nov 2026`, `9–15 Nov 2026`, `since 5 Nov 2026`; `undefined` for any day.
 * @param today shortens the text: `20 Nov`, `9–15 Nov`, `since 5 Nov`
 */
export function daysText({ from, to }: OpenRange, today?: LocalDay): string | undefined {
  const label = (day: LocalDay) => (today === undefined ? dayLabel(day) : shortDayLabel(day, today))
  if (from && from === to && today === undefined) return weekdayLabel(from)
  if (from && to) return rangeLabel({ from, to }, today)
  if (from) return `since ${label(from)}`
  return to && `until ${label(to)}`
}

/** `No missed calls on Fri 20 Nov 2026.`, `No missed calls among 258 calls yet.` */
export function noCallsText(query: ResolvedFilters, among = ''): string {
  const days = daysText(query)
  const isClosed = query.from !== undefined && query.to !== undefined
  const when = days === undefined ? 'yet' : isClosed ? `${isOneDay(query) ? 'on' : 'during'} ${days}` : days
  return `No ${wholeText(query)}${among} ${when}.`
}

export const resultLabel = (direction: Direction, status: CallStatus): string => {
  if (status === 'answered') return 'Answered'
  return direction === 'incoming' ? 'Missed' : 'No answer'
}

export const formatResult = ({ direction, status }: Pick<Call, 'direction' | 'status'>): string =>
  formatOrRaw(status, (known) => resultLabel(direction, known))

/** Names the line or the whole number that the searched digits stand for. */
const withLineName = (query: ListQuery, { getMeaning }: LineNames): ResolvedFilters => ({
  ...query,
  lineName: query.number && getMeaning(query.number),
})

/** `Missed calls`, `Anna Smith: incoming calls`, `Calls to +44 20 7946 0042`, `Calls to numbers with 0042` */
export function formatTitle(query: ListQuery, lines: LineNames): string {
  const agent = getAgentText(query)
  const text = `${callsText(query)}${calledText(withLineName(query, lines))}`
  return agent === undefined ? capitalize(text) : `${agent}: ${text}`
}

/** `21–40 of 2,544` */
function rowsText(page: CallPage): string {
  const { first, last } = rowPositions(page)
  const rows = first === last ? formatNumber(first) : `${formatNumber(first)}–${formatNumber(last)}`
  return page.total === undefined ? rows : `${rows} of ${formatNumber(page.total)}`
}

/** `All dates · Europe/Berlin (UTC+01:00)` */
export const describeDays = (query: ListQuery, zone: Zone, now: Date): string =>
  `${capitalize(daysText(query) ?? 'all dates')} · ${zoneLabel(zone, now)}`

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

/** `Page 2 of 128 · 21–40 of 2,544`; `undefined` for a single page. */
export function positionText(page: CallPage): string | undefined {
  const last = lastPage(page)
  if (last === 1) return undefined
  const of = last === undefined ? '' : ` of ${formatNumber(last)}`
  return `Page ${formatNumber(page.page)}${of} · ${rowsText(page)}`
}

/** `1 hour`, `30 minutes` */
function formatShift(minutes: number): string {
  const size = Math.abs(minutes)
  return size % 60 === 0 ? countNoun(size / 60, 'hour') : countNoun(size, 'minute')
}

const getShift = ({ before, after }: ClockChange): number => offsetMinutes(after) - offsetMinutes(before)

/**
 * A range is sent with the offset at its start. Ranges that end in the future use the current offset and need no note.
 * @param calls of the page, which must have calls before and after a change
 */
export function clockNote(
  { from, to }: ListQuery,
  zone: Zone,
  now: Date,
  calls?: readonly Pick<Call, 'at'>[],
): string | undefined {
  const today = localDay(zone, now)
  if (to && to > today) return undefined
  const inRange = rangeClockChanges(zone, { from, to }, now)
  const isOnPage = ({ at: change }: ClockChange) =>
    new Set(calls?.flatMap(({ at }) => (isRaw(at) ? [] : [at < change]))).size > 1
  const changes = calls ? inRange.filter(isOnPage) : inRange
  if (changes.length === 0) return undefined
  const when = changes.map((change) => {
    const minutes = getShift(change)
    return `${minutes > 0 ? 'forward' : 'back'} ${formatShift(minutes)} on ${dayLabel(localDay(zone, change.at))}`
  })
  const shift = inRange.reduce((sum, change) => sum + getShift(change), 0)
  return `The clocks went ${when.join(' and ')}. Each call shows its local time.${edgeText(to, shift, today)}`
}

/** Says what the offset at the start of the range removes from its end or adds to it, unless it ends today. */
function edgeText(to: LocalDay | undefined, shift: number, today: LocalDay): string {
  if (to === undefined || to === today || shift === 0) return ''
  const length = formatShift(shift).replace(/^1 /, '')
  return shift < 0
    ? ` The last ${length} of ${shortDayLabel(to, today)} isn't included.`
    : ` The first ${length} of ${shortDayLabel(addDays(to, 1), today)} is included.`
}

export function foundNote({ progress: { records, total = 0 }, timedOutAfterMs }: FoundCalls): string {
  if (timedOutAfterMs === undefined) return `Searched ${callCount(records)}.`
  const of = total > records ? ` of ${formatNumber(total)}` : ''
  const seconds = countNoun(Math.round(timedOutAfterMs / 1000), 'second')
  return `I checked the latest ${callCount(records, of)} in ${seconds}.`
}

export function callerNote({ direction, status, number }: ListQuery): string | undefined {
  const isAsked = number !== undefined || status === 'missed'
  return isAsked && direction !== 'outgoing' ? callerUnknownText : undefined
}

export function emptyListText(
  query: ListQuery,
  today: LocalDay,
  { lines = LineNames.none, found }: { lines?: LineNames; found?: FoundCalls | undefined } = {},
): string {
  const named = withLineName(query, lines)
  const isSearched = found && found.timedOutAfterMs === undefined
  const among = isSearched ? ` among ${callCount(found.progress.records)}` : ''
  const days = query.number === undefined ? undefined : countDaysToToday(query, today)
  if (days === undefined || days === 1) return noCallsText(named, among)
  return `No ${wholeText(named)}${among} in the last ${days} days.`
}
