import { tzScan } from '@date-fns/tz/tzScan'
import { dayMs } from '../../../src/util/units.ts'

/** Days are counted from 1970-01-01, in UTC. */
export function getDayNumber(instant: Date): number {
  return Math.floor(instant.getTime() / dayMs)
}

export function startOfDay(day: number): Date {
  return new Date(day * dayMs)
}

export function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

export const CLOCK_ZONES = ['Europe/Berlin', 'America/New_York'] as const
type ClockZone = (typeof CLOCK_ZONES)[number]

export interface ClockChange {
  readonly zone: ClockZone
  readonly at: Date
}

/** Returns the clock changes of a zone in [from, until). */
export function clockChanges(zone: ClockZone, from: Date, until: Date): ClockChange[] {
  // tzScan moves in whole hours from its start; starting at the first of a month keeps it exact.
  const start = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1))
  return tzScan(zone, { start, end: new Date(until.getTime() + dayMs) })
    .map(({ date }) => ({ zone, at: date }))
    .filter(({ at }) => at >= from && at < until)
}

/** Returns the two latest changes of every zone before `now`, and those between `now` and `until`. */
export function changesAround(now: Date, until: Date): ClockChange[] {
  const from = new Date(now.getTime() - 400 * dayMs)
  return CLOCK_ZONES.flatMap((zone) => {
    const changes = clockChanges(zone, from, until)
    const past = changes.filter(({ at }) => at <= now).length
    return changes.slice(Math.max(0, past - 2))
  })
}
