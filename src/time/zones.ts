import { dayMs, type EpochMs, type Milliseconds } from '../util/units.ts'
import { addDays, two, utcDay, utcDayText } from './days.ts'
import { isUtcOffset, MINUTE, spanAt, spansBetween } from './offsets.ts'
import type { LocalDay, UtcOffset, Zone } from './types.ts'

/** A zone going over to another offset: daylight saving time, or a government's decision. */
export interface ClockChange {
  readonly at: Date
  readonly before: UtcOffset
  readonly after: UtcOffset
}

const HOUR: Milliseconds = 60 * MINUTE
const LONGEST_SCAN: Milliseconds = 20 * 366 * 24 * HOUR

/** @throws {RangeError} for an invalid date, as everything here does */
export function offsetAt(zone: Zone, instant: Date): UtcOffset {
  return spanAt(zone, instant.getTime()).offset
}

const twoDigits = Array.from({ length: 60 }, (_, count) => two(count))

/** `2026-11-05 14:03:22`, as a UTC clock shows it. */
export function utcText(instant: EpochMs): string {
  const day = utcDayText(instant)
  const seconds = Math.floor((instant - Math.floor(instant / dayMs) * dayMs) / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${day} ${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
}

/** `2026-11-05 14:03:22`: what clocks in the zone show at that instant. */
export function wallTime(zone: Zone, instant: Date): string {
  const time = instant.getTime()
  return utcText(time + spanAt(zone, time).offsetMs)
}

export function localDay(zone: Zone, instant: Date): LocalDay {
  const time = instant.getTime()
  return utcDay(new Date(time + spanAt(zone, time).offsetMs))
}

/**
 * The first instant of the day: later than 00:00 where the clocks skip midnight. A day that a zone
 * left out altogether (Apia, 30 December 2011) starts, and ends, where the next one starts.
 */
export function startOfDay(zone: Zone, day: LocalDay): Date {
  const midnight = Date.parse(day)
  let start: EpochMs = Infinity
  for (const span of spansBetween(zone, midnight - 14 * HOUR, midnight + 12 * HOUR)) {
    if (start < span.start) break
    start = Math.max(span.start, midnight - span.offsetMs)
  }
  return new Date(start)
}

export const endOfDay = (zone: Zone, day: LocalDay): Date => startOfDay(zone, addDays(day, 1))

/** The changes in `(from, to]`, in order; of a range longer than 20 years, those of its first 20. */
export function clockChanges(zone: Zone, from: Date, to: Date): readonly ClockChange[] {
  const start = from.getTime()
  let [before, ...later] = spansBetween(zone, start, Math.min(to.getTime(), start + LONGEST_SCAN))
  return later.map((span) => {
    const change = { at: new Date(span.start), before: before.offset, after: span.offset }
    before = span
    return change
  })
}

/** `Europe/Berlin (UTC+01:00)`, with the offset at `instant`; `UTC+05:30` for a fixed offset; `UTC`. */
export function zoneLabel(zone: Zone, instant: Date): string {
  const offset = offsetAt(zone, instant)
  const name: string = zone
  if (name === 'UTC' || name === '+00:00') return 'UTC'
  return isUtcOffset(name) ? `UTC${offset}` : `${zone} (UTC${offset})`
}
