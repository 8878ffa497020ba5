import * as calendar from '../../time/days.ts'
import { toRangeRequest } from '../../time/range-requests.ts'
import { monthRange, weekRange } from '../../time/ranges.ts'
import { localDay, offsetAt, offsetMinutes, type Zone } from '../../time/zones.ts'
import { dayMs, type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import type { ReportQuery } from './actions.ts'

/** Returns the days in a zone, cut off at the report's instant. */
export function toPeriod({ from, to }: calendar.DayRange, zone: Zone, instant: Date) {
  const today = localDay(zone, instant)
  let last = to
  // All days may be after the instant.
  if (to > today) last = today < from ? from : today
  const days: calendar.DayRange = { from, to: last }
  const request = toRangeRequest(zone, days, instant)
  const now = instant.getTime() + 1
  return {
    ...request,
    days,
    /** End of the last day, or just after the instant. */
    end: Math.max(request.start, Math.min(request.end, now)),
    isComplete: last === to && request.end <= now,
  }
}
export type Period = Readonly<ReturnType<typeof toPeriod>>

function countWholeMonths({ from, to }: calendar.DayRange): number {
  if (from !== calendar.startOfMonth(from) || to !== calendar.endOfMonth(to)) return 0
  const toMonth = (day: calendar.LocalDay) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7))
  return toMonth(to) - toMonth(from) + 1
}

/** Moves whole months by their number, other days by `length` days. */
export function shiftDays(range: calendar.DayRange, by: 1 | -1, length?: number): calendar.DayRange {
  const { from, to } = range
  const months = by * countWholeMonths(range)
  if (months !== 0)
    return {
      from: calendar.startOfMonth(from, months),
      to: calendar.endOfMonth(calendar.startOfMonth(to, months)),
    }
  const count = by * (length ?? calendar.daysIn(from, to))
  return { from: calendar.addDays(from, count), to: calendar.addDays(to, count) }
}

const offsetMs = (zone: Zone, time: EpochMs): Milliseconds =>
  offsetMinutes(offsetAt(zone, new Date(time))) * minuteMs

/**
 * Returns the period to compare with: as many months before, or the same weekdays in earlier weeks. If the period isn't over,
 * both end at the same time of day.
 */
export function toPeriodBefore(
  { from, to, versus }: calendar.DayRange & Pick<ReportQuery, 'versus'>,
  zone: Zone,
  instant: Date,
): Period {
  const shown = countWholeMonths({ from, to }) > 0 ? { from, to } : toPeriod({ from, to }, zone, instant).days
  const weeks = Math.ceil(calendar.daysIn(shown.from, shown.to) / 7)
  const before = versus ?? shiftDays(shown, -1, 7 * weeks)
  const today = localDay(zone, instant)
  if (today < from || today > to) return toPeriod(before, zone, instant)
  const now = instant.getTime()
  const earlier = now - (calendar.daysIn(before.from, from) - 1) * dayMs
  // The offsets differ if the clocks changed in between.
  return toPeriod(before, zone, new Date(earlier + offsetMs(zone, now) - offsetMs(zone, earlier)))
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
    before: toPeriodBefore(query, zone, instant),
  }
}
export type ReportPlan = Readonly<ReturnType<typeof planReport>>

export type DayUnit = 'day' | 'week' | 'month'

const MAX_DAY_ROWS = 31
/** The days of 38 weeks can touch 39 calendar weeks: two charts hold those, and the calls without a time. */
const MAX_WEEK_ROWS = 38

/** Returns weeks for more than 31 days, and months for more than 38 weeks. */
export function chooseDayUnit({ from, to }: calendar.DayRange): DayUnit {
  const count = calendar.daysIn(from, to)
  if (count <= MAX_DAY_ROWS) return 'day'
  if (count <= 7 * MAX_WEEK_ROWS) return 'week'
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
