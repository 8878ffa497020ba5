import { type EpochMs, minuteMs } from '../util/units.ts'
import { addDays, type DayRange, type LocalDay, utcDay } from './days.ts'
import type { OpenRange } from './ranges.ts'
import * as zones from './zones.ts'

/** Local days of a range, and the days in one offset that are requested from the service for them. */
export interface RangeRequest {
  /** `-Infinity` without a first day. */
  readonly start: EpochMs
  /** The first instant after the range; `Infinity` without a last day. */
  readonly end: EpochMs
  readonly requested: OpenRange & { readonly offset: zones.UtcOffset }
  /** Whether the requested days hold no calls of other days. They hold all calls of the range in any case. */
  readonly isExact: boolean
}

/** Returns the offset in which midnight of the day is this instant: clocks may skip midnight, or repeat the hour before it. */
const offsetOfMidnight = (day: LocalDay, instant: EpochMs): zones.UtcOffset =>
  zones.toUtcOffset((Date.parse(day) - instant) / minuteMs)

export function toRangeRequest(zone: zones.Zone, { from, to }: OpenRange, now: Date): RangeRequest {
  const start = from === undefined ? -Infinity : zones.startOfDay(zone, from).getTime()
  const end = to === undefined ? Infinity : zones.startOfDay(zone, addDays(to, 1)).getTime()
  if (from !== undefined && to !== undefined) return toClosedRequest({ from, to }, { start, end }, now)
  let offset = zones.offsetAt(zone, now)
  if (from !== undefined) offset = offsetOfMidnight(from, start)
  if (to !== undefined) offset = offsetOfMidnight(addDays(to, 1), end)
  return { start, end, requested: { offset, from, to }, isExact: true }
}

function toClosedRequest(
  { from, to }: DayRange,
  { start, end }: Pick<RangeRequest, 'start' | 'end'>,
  now: Date,
): RangeRequest {
  const offset = offsetOfMidnight(from, start)
  const minutes = zones.offsetMinutes(offset)
  const lastInstant = Math.max(start, Math.min(end - 1, now.getTime()))
  const last = utcDay(new Date(lastInstant + minutes * minuteMs))
  if (end <= now.getTime()) {
    const isExact = zones.midnightIn(minutes, addDays(last, 1)) === end
    return { start, end, requested: { offset, from, to: last }, isExact }
  }
  // After the clocks went back, today may last longer than the requested day. A later day adds no calls.
  return { start, end, requested: { offset, from, to: to > last ? to : last }, isExact: true }
}

/** Returns the zone with the offsets at the start and the end of the days: `Europe/Berlin (UTC+02:00, then UTC+01:00)`. */
export function rangeZoneLabel(zone: zones.Zone, range: OpenRange, now: Date): string {
  const request = toRangeRequest(zone, range, now)
  const end = Math.min(request.end - 1, now.getTime())
  if (range.from === undefined) return zones.zoneLabel(zone, new Date(end))
  const { start } = request
  const label = zones.zoneLabel(zone, new Date(start))
  const lastOffset = zones.offsetAt(zone, new Date(Math.max(start, end)))
  if (zones.offsetAt(zone, new Date(start)) === lastOffset) return label
  return label.replace(')', `, then UTC${lastOffset})`)
}

/** True for an unreadable time, because the service lists the call for these days. */
export const isInRange = ({ start, end }: Pick<RangeRequest, 'start' | 'end'>, at: unknown): boolean =>
  !(at instanceof Date) || (at.getTime() >= start && at.getTime() < end)
