import type { Grouping } from '../../query/filters.ts'
import { callsText, resultLabel } from '../../query/texts.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/blocks.ts'
import type { Money } from '../../telephony/money.ts'
import {
  addDays,
  type DayRange,
  daysIn,
  endOfMonth,
  getWeekday,
  type LocalDay,
  monthNames,
  parseDay,
  rangeLabel,
  shortDayLabel,
  startOfMonth,
  weekdayNames,
} from '../../time/days.ts'
import { durationText } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import type { HandledCalls, PersonFigures } from './handled.ts'
import {
  type CallFigures,
  type CallGrouping,
  type FullReport,
  type Group,
  type ReportPlan,
  type ReportView,
  sumFigures,
} from './report.ts'
import {
  formatCost,
  formatMedian,
  formatMissedRate,
  formatTalkTime,
  getMissedRate,
  nameCalls,
} from './words.ts'

type DayUnit = 'day' | 'week' | 'month'

/** What a row or a bar stands for. */
export type RowUnit = Grouping | DayUnit

const MAX_DAY_ROWS = 31
/** With those that are cut at both ends, 40 weeks: two charts. */
const MAX_WEEK_ROWS = 39

/** Returns weeks for more than 31 days, and months for more than 39 weeks. */
export function getUnit({ query, period }: Pick<ReportPlan, 'query' | 'period'>): RowUnit {
  if (query.by !== 'day') return query.by
  const days = daysIn(period.days.from, period.days.to)
  if (days <= MAX_DAY_ROWS) return 'day'
  return days <= 7 * MAX_WEEK_ROWS ? 'week' : 'month'
}

export const isDayUnit = (unit: RowUnit): unit is DayUnit =>
  unit === 'day' || unit === 'week' || unit === 'month'

/** True for rows that aren't ordered by time. */
export const isRanked = (by: RowUnit): boolean => by === 'line' || by === 'agent' || by === 'person'

export function startOfUnit(day: LocalDay, unit: DayUnit): LocalDay {
  if (unit === 'week') return addDays(day, -getWeekday(day))
  return unit === 'month' ? startOfMonth(day) : day
}

/** Returns the last day of the unit that starts on `first`. */
export function endOfUnit(first: LocalDay, unit: DayUnit): LocalDay {
  if (unit === 'week') return addDays(first, 6)
  return unit === 'month' ? endOfMonth(first) : first
}

function clip({ from, to }: DayRange, range: DayRange): DayRange {
  return { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to }
}

function labelDays(key: string, unit: DayUnit, { period, today }: ReportPlan): string {
  const first = parseDay(key)
  if (first === undefined) return key
  if (unit === 'day') return `${weekdayNames[getWeekday(first)]?.slice(0, 3)} ${shortDayLabel(first, today)}`
  const days = clip({ from: first, to: endOfUnit(first, unit) }, period.days)
  if (unit === 'week' || days.from !== first || days.to !== endOfMonth(first)) return rangeLabel(days, today)
  const month = monthNames[Number(key.slice(5, 7)) - 1] ?? ''
  return today.startsWith(key.slice(0, 4)) ? month : `${month} ${key.slice(0, 4)}`
}

const unknownLabels = { line: 'No number', agent: 'No agent' } as const

export function labelGroup(key: string, unit: RowUnit, { lines, report }: ReportView): string {
  if (key === '') return unit === 'line' || unit === 'agent' ? unknownLabels[unit] : 'No time'
  if (unit === 'line') return lines.getLabel(key)
  if (unit === 'hour') return `${key}:00`
  if (unit === 'weekday') return weekdayNames[Number(key)] ?? key
  if (isDayUnit(unit)) return labelDays(key, unit, report.plan)
  return key
}

/** Adds up days to the weeks or months that they are in. */
function mergeDays(groups: readonly Group[], unit: DayUnit): readonly Group[] {
  const merged = new Map<string, Group>()
  for (const { key: dayKey, figures } of groups) {
    const day = parseDay(dayKey)
    const key = day === undefined ? '' : startOfUnit(day, unit)
    const others = merged.get(key)?.figures
    merged.set(key, { key, figures: others ? sumFigures([others, figures]) : figures })
  }
  return [...merged.values()]
}

export function listGroups({ aggregate, plan }: FullReport, by: CallGrouping): readonly Group[] {
  const unit = getUnit(plan)
  return isDayUnit(unit) ? mergeDays(aggregate.groups.day, unit) : aggregate.groups[by]
}

export interface ReportRow {
  readonly label: string
  readonly figures: CallFigures
}

const byMissed = ({ figures: a }: Group, { figures: b }: Group) => b.missed - a.missed || b.calls - a.calls

/** Adds up the rows that don't fit: those with the fewest missed calls, or the earliest days. */
export function listRows(view: ReportView, report: FullReport, by: CallGrouping, maxRows: number) {
  const unit = getUnit(report.plan)
  const groups = listGroups(report, by)
  const known = groups.filter(({ key }) => key !== '')
  const shown = isRanked(by) ? known.toSorted(byMissed).slice(0, maxRows) : known.slice(-maxRows)
  const rows: ReportRow[] = []
  for (const { key, figures } of [...shown, ...groups.filter(({ key }) => key === '')])
    rows.push({ label: labelGroup(key, unit, view), figures })
  const others = known.filter((group) => !shown.includes(group))
  if (others.length === 0) return rows
  const label = countNoun(others.length, `${isRanked(by) ? 'more' : 'earlier'} ${unit}`)
  const sum = { label, figures: sumFigures(others.map(({ figures }) => figures)) }
  return isRanked(by) ? [...rows, sum] : [sum, ...rows]
}

const toNumber = ({ units, scale }: Money): number => Number(units) / 10 ** scale

function numberColumn(
  title: string,
  number: (figures: CallFigures) => number,
  format: (figures: CallFigures) => string = (figures) => formatNumber(number(figures)),
): Column<ReportRow> {
  return {
    title,
    align: 'right',
    text: ({ figures }) => format(figures),
    number: ({ figures }) => number(figures),
    lineText: (text) => `${title}: ${text}`,
  }
}

function buildColumns({ plan }: FullReport): readonly Column<ReportRow>[] {
  const { direction, status } = plan.query
  const unit = getUnit(plan)
  const columns: Column<ReportRow>[] = [
    { title: capitalize(unit), text: ({ label }) => label, isEssential: true },
  ]
  columns.push({ ...numberColumn(nameCalls({ direction, status }), ({ calls }) => calls), isEssential: true })
  if (status === undefined) {
    const rate = direction === 'incoming' ? 'Missed rate' : 'No answer rate'
    columns.push({
      ...numberColumn(resultLabel(direction, 'missed'), ({ missed }) => missed),
      isEssential: true,
    })
    columns.push(numberColumn(rate, getMissedRate, formatMissedRate))
  }
  columns.push(
    numberColumn(
      'Talk time',
      ({ seconds }) => seconds,
      ({ seconds }) => formatTalkTime(seconds),
    ),
  )
  if (isRanked(unit))
    columns.push(
      numberColumn(
        'Cost',
        ({ cost }) => toNumber(cost),
        ({ cost }) => formatCost(cost),
      ),
    )
  return columns
}

const personColumn = (
  title: string,
  number: (person: PersonFigures) => number,
  text: (person: PersonFigures) => string = (person) => formatNumber(number(person)),
): Column<PersonFigures> => ({
  title,
  align: 'right',
  number,
  text,
  lineText: (shown) => `${title}: ${shown}`,
})

function getMedian(waits: readonly number[]): number {
  return waits.toSorted((a, b) => a - b)[waits.length >> 1] ?? 0
}

const takerColumns: readonly Column<PersonFigures>[] = [
  { title: 'Person', text: ({ name }) => name, isEssential: true },
  { ...personColumn('Taken', ({ waits }) => waits.length), isEssential: true },
  personColumn(
    'Typical wait',
    ({ waits }) => getMedian(waits),
    ({ waits }) => formatMedian(waits),
  ),
  personColumn(
    'Longest wait',
    ({ longestMs }) => longestMs,
    ({ waits, longestMs }) => (waits.length === 0 ? '' : durationText(longestMs)),
  ),
  { ...personColumn('Done', ({ done }) => done), isEssential: true },
]

export const listTakers = ({ people }: HandledCalls): readonly PersonFigures[] =>
  [...people.values()].sort((a, b) => b.waits.length - a.waits.length || b.done - a.done)

/** Returns undefined if only the totals are known, or nobody took a call. */
export function buildReportTable(view: ReportView, maxRows: number): Table | undefined {
  const { report } = view
  if ('reason' in report) return undefined
  const { by } = report.plan.query
  if (by !== 'person') return fillTable(buildColumns(report), listRows(view, report, by, maxRows), undefined)
  const people = report.handled ? listTakers(report.handled) : []
  if (people.length === 0) return undefined
  return fillTable(takerColumns, people.slice(0, maxRows), undefined)
}

/** `Incoming calls by line` */
export const captionTable = (plan: ReportPlan): string =>
  `${capitalize(callsText(plan.query))} by ${getUnit(plan)}`
