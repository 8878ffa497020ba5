import type { Grouping } from '../../query/filters/filter.ts'
import {
  type DayRange,
  daysIn,
  type LocalDay,
  monthNames,
  parseDay,
  rangeLabel,
  weekdayLabel,
  weekdayNames,
} from '../../time/days.ts'
import { monthRange, weekRange } from '../../time/ranges.ts'
import { type CallGrouping, countWholeMonths, type ReportPlan, type ReportView } from './report.ts'

/** Parts of the report's days. */
export type DayUnit = 'day' | 'week' | 'month'
/** Unit that a row or a bar of calls stands for. */
export type CallUnit = CallGrouping | DayUnit
type RowUnit = Grouping | DayUnit

const MAX_DAY_ROWS = 31
/** With those that are cut at both ends, 40 weeks: two charts. */
const MAX_WEEK_ROWS = 39

/** Returns weeks for more than 31 days, and months for more than 39 weeks. */
export function getUnit({ query, period }: Pick<ReportPlan, 'query' | 'period'>): RowUnit {
  if (query.by !== 'day') return query.by
  const days = daysIn(period.days.from, period.days.to)
  if (days <= MAX_DAY_ROWS) return 'day'
  if (days <= 7 * MAX_WEEK_ROWS) return 'week'
  return 'month'
}

export const isDayUnit = (unit: RowUnit): unit is DayUnit =>
  unit === 'day' || unit === 'week' || unit === 'month'

/** True for rows that aren't ordered by time. */
export const isRanked = (unit: RowUnit): boolean => unit === 'line' || unit === 'agent' || unit === 'person'

/** Returns the days of the unit that the day is in. */
export function getUnitDays(day: LocalDay, unit: DayUnit): DayRange {
  if (unit === 'week') return weekRange(day)
  if (unit === 'month') return monthRange(day)
  return { from: day, to: day }
}

function clip({ from, to }: DayRange, range: DayRange): DayRange {
  return { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to }
}

function labelDays(key: string, unit: DayUnit, { period, today }: ReportPlan): string {
  const first = parseDay(key)
  if (first === undefined) return key
  if (unit === 'day') return weekdayLabel(first, today)
  const days = clip(getUnitDays(first, unit), period.days)
  if (unit === 'week') return rangeLabel(days, today)
  return findMonthLabel(days, today) ?? rangeLabel(days, today)
}

/** `November`, `October 2025`; undefined unless it is a whole month. */
export function findMonthLabel(days: DayRange, today: LocalDay): string | undefined {
  if (countWholeMonths(days) !== 1) return undefined
  const { from } = days
  const month = monthNames[Number(from.slice(5, 7)) - 1] ?? ''
  const year = from.slice(0, 4)
  return today.startsWith(year) ? month : `${month} ${year}`
}

const unknownLabels: Partial<Record<CallUnit, string>> = { line: 'No number', agent: 'No agent' }

export function labelGroup(key: string, unit: CallUnit, { lines, report }: ReportView): string {
  if (key === '') return unknownLabels[unit] ?? 'No time'
  if (unit === 'line') return lines.getLabel(key)
  if (unit === 'hour') return `${key}:00`
  if (unit === 'weekday') return weekdayNames[Number(key)] ?? key
  if (isDayUnit(unit)) return labelDays(key, unit, report.plan)
  return key
}
