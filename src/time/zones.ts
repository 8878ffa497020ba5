// formatInTimeZone would load 300 modules of date-fns and 16 MB.
import { toZonedTime } from 'date-fns-tz/toZonedTime'
import { formatNumber } from '../util/text.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { addDays, type LocalDay, pad2, shortDayLabel, utcDay } from './days.ts'

/** An IANA name in its canonical spelling, or a fixed offset `±HH:MM`. Only `parseZone` makes one. */
export type Zone = string & { readonly __brand: 'Zone' }

/** `±HH:MM`, as the service's `timezone` parameter takes it. */
export type UtcOffset = string & { readonly __brand: 'UtcOffset' }

const SECOND_MS: Milliseconds = 1000

export function offsetMinutes(offset: UtcOffset): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}

export const isUtcOffset = (text: string): text is UtcOffset => /^[+-]\d\d:[0-5]\d$/.test(text)

/** @throws {RangeError} unless the text is `±HH:MM` */
export function utcOffset(text: string): UtcOffset {
  if (!isUtcOffset(text)) throw new RangeError('not an offset of the form ±HH:MM')
  return text
}

/** @param minutes east of UTC */
export function toUtcOffset(minutes: number): UtcOffset {
  const whole = Math.abs(minutes)
  return utcOffset(`${minutes < 0 ? '-' : '+'}${pad2(Math.trunc(whole / 60))}:${pad2(whole % 60)}`)
}

/** Returns `undefined` for a time that no clock shows (30 February, 25:00). @param wall `2026-11-05T14:03:22` */
export function toInstant(wall: string, offset: UtcOffset): Date | undefined {
  const ms = Date.parse(`${wall}Z`)
  // `Date` turns 31 April into 1 May.
  const isReal = new Date(ms).getUTCDate() === Number(wall.slice(8, 10))
  return isReal ? new Date(ms - offsetMinutes(offset) * minuteMs) : undefined
}

/** Cuts off the seconds that a few offsets had before 1972. @throws {RangeError} for an invalid date */
function readOffset(zone: Zone, instant: EpochMs): UtcOffset {
  // The result's own getters show the zone's clock, because the process runs in UTC.
  const wall = toZonedTime(new Date(instant), zone).getTime()
  return toUtcOffset(Math.trunc((wall - instant) / minuteMs))
}

/** Since 1950, no zone has changed its offset twice within 6.9 days, nor will one by today's rules (Gaza, October 2040). */
const PROBE_INTERVAL_MS: Milliseconds = 6 * dayMs

/** Offsets by zone and probe interval, unless the clocks change in it. Without them, a command takes 18 % more CPU. */
const offsets = new Map<string, UtcOffset>()
const MAX_OFFSETS = 5000
/** Most calls of a list are in the same interval. */
let latest: { readonly zone: Zone; readonly index: number; readonly offset: UtcOffset } | undefined

function getOffset(zone: Zone, instant: EpochMs): UtcOffset {
  const index = Math.floor(instant / PROBE_INTERVAL_MS)
  if (latest?.index === index && latest.zone === zone) return latest.offset
  if (isUtcOffset(zone)) return zone
  const key = `${zone} ${index}`
  const known = offsets.get(key)
  if (known !== undefined) {
    latest = { zone, index, offset: known }
    return known
  }
  const offset = readOffset(zone, instant)
  const [start, end] = [index, index + 1].map((at) => readOffset(zone, at * PROBE_INTERVAL_MS))
  if (start !== end) return offset
  if (offsets.size >= MAX_OFFSETS) offsets.clear()
  offsets.set(key, offset)
  return offset
}

/** @throws {RangeError} for an invalid date */
export const offsetAt = (zone: Zone, date: Date): UtcOffset => getOffset(zone, date.getTime())

export interface ClockChange {
  readonly at: Date
  readonly before: UtcOffset
  readonly after: UtcOffset
}

const MAX_SCAN_MS: Milliseconds = 20 * 366 * dayMs

/** Returns the changes in `(from, to]`, up to 20 years after `from`. */
export function clockChanges(zone: Zone, from: Date, to: Date): readonly ClockChange[] {
  const end = Math.min(to.getTime(), from.getTime() + MAX_SCAN_MS)
  const changes: ClockChange[] = []
  for (let low = from.getTime(); low < end; low += PROBE_INTERVAL_MS) {
    const high = Math.min(low + PROBE_INTERVAL_MS, end)
    const [before, after] = [getOffset(zone, low), getOffset(zone, high)]
    if (before !== after) changes.push({ at: findFirst(zone, after, low, high), before, after })
  }
  return changes
}

/** Finds the first whole second in `(low, high]` with this offset. */
function findFirst(zone: Zone, offset: UtcOffset, low: EpochMs, high: EpochMs): Date {
  let [before, after] = [Math.floor(low / SECOND_MS), Math.ceil(high / SECOND_MS)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (getOffset(zone, middle * SECOND_MS) === offset) after = middle
    else before = middle
  }
  return new Date(after * SECOND_MS)
}

/** `2026-11-05 14:03:22` */
export const utcText = (instant: EpochMs): string =>
  new Date(instant).toISOString().slice(0, -5).replace('T', ' ')

const shift = (zone: Zone, instant: Date): EpochMs =>
  instant.getTime() + offsetMinutes(offsetAt(zone, instant)) * minuteMs

/** `2026-11-05 14:03:22`. @throws {RangeError} for an invalid date */
export const wallTime = (zone: Zone, instant: Date): string => utcText(shift(zone, instant))

/** @throws {RangeError} for an invalid date */
export const localDay = (zone: Zone, instant: Date): LocalDay => utcDay(new Date(shift(zone, instant)))

/** May be after 00:00, which clocks can skip. A day that a zone left out (Apia, 30 December 2011) starts with the next one. */
export function startOfDay(zone: Zone, day: LocalDay): Date {
  const midnight = Date.parse(day)
  const [first, last] = [new Date(midnight - 14 * hourMs), new Date(midnight + 12 * hourMs)]
  let start: EpochMs = Infinity
  for (const at of [first, ...clockChanges(zone, first, last).map((change) => change.at)]) {
    // The day starts at midnight by the offset that begins at `at`, unless it started before or that offset begins later.
    if (start < at.getTime()) break
    start = Math.max(at.getTime(), midnight - offsetMinutes(offsetAt(zone, at)) * minuteMs)
  }
  return new Date(start)
}

export const endOfDay = (zone: Zone, day: LocalDay): Date => startOfDay(zone, addDays(day, 1))

/** `Europe/Berlin (UTC+01:00)`, with the offset at `instant`; `UTC+05:30` for a fixed offset; `UTC`. */
export function zoneLabel(zone: Zone, instant: Date): string {
  if (zone === 'UTC' || zone === '+00:00') return 'UTC'
  return isUtcOffset(zone) ? `UTC${zone}` : `${zone} (UTC${offsetAt(zone, instant)})`
}

/** `15 Dec, 09:00`, with the year if it isn't that of `today`. @param time `HH:MM` */
export const dayTimeLabel = (day: LocalDay, time: string, today: LocalDay): string =>
  `${shortDayLabel(day, today)}, ${time}`

const timeIn = (zone: Zone, instant: Date) => wallTime(zone, instant).slice(11, 16)

export const instantLabel = (zone: Zone, instant: Date, now: Date): string =>
  dayTimeLabel(localDay(zone, instant), timeIn(zone, instant), localDay(zone, now))

/** `09:00` today; otherwise like `instantLabel`. */
export const recentLabel = (zone: Zone, instant: Date, now: Date): string =>
  localDay(zone, instant) === localDay(zone, now) ? timeIn(zone, instant) : instantLabel(zone, instant, now)

/** `less than a minute`, `18 min`, `3 h 12 min`, `2 d 4 h` */
export function durationText(ms: Milliseconds): string {
  const minutes = Math.floor(ms / minuteMs)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  const units: Record<string, number> = days > 0 ? { d: days, h: hours } : { h: hours, min: rest }
  const parts = Object.entries(units).flatMap(([unit, count]) => (count > 0 ? [`${count} ${unit}`] : []))
  return parts.join(' ') || 'less than a minute'
}

/** `1:28`, `2:15:20`, `1,203:00:07` */
export function lengthText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${formatNumber(hours)}:${pad2(minutes)}:${pad2(rest)}` : `${minutes}:${pad2(rest)}`
}
