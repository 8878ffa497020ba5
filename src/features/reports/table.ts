import { type ChartBlock, type Column, fillTable, type Table } from '../../slack/blocks/blocks.ts'
import type { CallStatus } from '../../telephony/types.ts'
import {
  addDays,
  type DayRange,
  daysIn,
  getWeekday,
  type LocalDay,
  pad2,
  shortDayLabel,
  weekdayNames,
} from '../../time/days.ts'
import { durationText } from '../../time/zones.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'
import {
  type Aggregate,
  type CallFigures,
  type CallGrouping,
  type FullReport,
  type Group,
  type ReportAlert,
  type ReportView,
  sumFigures,
} from './report.ts'
import {
  formatCost,
  formatMedian,
  formatMissedRate,
  formatTalkTime,
  listWaits,
  missedNames,
  NONE,
  nameCalls,
} from './words.ts'

interface ReportRow {
  readonly label: string
  readonly figures: CallFigures
}

/** Ranked groups have long names, and costs. */
const isRanked = (by: CallGrouping) => by === 'line' || by === 'agent'

/** With more rows, a message would be too large for its chart. */
const getMaxRows = (by: CallGrouping) => (isRanked(by) ? 16 : 24)

function labelGroup(by: CallGrouping, key: string, { lines, report }: ReportView): string {
  if (key === '') return by === 'line' ? 'No number' : by === 'agent' ? 'No agent' : 'No time'
  switch (by) {
    case 'line':
      return lines.getLabel(key)
    case 'agent':
      return key
    case 'hour':
      return `${key}:00`
    case 'weekday':
      return weekdayNames[Number(key)] ?? key
    case 'day':
      return `${weekdayNames[getWeekday(key)]?.slice(0, 3)} ${shortDayLabel(key, report.plan.today)}`
  }
}

const sumRows = (label: string, rows: readonly Pick<ReportRow, 'figures'>[]): ReportRow => ({
  label,
  figures: sumFigures(rows.map(({ figures }) => figures)),
})

const byMissed = ({ figures: a }: Group, { figures: b }: Group) => b.missed - a.missed || b.calls - a.calls

/**
 * Lists lines and agents by missed calls, and days, weekdays and hours in their order. One row adds up those that don't fit,
 * of which days are the earliest. Calls in no group come last.
 */
function listRows(groups: readonly Group[], by: CallGrouping, view: ReportView): readonly ReportRow[] {
  const known = groups.filter(({ key }) => key !== '')
  const max = getMaxRows(by)
  const shown = isRanked(by) ? known.toSorted(byMissed).slice(0, max) : known.slice(-max)
  const others = known.filter((group) => !shown.includes(group))
  const which = isRanked(by) ? 'more' : 'earlier'
  const label = `${others.length} ${which} ${by}${others.length === 1 ? '' : 's'}`
  const rows = [...shown, ...groups.filter(({ key }) => key === '')].map(({ key, figures }) => ({
    label: labelGroup(by, key, view),
    figures,
  }))
  return others.length === 0 ? rows : [...rows, sumRows(label, others)]
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
  return [
    { title: capitalize(by), align: 'left', text: ({ label }) => label },
    right(nameCalls({ direction, status }), ({ calls }) => formatNumber(calls)),
    ...(status === undefined ? results : []),
    right('Talk time', ({ seconds }) => formatTalkTime(seconds)),
    ...(isRanked(by) ? [right('Cost', ({ cost }) => formatCost(cost))] : []),
  ]
}

const MAX_TAKERS = 16

interface TakerRow {
  readonly name: string
  readonly waits: readonly Milliseconds[]
  readonly done: number
}

const takerColumns: readonly Column<TakerRow, undefined>[] = [
  { title: 'Person', align: 'left', text: ({ name }) => name },
  { title: 'Taken', align: 'right', text: ({ waits }) => formatNumber(waits.length) },
  { title: 'Median', align: 'right', text: ({ waits }) => formatMedian(waits) },
  {
    title: 'Longest',
    align: 'right',
    text: ({ waits }) => (waits.length === 0 ? NONE : durationText(Math.max(...waits))),
  },
  { title: 'Done', align: 'right', text: ({ done }) => formatNumber(done) },
]

/** Lists who took and finished the alerts of the period, the busiest first. */
function listTakers(alerts: readonly ReportAlert[]): readonly TakerRow[] {
  const marks = alerts.flatMap(({ taken, done }) => [taken, done]).filter((mark) => mark !== undefined)
  const names = new Map(marks.map(({ person, name }) => [person, name]))
  return [...names]
    .map(([person, name]) => ({
      name,
      waits: listWaits(alerts.filter(({ taken }) => taken?.person === person)),
      done: alerts.filter(({ done }) => done?.person === person).length,
    }))
    .sort((a, b) => b.waits.length - a.waits.length || b.done - a.done)
}

/** Returns a table whose rows add up to its last one; undefined if there is nothing to group. */
export function buildReportTable(view: ReportView): Table | undefined {
  const { report } = view
  if ('reason' in report) return undefined
  const { by } = report.plan.query
  if (by === 'person') {
    const people = listTakers(report.alerts ?? [])
    return people.length === 0 ? undefined : fillTable(takerColumns, people.slice(0, MAX_TAKERS), undefined)
  }
  const rows = listRows(report.aggregate.groups[by], by, view)
  return fillTable(buildColumns(report, by), [...rows, sumRows('Total', rows)], undefined)
}

/** @see https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const MAX_BINS = 20

/** Returns the hours from the first to the last that has calls. */
function listHours(groups: readonly Group[]): readonly string[] {
  const hours = groups.filter(({ key }) => key !== '').map(({ key }) => Number(key))
  const [first = 0, last = -1] = [hours[0], hours.at(-1)]
  return Array.from({ length: last - first + 1 }, (_, index) => pad2(first + index))
}

const listDays = ({ from, to }: DayRange): readonly string[] =>
  Array.from({ length: daysIn(from, to) }, (_, index) => addDays(from, index))

/** Counts calls per hour of a single day or per day; if these are too many, several share a bin labeled by the first. */
export function chartBins(
  groups: Pick<Aggregate['groups'], 'hour' | 'day'>,
  range: DayRange,
  today: LocalDay,
) {
  const unit = range.from === range.to ? 'hour' : 'day'
  const keys = unit === 'hour' ? listHours(groups.hour) : listDays(range)
  const figures = new Map(groups[unit].map((group) => [group.key, group.figures]))
  const size = Math.ceil(keys.length / MAX_BINS)
  const bins = keys.flatMap((first, index) => {
    if (index % size > 0) return []
    const own = keys.slice(index, index + size)
    const sum = (status: CallStatus) =>
      own.reduce((total, key) => total + (figures.get(key)?.[status] ?? 0), 0)
    const label = unit === 'hour' ? `${first}:00` : shortDayLabel(first, today)
    return [{ label, answered: sum('answered'), missed: sum('missed') }]
  })
  return { unit: size > 1 ? `${size} ${unit}s` : unit, bins }
}

/** Returns the chart and the same numbers as text, not escaped; undefined if there is nothing to draw. */
export function drawChart({ report, nonce }: ReportView): { block: ChartBlock; words: string } | undefined {
  if ('reason' in report) return undefined
  const { aggregate, plan } = report
  const { direction, status } = plan.query
  const { unit, bins } = chartBins(aggregate.groups, plan.period.days, plan.today)
  if (bins.length === 0) return undefined
  const title = `${capitalize(direction)} calls per ${unit}`
  const names: Readonly<Record<CallStatus, string>> = { answered: 'Answered', missed: missedNames[direction] }
  const statuses: readonly CallStatus[] = status === undefined ? ['answered', 'missed'] : [status]
  const series = statuses.map((own) => ({
    name: names[own],
    data: bins.map((bin) => ({ label: bin.label, value: bin[own] })),
  }))
  const block: ChartBlock = {
    type: 'data_visualization',
    block_id: `report.chart|${nonce}`,
    title,
    chart: { type: 'bar', series, axis_config: { categories: bins.map(({ label }) => label) } },
  }
  const legend = statuses.map((own) => names[own].toLowerCase()).join(' / ')
  const counts = bins.map(
    (bin) => `${bin.label}: ${statuses.map((own) => formatNumber(bin[own])).join(' / ')}`,
  )
  return { block, words: `${title}, ${legend}: ${counts.join(' · ')}` }
}
