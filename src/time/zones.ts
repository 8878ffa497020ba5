import { tzOffset } from '@date-fns/tz/tzOffset'
// formatInTimeZone would load 300 modules of date-fns and 16 MB.
import { toZonedTime } from 'date-fns-tz/toZonedTime'
import { createCache } from '../util/cache.ts'
import { formatNumber } from '../util/text.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { addDays, type LocalDay, pad2, shortDayLabel, utcDay } from './days.ts'

/** A zone that this runtime knows: an IANA name in its canonical spelling, or a fixed offset `±HH:MM`. Made by `parseZone` alone. */
export type Zone = string & { readonly __brand: 'Zone' }

/** `±HH:MM`, as the service's `timezone` parameter takes it. */
export type UtcOffset = string & { readonly __brand: 'UtcOffset' }

const SECOND: Milliseconds = 1000
// No zone has changed its offset twice within 6.9 days since 1950, and no rule for the years to come does so (Gaza,
// October 2040), so probes 6 days apart see every change.
const PROBE_INTERVAL = 6 * dayMs

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

/** Formats minutes east of UTC as `±HH:MM`. Cuts off seconds, which offsets had before standard time. */
export function toUtcOffset(minutes: number): UtcOffset {
  const whole = Math.trunc(Math.abs(minutes))
  return utcOffset(
    `${minutes < 0 && whole > 0 ? '-' : '+'}${pad2(Math.trunc(whole / 60))}:${pad2(whole % 60)}`,
  )
}

/** Returns `undefined` for a time that no clock shows (30 February, 25:00). @param wall `2026-11-05T14:03:22` */
export function toInstant(wall: string, offset: UtcOffset): Date | undefined {
  const ms = Date.parse(`${wall}Z`)
  // `Date` turns 31 April into 1 May.
  const isReal = new Date(ms).getUTCDate() === Number(wall.slice(8, 10))
  return isReal ? new Date(ms - offsetMinutes(offset) * minuteMs) : undefined
}

interface Offset {
  readonly minutes: number
  readonly text: UtcOffset
}

// Offsets of whole probe intervals in which a zone's clocks don't change. A command is 15 % slower without them.
const intervals = createCache<Offset>({ max: 2000 })
/** The interval of the last call: most calls of a list lie in the same one. */
let latest: { readonly zone: Zone; readonly index: number; readonly offset: Offset } | undefined

/** Returns the zone's offset, without its seconds. @throws {RangeError} for an invalid date */
function getOffset(zone: Zone, instant: EpochMs): Offset {
  if (Number.isNaN(instant)) throw new RangeError('an invalid date has no offset')
  if (isUtcOffset(zone)) return { minutes: offsetMinutes(zone), text: zone }
  const index = Math.floor(instant / PROBE_INTERVAL)
  if (latest?.index === index && latest.zone === zone) return latest.offset
  const key = `${zone} ${index}`
  const cached = intervals.get(key)
  const offset = cached ?? readOffset(zone, instant)
  const [start, end] = [index * PROBE_INTERVAL, (index + 1) * PROBE_INTERVAL]
  if (!cached && readMinutes(zone, start) !== readMinutes(zone, end)) return offset
  intervals.set(key, offset)
  latest = { zone, index, offset }
  return offset
}

const readMinutes = (zone: Zone, instant: EpochMs) => Math.trunc(tzOffset(zone, new Date(instant)))

function readOffset(zone: Zone, instant: EpochMs): Offset {
  // These getters return the wall time in the zone; the getters for UTC depend on the host's zone.
  const local = toZonedTime(new Date(instant), zone)
  const day = [local.getFullYear(), local.getMonth(), local.getDate()] as const
  const wall = Date.UTC(...day, local.getHours(), local.getMinutes(), local.getSeconds())
  const text = toUtcOffset((wall - Math.floor(instant / SECOND) * SECOND) / minuteMs)
  return { minutes: readMinutes(zone, instant), text }
}

/** Returns the zone's offset in whole minutes. @throws {RangeError} for an invalid date */
const minutesAt = (zone: Zone, instant: EpochMs): number => getOffset(zone, instant).minutes

/** Returns the instants in `(from, to]` at which the zone's offset changes, in order. */
function findChanges(zone: Zone, from: EpochMs, to: EpochMs): readonly EpochMs[] {
  if (isUtcOffset(zone)) return []
  const changes: EpochMs[] = []
  for (let low = from; low < to; low += PROBE_INTERVAL) {
    const high = Math.min(low + PROBE_INTERVAL, to)
    const after = minutesAt(zone, high)
    if (after !== minutesAt(zone, low)) changes.push(firstSecond(zone, after, low, high))
  }
  return changes
}

/** Finds the first whole second in `(low, high]` with this offset, by bisection. */
function firstSecond(zone: Zone, minutes: number, low: EpochMs, high: EpochMs): EpochMs {
  let [before, after] = [Math.floor(low / SECOND), Math.ceil(high / SECOND)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (minutesAt(zone, middle * SECOND) === minutes) after = middle
    else before = middle
  }
  return after * SECOND
}

/** The start or end of daylight saving time, or a new law. */
export interface ClockChange {
  readonly at: Date
  readonly before: UtcOffset
  readonly after: UtcOffset
}

const MAX_SCAN: Milliseconds = 20 * 366 * dayMs

/** @throws {RangeError} for an invalid date */
export const offsetAt = (zone: Zone, date: Date): UtcOffset => getOffset(zone, date.getTime()).text

/** `2026-11-05 14:03:22`, as a UTC clock shows it. */
export const utcText = (instant: EpochMs): string =>
  new Date(instant).toISOString().slice(0, -5).replace('T', ' ')

const shift = (zone: Zone, instant: EpochMs): EpochMs => instant + minutesAt(zone, instant) * minuteMs

/** `2026-11-05 14:03:22`, as a clock in the zone shows it. @throws {RangeError} for an invalid date */
export const wallTime = (zone: Zone, instant: Date): string => utcText(shift(zone, instant.getTime()))

/** @throws {RangeError} for an invalid date */
export const localDay = (zone: Zone, instant: Date): LocalDay =>
  utcDay(new Date(shift(zone, instant.getTime())))

/**
 * Returns the first instant of the day, which is later than 00:00 if the clocks skip midnight. A day that a zone left
 * out (Apia, 30 December 2011) starts and ends where the next one starts.
 */
export function startOfDay(zone: Zone, day: LocalDay): Date {
  const midnight = Date.parse(day)
  const [first, last] = [midnight - 14 * hourMs, midnight + 12 * hourMs]
  let start: EpochMs = Infinity
  for (const at of [first, ...findChanges(zone, first, last)]) {
    if (start < at) break
    start = Math.max(at, midnight - minutesAt(zone, at) * minuteMs)
  }
  return new Date(start)
}

export const endOfDay = (zone: Zone, day: LocalDay): Date => startOfDay(zone, addDays(day, 1))

/** Returns the changes in `(from, to]`, in order; of a range longer than 20 years, those of its first 20. */
export function clockChanges(zone: Zone, from: Date, to: Date): readonly ClockChange[] {
  const start = from.getTime()
  const end = Math.min(to.getTime(), start + MAX_SCAN)
  const changes = findChanges(zone, start, end).map((at) => ({
    at: new Date(at),
    before: offsetAt(zone, new Date(at - 1)),
    after: offsetAt(zone, new Date(at)),
  }))
  return changes.filter(({ before, after }) => before !== after)
}

/** `Europe/Berlin (UTC+01:00)`, with the offset at `instant`; `UTC+05:30` for a fixed offset; `UTC`. */
export function zoneLabel(zone: Zone, instant: Date): string {
  const offset = offsetAt(zone, instant)
  const name: string = zone
  if (name === 'UTC' || name === '+00:00') return 'UTC'
  return isUtcOffset(name) ? `UTC${offset}` : `${zone} (UTC${offset})`
}

/** `15 Dec, 09:00`, with the year if it isn't that of `today`. @param time `HH:MM` */
export const dayTimeLabel = (day: LocalDay, time: string, today: LocalDay): string =>
  `${shortDayLabel(day, today)}, ${time}`

const timeIn = (zone: Zone, instant: Date) => wallTime(zone, instant).slice(11, 16)

/** Formats an instant in the zone like `dayTimeLabel`. */
export const instantLabel = (zone: Zone, instant: Date, now: Date): string =>
  dayTimeLabel(localDay(zone, instant), timeIn(zone, instant), localDay(zone, now))

/** `09:00` today; otherwise like `instantLabel`. */
export const recentLabel = (zone: Zone, instant: Date, now: Date): string =>
  localDay(zone, instant) === localDay(zone, now) ? timeIn(zone, instant) : instantLabel(zone, instant, now)

/** Formats a duration to the minute: `less than a minute`, `18 min`, `3 h 12 min`, `2 d 4 h`. */
export function durationText(ms: Milliseconds): string {
  const minutes = Math.floor(ms / minuteMs)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (minutes < 1) return 'less than a minute'
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`
  return `${rest} min`
}

/** Formats the length of calls: `1:28`, `2:15:20`, `1,203:00:07`. */
export function lengthText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${formatNumber(hours)}:${pad2(minutes)}:${pad2(rest)}` : `${minutes}:${pad2(rest)}`
}
