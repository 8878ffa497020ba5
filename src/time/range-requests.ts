import { type EpochMs, minuteMs } from '../util/units.ts'
import { addDays, type DayRange, type LocalDay, utcDay } from './days.ts'
import type { OpenRange } from './ranges.ts'
import * as zones from './zones.ts'

/** A range of local days. The service takes one offset for all days, so after a clock change those to request may differ. */
export interface RangeRequest {
  /** `-Infinity` without a first day. */
  readonly start: EpochMs
  /** The first instant after the range; `Infinity` without a last day. */
  readonly end: EpochMs
  /** Days in the offset, which hold all calls of the range. */
  readonly requestedDays: OpenRange & { readonly offset: zones.UtcOffset }
  /** False if the requested days also hold calls of other days. */
  readonly isExact: boolean
}

/** Returns the offset in which the day starts at the instant. It may not be the zone's: clocks can skip midnight. */
const offsetOfMidnight = (day: LocalDay, instant: EpochMs): zones.UtcOffset =>
  zones.toUtcOffset((Date.parse(day) - instant) / minuteMs)

export function toRangeRequest(zone: zones.Zone, { from, to }: OpenRange, now: Date): RangeRequest {
  const start = from === undefined ? -Infinity : zones.startOfDay(zone, from).getTime()
  const end = to === undefined ? Infinity : zones.startOfDay(zone, addDays(to, 1)).getTime()
  if (from !== undefined && to !== undefined) return toClosedRequest({ from, to }, { start, end }, now)
  let offset: zones.UtcOffset
  if (from !== undefined) offset = offsetOfMidnight(from, start)
  else if (to !== undefined) offset = offsetOfMidnight(addDays(to, 1), end)
  else offset = zones.offsetAt(zone, now)
  // Exact, because a range with one end needs the right offset only there.
  return { start, end, requestedDays: { offset, from, to }, isExact: true }
}

function toClosedRequest(
  { from, to }: DayRange,
  { start, end }: Pick<RangeRequest, 'start' | 'end'>,
  now: Date,
): RangeRequest {
  const offset = offsetOfMidnight(from, start)
  const offsetMinutes = zones.parseOffset(offset)
  const dayAt = (instant: EpochMs) => utcDay(new Date(instant + offsetMinutes * minuteMs))
  if (now.getTime() < end) {
    // Not over yet. After the clocks went back, today may be the day after `to` in this offset.
    const currentDay = dayAt(now.getTime())
    const lastDay = to > currentDay ? to : currentDay
    // Exact, because later calls don't exist yet.
    return { start, end, requestedDays: { offset, from, to: lastDay }, isExact: true }
  }
  // A day that the zone left out starts and ends at one instant.
  const lastInstant = Math.max(start, end - 1)
  const lastDay = dayAt(lastInstant)
  // The start fits, because the offset was chosen for it.
  const isExact = zones.midnightIn(offsetMinutes, addDays(lastDay, 1)) === end
  return { start, end, requestedDays: { offset, from, to: lastDay }, isExact }
}

/** Returns the zone with the offsets at the start and the end of the days: `Europe/Berlin (UTC+02:00, then UTC+01:00)`. */
export function rangeZoneLabel(zone: zones.Zone, range: OpenRange, now: Date): string {
  const { start, end } = toRangeRequest(zone, range, now)
  const lastInstant = Math.min(end - 1, now.getTime())
  if (range.from === undefined) return zones.zoneLabel(zone, new Date(lastInstant))
  const firstOffset = zones.offsetAt(zone, new Date(start))
  // Days in the future start after `now`.
  const lastOffset = zones.offsetAt(zone, new Date(Math.max(start, lastInstant)))
  if (firstOffset === lastOffset) return zones.zoneLabel(zone, new Date(start))
  return `${zone} (UTC${firstOffset}, then UTC${lastOffset})`
}

/** True for an unreadable time, because the service lists the call for these days. */
export function isInRange({ start, end }: Pick<RangeRequest, 'start' | 'end'>, at: unknown): boolean {
  if (!(at instanceof Date)) return true
  return at.getTime() >= start && at.getTime() < end
}
