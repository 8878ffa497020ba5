import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { addDays, utcDay } from './days.ts'
import { findChanges, getOffset, isUtcOffset, minutesAt } from './offsets.ts'
import type { LocalDay, UtcOffset, Zone } from './types.ts'

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
