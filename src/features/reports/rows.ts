import { callsText, resultLabel } from '../../query/texts.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/tables.ts'
import * as calendar from '../../time/days.ts'
import { durationText } from '../../time/lengths.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import type { ReportQuery } from './actions.ts'
import { type CallFigures, type CallGrouping, type Group, sumFigures } from './aggregate.ts'
import { findMedian, type PersonFigures } from './handled.ts'
import * as periods from './period.ts'
import type { FullReport, FullView, ReportView } from './report.ts'
import * as words from './words.ts'

export type CallUnit = CallGrouping | periods.DayUnit
/** A row of a person counts what they took and finished. */
type RowUnit = CallUnit | 'person'

export const getUnit = ({ query, period }: periods.ReportPlan): RowUnit =>
  query.by === 'day' ? periods.chooseDayUnit(period.days) : query.by

const isDayUnit = (unit: RowUnit): unit is periods.DayUnit =>
  unit === 'day' || unit === 'week' || unit === 'month'

/** True for rows that aren't ordered by time. */
export const isRanked = (unit: RowUnit): boolean => unit === 'line' || unit === 'agent' || unit === 'person'

function clip({ from, to }: calendar.DayRange, range: calendar.DayRange): calendar.DayRange {
  return { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to }
}

function labelDays(key: string, unit: periods.DayUnit, { period, today }: periods.ReportPlan): string {
  const firstDay = calendar.parseDay(key)
  if (firstDay === undefined) return key
  if (unit === 'day') return calendar.weekdayLabel(firstDay, today)
  const days = clip(periods.getUnitDays(firstDay, unit), period.days)
  return periods.findMonthLabel(days, today) ?? calendar.rangeLabel(days, today)
}

const unknownLabels: Partial<Record<CallUnit, string>> = { line: 'No number', agent: 'No agent' }

function labelGroup(key: string, unit: CallUnit, { lines, report }: ReportView): string {
  if (key === '') return unknownLabels[unit] ?? 'No time'
  if (unit === 'line') return lines.getLabel(key)
  if (unit === 'hour') return `${key}:00`
  if (unit === 'weekday') return calendar.weekdayNames[Number(key)] ?? key
  if (isDayUnit(unit)) return labelDays(key, unit, report.plan)
  return key
}

interface ReportRow extends CallFigures {
  readonly label: string
}

const compareMissed = ({ figures: a }: Group, { figures: b }: Group) =>
  b.missed - a.missed || b.calls - a.calls

/** Returns one row, or none without groups. */
function addUpRow(groups: readonly Group[], noun: string): readonly ReportRow[] {
  if (groups.length === 0) return []
  return [{ ...sumFigures(groups.map(({ figures }) => figures)), label: countNoun(groups.length, noun) }]
}

/** Adds up the rows that don't fit: those with the fewest missed calls, or the earliest days. */
export function listRows(view: FullView, unit: CallUnit, maxRows: number): readonly ReportRow[] {
  const toRow = ({ key, figures }: Group) => ({ ...figures, label: labelGroup(key, unit, view) })
  // The groups by day are weeks or months if there are many days.
  const groups = view.report.aggregate.groups[isDayUnit(unit) ? 'day' : unit]
  const knownGroups = groups.filter(({ key }) => key !== '')
  const unknownRows = groups.filter(({ key }) => key === '').map(toRow)
  if (!isRanked(unit)) {
    const earlierRow = addUpRow(knownGroups.slice(0, -maxRows), `earlier ${unit}`)
    return [...earlierRow, ...knownGroups.slice(-maxRows).map(toRow), ...unknownRows]
  }
  const ranked = knownGroups.toSorted(compareMissed)
  const othersRow = addUpRow(ranked.slice(maxRows), `more ${unit}`)
  return [...ranked.slice(0, maxRows).map(toRow), ...unknownRows, ...othersRow]
}

function numberColumn<Row>(
  title: string,
  getNumber: (row: Row) => number,
  overrides: Partial<Column<Row>> = {},
): Column<Row> {
  const text = (row: Row) => formatNumber(getNumber(row))
  const lineText = (shown: string) => `${title}: ${shown}`
  return { title, align: 'right', sortValue: getNumber, text, lineText, ...overrides }
}

function buildColumns({ direction, status }: ReportQuery, unit: CallUnit): readonly Column<ReportRow>[] {
  const columns: Column<ReportRow>[] = [
    { title: capitalize(unit), text: ({ label }) => label, isEssential: true },
    numberColumn(words.nameCalls({ direction, status }), ({ calls }) => calls, { isEssential: true }),
  ]
  if (status === undefined) {
    const missedTitle = resultLabel(direction, 'missed')
    const rateTitle = direction === 'incoming' ? 'Missed rate' : 'No answer rate'
    columns.push(numberColumn(missedTitle, ({ missed }) => missed, { isEssential: true }))
    columns.push(numberColumn(rateTitle, words.getMissedPercent, { text: words.formatMissedRate }))
  }
  const formatTalkTime = ({ seconds }: ReportRow) => words.formatTalkTime(seconds)
  columns.push(numberColumn('Talk time', ({ seconds }) => seconds, { text: formatTalkTime }))
  if (!isRanked(unit)) return columns
  const formatCost = ({ cost }: ReportRow) => words.formatCost(cost)
  const getCost = ({ cost: { units, scale } }: ReportRow) => Number(units) / 10 ** scale
  return [...columns, numberColumn('Cost', getCost, { text: formatCost })]
}

const formatTypicalWait = ({ waits }: PersonFigures): string => words.formatMedian(waits)
const formatLongestWait = ({ waits }: PersonFigures): string =>
  waits.length === 0 ? '' : durationText(Math.max(...waits))

const takerColumns: readonly Column<PersonFigures>[] = [
  { title: 'Person', text: ({ name }) => name, isEssential: true },
  numberColumn('Taken', ({ waits }) => waits.length, { isEssential: true }),
  numberColumn('Typical wait', ({ waits }) => findMedian(waits) ?? 0, { text: formatTypicalWait }),
  numberColumn('Longest wait', ({ waits }) => Math.max(0, ...waits), { text: formatLongestWait }),
  numberColumn('Done', ({ done }) => done, { isEssential: true }),
]

/** Returns the people who took or finished calls; those who took the most come first. */
export function listTakers({ handled }: FullReport, max: number): readonly PersonFigures[] {
  const people = handled?.people ?? []
  return people.toSorted((a, b) => b.waits.length - a.waits.length || b.done - a.done).slice(0, max)
}

export function buildReportTable(view: FullView, maxRows: number): Table {
  const { report } = view
  const unit = getUnit(report.plan)
  if (unit === 'person') return fillTable(takerColumns, listTakers(report, maxRows), undefined)
  return fillTable(buildColumns(report.plan.query, unit), listRows(view, unit, maxRows), undefined)
}

/** `Incoming calls by line` */
export const captionTable = (plan: periods.ReportPlan): string =>
  `${capitalize(callsText(plan.query))} by ${getUnit(plan)}`
