import type { ScanQuery } from '../../telephony/types.ts'
import {
  addDays,
  type DayRange,
  daysIn,
  endOfMonth,
  type LocalDay,
  startOfMonth,
  utcDay,
} from '../../time/days.ts'
import {
  endOfDay,
  localDay,
  offsetAt,
  offsetMinutes,
  startOfDay,
  type UtcOffset,
  type Zone,
} from '../../time/zones.ts'
import { dayMs, type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'

/** Local days as instants, up to the reading. */
export interface Period {
  /** Ends on the reading's day if later days were asked for. */
  readonly days: DayRange
  readonly start: EpochMs
  /** End of the last day, or just after the reading's instant. */
  readonly end: EpochMs
  readonly isComplete: boolean
  /** Whole days in one offset, as the service reads them. They cover the period and may exceed it. */
  readonly requested: Required<Pick<ScanQuery, 'offset' | 'from' | 'to'>>
}

const dayAt = (time: EpochMs, offset: UtcOffset): LocalDay =>
  utcDay(new Date(time + offsetMinutes(offset) * minuteMs))

export function toPeriod({ from, to }: DayRange, zone: Zone, instant: Date): Period {
  const today = localDay(zone, instant)
  const start = startOfDay(zone, from).getTime()
  const lastEnd = endOfDay(zone, to).getTime()
  const now = instant.getTime() + 1
  const end = Math.max(start, Math.min(lastEnd, now))
  const offset = offsetAt(zone, new Date(start))
  return {
    days: { from, to: to <= today ? to : today < from ? from : today },
    start,
    end,
    isComplete: lastEnd <= now,
    requested: { offset, from: dayAt(start, offset), to: dayAt(Math.max(start, end - 1), offset) },
  }
}

/** Returns how many whole calendar months the days are, 0 if they are anything else. */
function countMonths({ from, to }: DayRange): number {
  if (from !== startOfMonth(from) || to !== endOfMonth(to)) return 0
  const [first, last] = [new Date(from), new Date(to)]
  const years = last.getUTCFullYear() - first.getUTCFullYear()
  return 12 * years + last.getUTCMonth() - first.getUTCMonth() + 1
}

/** Moves whole months by as many months, other days by their number. @param length in days */
export function shiftDays(days: DayRange, by: 1 | -1, length = daysIn(days.from, days.to)): DayRange {
  const { from, to } = days
  const months = by * countMonths(days)
  return months === 0
    ? { from: addDays(from, length * by), to: addDays(to, length * by) }
    : { from: startOfMonth(from, months), to: endOfMonth(startOfMonth(to, months)) }
}

const offsetMs = (zone: Zone, time: EpochMs): Milliseconds =>
  offsetMinutes(offsetAt(zone, new Date(time))) * minuteMs

/**
 * Returns what a period is compared with: as many whole months, or the same weekdays as few weeks before as possible. A
 * period that isn't over is compared up to the same time of day.
 */
export function toPeriodBefore(days: DayRange, zone: Zone, instant: Date): Period {
  const shown = countMonths(days) > 0 ? days : toPeriod(days, zone, instant).days
  const before = shiftDays(shown, -1, 7 * Math.ceil(daysIn(shown.from, shown.to) / 7))
  const today = localDay(zone, instant)
  if (today < days.from || today > days.to) return toPeriod(before, zone, instant)
  const now = instant.getTime()
  const earlier = now - (daysIn(before.from, days.from) - 1) * dayMs
  return toPeriod(before, zone, new Date(earlier + offsetMs(zone, now) - offsetMs(zone, earlier)))
}
