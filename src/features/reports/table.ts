import type { Grouping } from '../../grammar/filters.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/blocks.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { getWeekday, type LocalDay, shortDayLabel, weekdayNames } from '../../time/days.ts'
import { durationText } from '../../time/zones.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'
import {
  type CallFigures,
  type CallGrouping,
  type FullReport,
  findMedian,
  type Group,
  type PersonFigures,
  type Report,
  sumFigures,
} from './report.ts'
import {
  formatCost,
  formatMissedRate,
  formatTalkTime,
  getCostScale,
  missedNames,
  nameCalls,
} from './words.ts'

interface ReportRow {
  readonly label: string
  readonly figures: CallFigures
}

/** With more rows, a message would be too large for its chart. Ranked groups have long names, and costs. */
const groupingTables: Readonly<
  Record<CallGrouping, { readonly unknown: string; readonly maxRows: number; readonly isRanked: boolean }>
> = {
  line: { unknown: 'No number', maxRows: 16, isRanked: true },
  agent: { unknown: 'No agent', maxRows: 16, isRanked: true },
  hour: { unknown: 'No time', maxRows: 24, isRanked: false },
  weekday: { unknown: 'No time', maxRows: 7, isRanked: false },
  day: { unknown: 'No time', maxRows: 24, isRanked: false },
}

/** Most rows that fit a message with a chart. */
export const maxRows = (by: Grouping): number => (by === 'person' ? 16 : groupingTables[by].maxRows)

function labelGroup(
  { agents }: FullReport,
  by: CallGrouping,
  { key }: Group,
  lines: LineNames,
  today: LocalDay,
): string {
  if (key === '') return groupingTables[by].unknown
  switch (by) {
    case 'line':
      return lines.getLabel(key)
    case 'agent':
      return agents.find(({ id }) => id === key)?.name || key
    case 'hour':
      return `${key}:00`
    case 'weekday':
      return weekdayNames[Number(key)] ?? key
    case 'day':
      return `${weekdayNames[getWeekday(key)]?.slice(0, 3)} ${shortDayLabel(key, today)}`
  }
}

const sumRows = (label: string, rows: readonly Pick<ReportRow, 'figures'>[]): ReportRow => ({
  label,
  figures: sumFigures(rows.map(({ figures }) => figures)),
})

const byMissed = ({ figures: a }: Group, { figures: b }: Group) => b.missed - a.missed || b.calls - a.calls

/**
 * Lists lines and agents by missed calls, and days, weekdays and hours in their order. One row adds up those that don't fit;
 * the latest days are shown. Calls in no group come last.
 */
function listRows(
  report: FullReport,
  by: CallGrouping,
  { lines, today }: TableContext,
  max: number,
): readonly ReportRow[] {
  const groups = report.aggregate.groups[by]
  const known = groups.filter(({ key }) => key !== '')
  const ordered = groupingTables[by].isRanked ? known.toSorted(byMissed) : known
  const left = Math.max(0, ordered.length - max)
  const toRow = (group: Group) => ({
    label: labelGroup(report, by, group, lines, today),
    figures: group.figures,
  })
  const addUp = (others: readonly Group[]) =>
    left === 0
      ? []
      : [sumRows(`${left} ${by === 'day' ? 'earlier' : 'more'} ${by}${left === 1 ? '' : 's'}`, others)]
  const rest = groups.filter(({ key }) => key === '').map(toRow)
  return by === 'day'
    ? [...addUp(ordered.slice(0, left)), ...ordered.slice(left).map(toRow), ...rest]
    : [...ordered.slice(0, max).map(toRow), ...addUp(ordered.slice(max)), ...rest]
}

function buildColumns(report: FullReport, by: CallGrouping): readonly Column<ReportRow, undefined>[] {
  const { direction, status } = report.plan.query
  const right = (title: string, format: (figures: CallFigures) => string): Column<ReportRow, undefined> => ({
    title,
    align: 'right',
    text: ({ figures }) => format(figures),
    lineText: (text) => `${title}: ${text}`,
  })
  const results = [
    right(missedNames[direction], ({ missed }) => formatNumber(missed)),
    right(direction === 'incoming' ? 'Missed rate' : 'No answer rate', formatMissedRate),
  ]
  const scale = getCostScale(report)
  return [
    { title: capitalize(by), align: 'left', text: ({ label }) => label },
    right(nameCalls({ direction, status }), ({ calls }) => formatNumber(calls)),
    ...(status === undefined ? results : []),
    right('Talk time', ({ seconds }) => formatTalkTime(seconds)),
    ...(groupingTables[by].isRanked ? [right('Cost', ({ cost }) => formatCost(cost, scale))] : []),
  ]
}

const formatWait = (ms: Milliseconds | undefined) => (ms === undefined ? '–' : durationText(ms))
const findLongest = (waits: readonly Milliseconds[]) => (waits.length === 0 ? undefined : Math.max(...waits))

const personColumns: readonly Column<PersonFigures, undefined>[] = [
  { title: 'Person', align: 'left', text: ({ name }) => name },
  { title: 'Taken', align: 'right', text: ({ waits }) => formatNumber(waits.length) },
  { title: 'Median', align: 'right', text: ({ waits }) => formatWait(findMedian(waits)) },
  { title: 'Longest', align: 'right', text: ({ waits }) => formatWait(findLongest(waits)) },
  { title: 'Done', align: 'right', text: ({ done }) => formatNumber(done) },
]

/** Lists who took the alerts of the period, the busiest first. */
function buildPersonTable(people: readonly PersonFigures[], max: number): Table | undefined {
  const ordered = people.toSorted((a, b) => b.waits.length - a.waits.length || b.done - a.done)
  return ordered.length === 0 ? undefined : fillTable(personColumns, ordered.slice(0, max), undefined)
}

interface TableContext {
  readonly lines: LineNames
  readonly today: LocalDay
}

/** Returns a table whose rows add up to its last one; undefined if there are no calls to group. */
export function buildReportTable(report: Report, context: TableContext, max: number): Table | undefined {
  if ('reason' in report) return undefined
  const { by } = report.plan.query
  if (by === 'person') return buildPersonTable(report.alerts?.people ?? [], max)
  const rows = listRows(report, by, context, max)
  if (rows.length === 0) return undefined
  return fillTable(buildColumns(report, by), [...rows, sumRows('Total', rows)], undefined)
}
