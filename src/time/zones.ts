// formatInTimeZone would load 300 modules of date-fns and 16 MB.
import { toZonedTime } from 'date-fns-tz/toZonedTime'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { dayLabel, type LocalDay, pad2, utcDay } from './days.ts'

/** An IANA name in its canonical spelling, or a fixed offset `±HH:MM`. Only `parseZone` makes one. */
export type Zone = string & { readonly __brand: 'Zone' }

/** `±HH:MM`, as the service's `timezone` parameter takes it. */
export type UtcOffset = string & { readonly __brand: 'UtcOffset' }

/** Takes a tenth of the time of `Number(text.slice(at, at + 2))`. @param text has two digits there */
const readTwoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - 0x30) * 10 + (text.charCodeAt(at + 1) - 0x30)

/** Returns minutes east of UTC. */
export function parseOffset(offset: UtcOffset): number {
  const minutes = readTwoDigits(offset, 1) * 60 + readTwoDigits(offset, 4)
  return offset.startsWith('-') ? -minutes : minutes
}

export const isUtcOffset = (text: string): text is UtcOffset => /^[+-]\d\d:[0-5]\d$/.test(text)

/** @param minutes east of UTC @throws {RangeError} for 100 hours or more */
export function toUtcOffset(minutes: number): UtcOffset {
  const sign = minutes < 0 ? '-' : '+'
  const size = Math.abs(minutes)
  const offset = `${sign}${pad2(Math.trunc(size / 60))}:${pad2(size % 60)}`
  if (!isUtcOffset(offset)) throw new RangeError('not an offset of the form ±HH:MM')
  return offset
}

/** Returns `undefined` for a day that doesn't exist, or 24:00. @param wall `2026-11-05T14:03:22`, minutes and seconds below 60 */
export function toInstant(wall: string, offset: UtcOffset): Date | undefined {
  const year = readTwoDigits(wall, 0) * 100 + readTwoDigits(wall, 2)
  const month = readTwoDigits(wall, 5)
  const day = readTwoDigits(wall, 8)
  const shown = new Date(
    Date.UTC(year, month - 1, day, readTwoDigits(wall, 11), readTwoDigits(wall, 14), readTwoDigits(wall, 17)),
  )
  // `Date` turns 31 April into 1 May, and 24:00 into the next day. The year 99 would be 1999: times have years from 1000 on.
  if (shown.getUTCDate() !== day || shown.getUTCMonth() !== month - 1) return undefined
  return new Date(shown.getTime() - parseOffset(offset) * minuteMs)
}

/** Uncached. Cuts off the seconds that a few offsets had before 1972. @throws {RangeError} for an invalid date */
function readOffsetMinutes(zone: Zone, instant: EpochMs): number {
  // The result's own getters show the zone's clock, because the process runs in UTC.
  const wall = toZonedTime(new Date(instant), zone).getTime()
  if (Number.isNaN(wall)) throw new RangeError('an invalid date')
  return Math.trunc((wall - instant) / minuteMs)
}

/** Since 1950, no zone has changed its offset twice within 6.9 days, nor will one by today's rules (Gaza, October 2040). */
const PROBE_INTERVAL_MS: Milliseconds = 6 * dayMs
const SECOND_MS: Milliseconds = 1000

const toIntervalIndex = (instant: EpochMs): number => Math.floor(instant / PROBE_INTERVAL_MS)

/** Offsets of a probe interval, in minutes east of UTC. The clocks change at most once in it. */
interface IntervalOffsets {
  readonly before: number
  /** First instant of `after`; `Infinity` if the clocks don't change. */
  readonly at: EpochMs
  readonly after: number
}

/** Finds the first whole second in `(low, high]` with this offset. */
function findFirstInstant(zone: Zone, offset: number, low: EpochMs, high: EpochMs): EpochMs {
  let lowSecond = low / SECOND_MS
  let highSecond = high / SECOND_MS
  while (highSecond - lowSecond > 1) {
    const middle = Math.floor((lowSecond + highSecond) / 2)
    if (readOffsetMinutes(zone, middle * SECOND_MS) === offset) highSecond = middle
    else lowSecond = middle
  }
  return highSecond * SECOND_MS
}

/** By zone and index of the interval. Reading an offset takes 4.3 µs, and a page of calls asks for it 20 times. */
const cachedOffsets = new Map<Zone, Map<number, IntervalOffsets>>()
const MAX_INTERVALS_PER_ZONE = 200

function getIntervalOffsets(zone: Zone, index: number): IntervalOffsets {
  const zoneOffsets = cachedOffsets.get(zone) ?? new Map<number, IntervalOffsets>()
  const cached = zoneOffsets.get(index)
  if (cached !== undefined) return cached
  cachedOffsets.set(zone, zoneOffsets)
  const start = index * PROBE_INTERVAL_MS
  const end = start + PROBE_INTERVAL_MS
  const before = readOffsetMinutes(zone, start)
  const after = readOffsetMinutes(zone, end)
  const at = before === after ? Infinity : findFirstInstant(zone, after, start, end)
  if (zoneOffsets.size === MAX_INTERVALS_PER_ZONE) zoneOffsets.clear()
  zoneOffsets.set(index, { before, at, after })
  return { before, at, after }
}

/** @throws {RangeError} for an invalid date */
function getOffsetMinutes(zone: Zone, instant: EpochMs): number {
  if (isUtcOffset(zone)) return parseOffset(zone)
  const { before, at, after } = getIntervalOffsets(zone, toIntervalIndex(instant))
  return instant < at ? before : after
}

/** @throws {RangeError} for an invalid date */
export const offsetAt = (zone: Zone, date: Date): UtcOffset =>
  toUtcOffset(getOffsetMinutes(zone, date.getTime()))

/** Returns the clock changes in `(from, to]`. */
export function findClockChanges(zone: Zone, from: Date, to: Date): readonly IntervalOffsets[] {
  if (isUtcOffset(zone)) return []
  const changes: IntervalOffsets[] = []
  const last = toIntervalIndex(to.getTime())
  for (let index = toIntervalIndex(from.getTime()); index <= last; index += 1) {
    const offsets = getIntervalOffsets(zone, index)
    const hasChange = offsets.at > from.getTime() && offsets.at <= to.getTime()
    if (hasChange) changes.push(offsets)
  }
  return changes
}

/** `2026-11-05 14:03:22`. @throws {RangeError} for an invalid date */
export function utcText(instant: EpochMs): string {
  const at = new Date(instant)
  const time = `${pad2(at.getUTCHours())}:${pad2(at.getUTCMinutes())}:${pad2(at.getUTCSeconds())}`
  return `${utcDay(at)} ${time}`
}

/** Returns the instant at which UTC's clock shows what the zone's clock shows at `instant`. */
const toWallMs = (zone: Zone, instant: Date): EpochMs =>
  instant.getTime() + getOffsetMinutes(zone, instant.getTime()) * minuteMs

/** `2026-11-05 14:03:22`. @throws {RangeError} for an invalid date */
export const localDateTime = (zone: Zone, instant: Date): string => utcText(toWallMs(zone, instant))

/** `14:03`. @throws {RangeError} for an invalid date */
export const localTime = (zone: Zone, instant: Date): string => localDateTime(zone, instant).slice(11, 16)

/** @throws {RangeError} for an invalid date */
export const localDay = (zone: Zone, instant: Date): LocalDay => utcDay(new Date(toWallMs(zone, instant)))

/** Returns the instant at which clocks show 00:00. @param offset in minutes east of UTC */
export const midnightIn = (offset: number, day: LocalDay): EpochMs => Date.parse(day) - offset * minuteMs

/** May be after 00:00, which clocks can skip. A day that a zone left out (Apia, 30 December 2011) starts with the next one. */
export function startOfDay(zone: Zone, day: LocalDay): Date {
  const utcMidnight = Date.parse(day)
  // Zones are between UTC+14 and UTC-12, so each has its midnight within these hours, with one clock change at most.
  const earliest = new Date(utcMidnight - 14 * hourMs)
  const latest = new Date(utcMidnight + 12 * hourMs)
  const [change] = findClockChanges(zone, earliest, latest)
  if (!change) return new Date(midnightIn(getOffsetMinutes(zone, utcMidnight), day))
  const { before, at, after } = change
  const midnightByOldOffset = midnightIn(before, day)
  if (midnightByOldOffset < at) return new Date(midnightByOldOffset)
  // The clocks changed before midnight or skipped it. If they skipped it, the day starts with the change.
  return new Date(Math.max(at, midnightIn(after, day)))
}

/** `Europe/Berlin (UTC+01:00)`, with the offset at `instant`; `UTC+05:30` for a fixed offset; `UTC`. */
export function zoneLabel(zone: Zone, instant: Date): string {
  if (zone === 'UTC' || zone === '+00:00') return 'UTC'
  if (isUtcOffset(zone)) return `UTC${zone}`
  return `${zone} (UTC${offsetAt(zone, instant)})`
}

/** `15 Dec, 09:00`, with the year if it isn't that of `today`. @param time `HH:MM` */
export const dayTimeLabel = (day: LocalDay, time: string, today: LocalDay): string =>
  `${dayLabel(day, today)}, ${time}`

export const instantLabel = (zone: Zone, instant: Date, now: Date): string =>
  dayTimeLabel(localDay(zone, instant), localTime(zone, instant), localDay(zone, now))

/** `09:00` today; otherwise like `instantLabel`. */
export function recentLabel(zone: Zone, instant: Date, now: Date): string {
  if (localDay(zone, instant) === localDay(zone, now)) return localTime(zone, instant)
  return instantLabel(zone, instant, now)
}
