import type { ReportOptions } from '../../store/schedules.ts'
import type { ScanQuery } from '../../telephony/types.ts'
import { addDays, daysIn, endOfMonth, lastDays, startOfMonth, startOfWeek, utcDay } from '../../time/days.ts'
import { MINUTE, offsetMinutes } from '../../time/offsets.ts'
import type { DayRange, LocalDay, UtcOffset, Zone } from '../../time/types.ts'
import { endOfDay, localDay, offsetAt, startOfDay } from '../../time/zones.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../../util/units.ts'

/** Days of a zone, as instants. */
export interface Period {
  readonly days: DayRange
  /** Of its first call at the earliest. */
  readonly start: EpochMs
  /** The first instant after it: the end of its last day, or where that is still to come, the reading's instant. */
  readonly end: EpochMs
  readonly isWhole: boolean
  /** The days that the service is asked for, which reads all of them in one offset: they hold the whole period. */
  readonly asked: Required<Pick<ScanQuery, 'offset' | 'from' | 'to'>>
  /** Whether they hold nothing else: no hour beside a clock change, no rest of a day. */
  readonly isAskedExactly: boolean
}

/** So many periods of the same length later; a whole month's neighbours are whole months. */
export function shiftedDays({ from, to }: DayRange, by: 1 | -1): DayRange {
  if (from === startOfMonth(from) && to === endOfMonth(from)) {
    const first = startOfMonth(from, by)
    return { from: first, to: endOfMonth(first) }
  }
  const days = daysIn(from, to) * by
  return { from: addDays(from, days), to: addDays(to, days) }
}

const dayAt = (time: EpochMs, offset: UtcOffset) => utcDay(new Date(time + offsetMinutes(offset) * MINUTE))

const midnight = (day: string, offset: UtcOffset): EpochMs =>
  Date.parse(`${day}T00:00:00Z`) - offsetMinutes(offset) * MINUTE

/** What was there at that instant: nothing that came later. */
export function periodOf(days: DayRange, zone: Zone, instant: Date): Period {
  const start = startOfDay(zone, days.from).getTime()
  const lastEnd = endOfDay(zone, days.to).getTime()
  const now = instant.getTime() + 1
  const end = Math.max(start, Math.min(lastEnd, now))
  const offset = offsetAt(zone, new Date(start))
  const [from, to] = [dayAt(start, offset), dayAt(Math.max(start, end - 1), offset)]
  return {
    days,
    start,
    end,
    isWhole: lastEnd <= now,
    asked: { offset, from, to },
    isAskedExactly: midnight(from, offset) === start && midnight(addDays(to, 1), offset) === end,
  }
}

const offsetMs = (zone: Zone, time: EpochMs): Milliseconds =>
  offsetMinutes(offsetAt(zone, new Date(time))) * MINUTE

/** As many days right before, up to the same time on the zone's clocks where the period isn't over yet. */
export function periodBefore({ days }: Period, zone: Zone, instant: Date): Period {
  const length = daysIn(days.from, days.to)
  const before = lastDays(length, addDays(days.from, -1))
  const today = localDay(zone, instant)
  if (today < days.from || today > days.to) return periodOf(before, zone, instant)
  const now = instant.getTime()
  const earlier = now - length * dayMs
  return periodOf(before, zone, new Date(earlier + offsetMs(zone, now) - offsetMs(zone, earlier)))
}

/** What a report that comes on a day is of: the day before it, or the week or the month before its own. */
export function daysBefore(range: ReportOptions['range'], day: LocalDay): DayRange {
  switch (range) {
    case 'day':
      return lastDays(1, addDays(day, -1))
    case 'week':
      return lastDays(7, addDays(startOfWeek(day), -1))
    case 'month': {
      const first = startOfMonth(day, -1)
      return { from: first, to: endOfMonth(first) }
    }
  }
}
