// formatInTimeZone would load 300 modules of date-fns and 16 MB.
import { toZonedTime } from 'date-fns-tz/toZonedTime'
import { createCache } from '../util/cache.ts'
import { formatNumber } from '../util/text.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { dayLabel, type LocalDay, pad2, utcDay } from './days.ts'

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
  const shown = new Date(`${wall}Z`)
  // `Date` turns 31 April into 1 May, and 24:00 into the next day.
  if (shown.getUTCDate() !== Number(wall.slice(8, 10))) return undefined
  return new Date(shown.getTime() - offsetMinutes(offset) * minuteMs)
}

/** Cuts off the seconds that a few offsets had before 1972. @throws {RangeError} for an invalid date */
function readOffset(zone: Zone, instant: EpochMs): number {
  // The result's own getters show the zone's clock, because the process runs in UTC.
  const wall = toZonedTime(new Date(instant), zone).getTime()
  if (Number.isNaN(wall)) throw new RangeError('an invalid date')
  return Math.trunc((wall - instant) / minuteMs)
}

/** Since 1950, no zone has changed its offset twice within 6.9 days, nor will one by today's rules (Gaza, October 2040). */
const PROBE_INTERVAL_MS: Milliseconds = 6 * dayMs

/** Offsets in a probe interval, in which the clocks change at most once. */
interface ClockChange {
  /** Minutes east of UTC. */
  readonly before: number
  /** First instant of `after`; `Infinity` without a change. */
  readonly at: EpochMs
  readonly after: number
}

/** By zone and probe interval. Reading an offset takes 4.3 µs, and a page of calls asks for it 40 times. */
const cachedOffsets = createCache<ClockChange>({ max: 5000 })

function getOffsets(zone: Zone, interval: number): ClockChange {
  const key = `${zone} ${interval}`
  const cached = cachedOffsets.get(key)
  if (cached !== undefined) return cached
  const start = interval * PROBE_INTERVAL_MS
  const end = start + PROBE_INTERVAL_MS
  const before = readOffset(zone, start)
  const after = readOffset(zone, end)
  const at = before === after ? Infinity : findFirst(zone, after, start, end)
  cachedOffsets.set(key, { before, at, after })
  return { before, at, after }
}

/** @throws {RangeError} for an invalid date */
function getOffsetMinutes(zone: Zone, instant: EpochMs): number {
  if (isUtcOffset(zone)) return offsetMinutes(zone)
  const { before, at, after } = getOffsets(zone, Math.floor(instant / PROBE_INTERVAL_MS))
  return instant < at ? before : after
}

/** @throws {RangeError} for an invalid date */
export const offsetAt = (zone: Zone, date: Date): UtcOffset =>
  toUtcOffset(getOffsetMinutes(zone, date.getTime()))

/** 20 years. */
const MAX_SCAN_MS: Milliseconds = 20 * 366 * dayMs

/** Returns the changes in `(from, to]`, up to `MAX_SCAN_MS` after `from`. */
export function clockChanges(zone: Zone, from: Date, to: Date): readonly ClockChange[] {
  if (isUtcOffset(zone)) return []
  const start = from.getTime()
  const end = Math.min(to.getTime(), start + MAX_SCAN_MS)
  const changes: ClockChange[] = []
  const last = Math.floor(end / PROBE_INTERVAL_MS)
  for (let interval = Math.floor(start / PROBE_INTERVAL_MS); interval <= last; interval += 1) {
    const change = getOffsets(zone, interval)
    if (change.at > start && change.at <= end) changes.push(change)
  }
  return changes
}

/** Finds the first whole second in `(low, high]` with this offset. */
function findFirst(zone: Zone, minutes: number, low: EpochMs, high: EpochMs): EpochMs {
  let before = low / SECOND_MS
  let after = high / SECOND_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (readOffset(zone, middle * SECOND_MS) === minutes) after = middle
    else before = middle
  }
  return after * SECOND_MS
}

/** `2026-11-05 14:03:22`. @throws {RangeError} for an invalid date */
export const utcText = (instant: EpochMs): string =>
  new Date(instant).toISOString().slice(0, 19).replace('T', ' ')

const shift = (zone: Zone, instant: Date): EpochMs =>
  instant.getTime() + getOffsetMinutes(zone, instant.getTime()) * minuteMs

/** `2026-11-05 14:03:22`. @throws {RangeError} for an invalid date */
export const wallTime = (zone: Zone, instant: Date): string => utcText(shift(zone, instant))

/** `14:03`. @throws {RangeError} for an invalid date */
export const localTime = (zone: Zone, instant: Date): string => wallTime(zone, instant).slice(11, 16)

/** @throws {RangeError} for an invalid date */
export const localDay = (zone: Zone, instant: Date): LocalDay => utcDay(new Date(shift(zone, instant)))

/** Returns the instant at which clocks show 00:00. @param offset in minutes east of UTC */
export const midnightIn = (offset: number, day: LocalDay): EpochMs => Date.parse(day) - offset * minuteMs

/** May be after 00:00, which clocks can skip. A day that a zone left out (Apia, 30 December 2011) starts with the next one. */
export function startOfDay(zone: Zone, day: LocalDay): Date {
  const midnight = Date.parse(day)
  const [change] = clockChanges(zone, new Date(midnight - 14 * hourMs), new Date(midnight + 12 * hourMs))
  if (!change) return new Date(midnightIn(getOffsetMinutes(zone, midnight), day))
  const { before, at, after } = change
  const midnightBefore = midnightIn(before, day)
  if (midnightBefore < at) return new Date(midnightBefore)
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
export const recentLabel = (zone: Zone, instant: Date, now: Date): string =>
  localDay(zone, instant) === localDay(zone, now)
    ? localTime(zone, instant)
    : instantLabel(zone, instant, now)

/** `less than a minute`, `18 min`, `3 h 12 min`, `2 d 4 h` */
export function durationText(ms: Milliseconds): string {
  const days = Math.floor(ms / dayMs)
  const hours = Math.floor(ms / hourMs) % 24
  const minutes = Math.floor(ms / minuteMs) % 60
  const parts: string[] = []
  if (days > 0) parts.push(`${days} d`)
  if (hours > 0) parts.push(`${hours} h`)
  if (minutes > 0 && days <= 0) parts.push(`${minutes} min`)
  return parts.join(' ') || 'less than a minute'
}

/** `1:28`, `2:15:20`, `1,203:00:07` */
export function lengthText(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = pad2(seconds % 60)
  if (hours > 0) return `${formatNumber(hours)}:${pad2(minutes)}:${rest}`
  return `${minutes}:${rest}`
}
