import type { ReportQuery } from '../../slack/blocks/links.ts'
import type { ReportOptions, Schedule, ScheduleDay } from '../../store/schedules.ts'
import type { ScanQuery } from '../../telephony/types.ts'
import {
  addDays,
  daysIn,
  endOfMonth,
  getWeekday,
  lastDays,
  startOfMonth,
  startOfWeek,
  utcDay,
} from '../../time/days.ts'
import { offsetMinutes } from '../../time/offsets.ts'
import type { DayRange, LocalDay, UtcOffset, Zone } from '../../time/types.ts'
import { endOfDay, localDay, offsetAt, startOfDay } from '../../time/zones.ts'
import { dayMs, type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'

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

/** So many periods of the same length later; a whole month's neighbours are whole months. @param length in days */
export function shiftedDays({ from, to }: DayRange, by: 1 | -1, length: number = daysIn(from, to)): DayRange {
  if (from === startOfMonth(from) && to === endOfMonth(from)) {
    const first = startOfMonth(from, by)
    return { from: first, to: endOfMonth(first) }
  }
  return { from: addDays(from, length * by), to: addDays(to, length * by) }
}

/** The same weekdays, as few weeks before as it takes; of a whole month, the month before. */
const sameWeekdaysBefore = (days: DayRange): DayRange =>
  shiftedDays(days, -1, 7 * Math.ceil(daysIn(days.from, days.to) / 7))

const dayAt = (time: EpochMs, offset: UtcOffset) => utcDay(new Date(time + offsetMinutes(offset) * minuteMs))

const midnight = (day: string, offset: UtcOffset): EpochMs =>
  Date.parse(`${day}T00:00:00Z`) - offsetMinutes(offset) * minuteMs

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
  offsetMinutes(offsetAt(zone, new Date(time))) * minuteMs

/**
 * As many days right before, up to the same time on the zone's clocks where the period isn't over yet.
 * @param compare `weekdays`: the same ones, where they are of one week the week before
 */
export function periodBefore(
  { days }: Period,
  zone: Zone,
  instant: Date,
  compare?: ReportQuery['compare'],
): Period {
  const right = lastDays(daysIn(days.from, days.to), addDays(days.from, -1))
  const before = compare === 'weekdays' ? sameWeekdaysBefore(days) : right
  const today = localDay(zone, instant)
  if (today < days.from || today > days.to) return periodOf(before, zone, instant)
  const now = instant.getTime()
  const earlier = now - (daysIn(before.from, days.from) - 1) * dayMs
  return periodOf(before, zone, new Date(earlier + offsetMs(zone, now) - offsetMs(zone, earlier)))
}

function isOn(rhythm: ScheduleDay, day: LocalDay): boolean {
  switch (rhythm.kind) {
    case 'billing-date':
      return true
    case 'daily':
      return rhythm.weekdays.includes(getWeekday(day) + 1)
    case 'weekly':
      return rhythm.weekday === getWeekday(day) + 1
    case 'monthly':
      return day === (rhythm.day === 'last' ? endOfMonth(day) : addDays(startOfMonth(day), rhythm.day - 1))
  }
}

/** Any two days of a rhythm are as close. After a longer time the report begins anew. */
const LONGEST_GAP_DAYS = 31

type Reported = Pick<Schedule, 'day' | 'reportedDay'>

/** From the day of the last report on; of the first one, from the last day that its rhythm has before it. */
function daysSince({ day: rhythm, reportedDay = '' }: Reported, day: LocalDay): DayRange {
  const earliest = addDays(day, -LONGEST_GAP_DAYS)
  const isKnown = reportedDay >= earliest && reportedDay < day
  const isFirst = (one: LocalDay) => (isKnown ? one === reportedDay : isOn(rhythm, one))
  let from = addDays(day, -1)
  while (!isFirst(from) && from > earliest) from = addDays(from, -1)
  return { from, to: addDays(day, -1) }
}

/** What a report that comes on a day is of: all days since the last one, or the day, the week or the month before. */
export function daysBefore(range: ReportOptions['range'], day: LocalDay, schedule: Reported): DayRange {
  switch (range) {
    case 'since':
      return daysSince(schedule, day)
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
