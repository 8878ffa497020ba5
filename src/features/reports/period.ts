import * as calendar from '../../time/days.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { monthRange, weekRange } from '../../time/ranges.ts'
import { localDay, offsetAt, parseOffset, type Zone } from '../../time/zones.ts'
import { dayMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import type { ReportQuery } from './actions.ts'

/** Returns the days in a zone, cut off at the report's instant. */
export function toPeriod({ from, to }: calendar.DayRange, zone: Zone, instant: Date) {
  const today = localDay(zone, instant)
  // Days after the instant are left out, but not the first day.
  const latestDay = today < from ? from : today
  const days: calendar.DayRange = { from, to: to < latestDay ? to : latestDay }
  const wholeDays = toRangeRequest(zone, days, instant)
  const afterInstant = instant.getTime() + 1
  return {
    ...wholeDays,
    days,
    /** End of the last day, or just after the instant; if that is before the start, the period is empty. */
    end: Math.max(wholeDays.start, Math.min(wholeDays.end, afterInstant)),
    isComplete: days.to === to && wholeDays.end <= afterInstant,
  }
}
export type Period = Readonly<ReturnType<typeof toPeriod>>

/** Returns 0 for days that aren't whole months. */
function countWholeMonths({ from, to }: calendar.DayRange): number {
  if (from !== calendar.startOfMonth(from) || to !== calendar.endOfMonth(to)) return 0
  const toMonth = (day: calendar.LocalDay) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7))
  return toMonth(to) - toMonth(from) + 1
}

/** Moves whole months by as many months, other days by `dayCount` or else by as many days. @param sign -1 for earlier days */
export function shiftDays(range: calendar.DayRange, sign: 1 | -1, dayCount?: number): calendar.DayRange {
  const { from, to } = range
  const months = sign * countWholeMonths(range)
  if (months !== 0) {
    const lastMonth = calendar.startOfMonth(to, months)
    return { from: calendar.startOfMonth(from, months), to: calendar.endOfMonth(lastMonth) }
  }
  const shift = sign * (dayCount ?? calendar.countDays(from, to))
  return { from: calendar.addDays(from, shift), to: calendar.addDays(to, shift) }
}

/** Returns as many months before, or the same weekdays in earlier weeks. */
function findDaysBefore(days: calendar.DayRange, zone: Zone, instant: Date): calendar.DayRange {
  // A month that isn't over is compared with the month before, not with earlier weeks.
  if (countWholeMonths(days) > 0) return shiftDays(days, -1)
  const shownDays = toPeriod(days, zone, instant).days
  const weeks = Math.ceil(calendar.countDays(shownDays.from, shownDays.to) / 7)
  return shiftDays(shownDays, -1, 7 * weeks)
}

const offsetMs = (zone: Zone, at: Date): Milliseconds => parseOffset(offsetAt(zone, at)) * minuteMs

/** Returns the same time of day on an earlier day. The offsets differ if the clocks changed in between. */
function goBack(instant: Date, days: number, zone: Zone): Date {
  const earlier = new Date(instant.getTime() - days * dayMs)
  return new Date(earlier.getTime() + offsetMs(zone, instant) - offsetMs(zone, earlier))
}

/** Returns the period to compare with. If the report's period isn't over, both end at the same time of day. */
export function toPeriodBefore(
  { from, to, versus }: calendar.DayRange & Pick<ReportQuery, 'versus'>,
  zone: Zone,
  instant: Date,
): Period {
  const before = versus ?? findDaysBefore({ from, to }, zone, instant)
  const today = localDay(zone, instant)
  if (today < from || today > to) return toPeriod(before, zone, instant)
  // `countDays` counts both days.
  const daysEarlier = calendar.countDays(before.from, from) - 1
  return toPeriod(before, zone, goBack(instant, daysEarlier, zone))
}

export function planReport(query: ReportQuery, zone: Zone, now: Date) {
  const instant = query.at === undefined ? now : new Date(query.at)
  return {
    query: { ...query, at: instant.getTime() },
    zone,
    /** Later calls aren't included. */
    instant,
    today: localDay(zone, instant),
    period: toPeriod(query, zone, instant),
    periodBefore: toPeriodBefore(query, zone, instant),
  }
}
export type ReportPlan = Readonly<ReturnType<typeof planReport>>

export type DayUnit = 'day' | 'week' | 'month'

const MAX_DAY_ROWS = 31
/** Days of 38 weeks can touch 39 calendar weeks. Two charts of 20 bars hold those, and a bar for calls without a time. */
const MAX_WEEKS = 38

export function chooseDayUnit({ from, to }: calendar.DayRange): DayUnit {
  const count = calendar.countDays(from, to)
  if (count <= MAX_DAY_ROWS) return 'day'
  if (count <= 7 * MAX_WEEKS) return 'week'
  return 'month'
}

export function getUnitDays(day: calendar.LocalDay, unit: DayUnit): calendar.DayRange {
  if (unit === 'week') return weekRange(day)
  if (unit === 'month') return monthRange(day)
  return { from: day, to: day }
}

/** `November`, `October 2025`; undefined unless it is a whole month. */
export function findMonthLabel(days: calendar.DayRange, today: calendar.LocalDay): string | undefined {
  if (countWholeMonths(days) !== 1) return undefined
  const { from } = days
  const month = calendar.monthNames[Number(from.slice(5, 7)) - 1] ?? ''
  const year = from.slice(0, 4)
  return today.startsWith(year) ? month : `${month} ${year}`
}
