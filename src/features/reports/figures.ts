import { filtersText, namedFilters } from '../../query/call-filters.ts'
import type { Grouping } from '../../query/filters.ts'
import { callCount, callsText, daysText, getAgentText, noCallsText, resultLabel } from '../../query/texts.ts'
import { type ChartBlock, type Column, cut, fillTable, type Table } from '../../slack/blocks/blocks.ts'
import { ALERTS_KEPT_MS } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatMoney, type Money } from '../../telephony/money.ts'
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
import { rangeZoneLabel } from '../../time/range-requests.ts'
import { durationText, wallTime } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'
import type { ReportQuery } from './actions.ts'
import type { HandledCalls, PersonFigures } from './handled.ts'
import {
  type Aggregate,
  type CallFigures,
  type CallGrouping,
  countOther,
  type FullReport,
  type Group,
  MAX_REPORT_AGENTS,
  type Report,
  type ReportPlan,
  type ReportView,
  subtractFigures,
  sumFigures,
  type Totals,
} from './report.ts'

// The texts in this file aren't escaped.

/** `Call report: 15–21 Nov 2026`, `Anna Smith, call report: Fri 20 Nov 2026` */
export function describeReport({ query, period }: ReportPlan, lines: LineNames): string {
  const line = query.line && lines.getLabel(query.line)
  const subjects = [getAgentText(query), line].filter((one) => one !== undefined)
  const title = subjects.length === 0 ? 'Call report' : `${subjects.join(', ')}, call report`
  return `${title}: ${daysText(period.days)}`
}

/** `Incoming calls · line Sales Berlin · by hour · Europe/Berlin (UTC+01:00) · As of 21 Nov 15:00` */
export function describeScope({ query, zone, instant, today }: ReportPlan, lines: LineNames): string {
  const time = wallTime(zone, instant)
  return [
    capitalize(`${callsText(query)}${filtersText(query, namedFilters)}`),
    ...(query.line === undefined ? [] : [`line ${lines.getDetail(query.line)}`]),
    ...(query.number === undefined ? [] : [`numbers with ${query.number}`]),
    `by ${query.by}`,
    rangeZoneLabel(zone, query, instant),
    `As of ${shortDayLabel(time, today)} ${time.slice(11, 16)}`,
  ].join(' · ')
}

export const describeEmpty = ({ query, period }: ReportPlan, lines: LineNames): string =>
  noCallsText({ ...query, ...period.days, lineName: query.line && lines.getLabel(query.line) })

/** With fewer calls, a change means nothing. */
const MIN_COMPARED_CALLS = 10

const isComparable = ({ aggregate, before }: FullReport) =>
  Math.min(aggregate.figures.calls, before.calls) >= MIN_COMPARED_CALLS

export function describeComparison(report: FullReport): string {
  const { before, zone, today } = report.plan
  const days = daysText(before.days, today)
  if (!isComparable(report)) return `Too few calls to compare with ${days}.`
  const until = wallTime(zone, new Date(before.end - 1)).slice(11, 16)
  return `Compared with ${days}${before.isComplete ? '' : `, up to ${until}`}.`
}

const totalsReasons: Readonly<Record<Totals['reason'], readonly [why: string, hint: string]>> = {
  records: ['There are too many calls for a full report', 'Pick fewer days to see the rest.'],
  time: ['This took too long', 'Pick fewer days to see the rest.'],
  agents: [`A table by agent has up to ${MAX_REPORT_AGENTS} agents`, 'Pick one agent or another table.'],
}

function describeTotals({ plan, reason, calls }: Totals): readonly string[] {
  const [why, hint] = totalsReasons[reason]
  if (calls === undefined) return [`${why}. ${hint}`]
  const note = `${why}, so here are just the totals. ${hint}`
  if (plan.period.isExact) return [note]
  return [note, 'The clocks changed during this period, so calls around midnight may fall on the next day.']
}

export function describeNotes(report: Report): readonly string[] {
  if ('reason' in report) return describeTotals(report)
  const { aggregate, handled, plan } = report
  const { count, example } = aggregate.unreadable
  const notes: string[] = []
  if (plan.query.by === 'person' && handled?.people.size === 0)
    notes.push('Nobody has taken a missed call of these days.')
  const other = describeOtherResults(aggregate)
  if (other !== undefined) notes.push(other)
  const suchAs = example === '' ? '' : `, such as "${cut(example, 40)}"`
  if (count > 0) notes.push(`Values of ${callCount(count)} can't be read${suchAs}. They are left out.`)
  return notes
}

const MAX_LISTED_RESULTS = 5

/** `30 calls have another result: FAILED 21, BUSY 9.` */
function describeOtherResults({ figures, otherResults }: Aggregate): string | undefined {
  const all = countOther(figures)
  if (all === 0) return undefined
  const listed = otherResults.slice(0, MAX_LISTED_RESULTS)
  const parts = listed.map(({ name, count }) => `${cut(name, 40) || 'none'} ${formatNumber(count)}`)
  const rest = all - listed.reduce((sum, { count }) => sum + count, 0)
  if (rest > 0) parts.push(`others ${formatNumber(rest)}`)
  return `${callCount(all)} ${all === 1 ? 'has' : 'have'} another result: ${parts.join(', ')}.`
}

const NONE = '–'

/** `5 h 42 min`, `16 min`, `3 min 12 s`, `48 s` */
function formatTalkTime(seconds: number): string {
  const isShort = seconds < 600
  const minutes = isShort ? Math.floor(seconds / 60) : Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const parts = [
    hours > 0 && `${formatNumber(hours)} h`,
    minutes % 60 > 0 && `${minutes % 60} min`,
    isShort && seconds % 60 > 0 && `${seconds % 60} s`,
  ]
  return parts.filter(Boolean).join(' ') || NONE
}

const formatCost = (cost: Money): string => (cost.units === 0n ? NONE : formatMoney(cost))

const formatMissedRate = ({ calls, missed }: CallFigures): string => `${Math.round((missed * 100) / calls)}%`

/** @param size formatted without a sign */
const formatChange = (difference: number | bigint, size: string) =>
  Number(difference) === 0 ? ' (no change)' : ` (${difference > 0 ? '+' : '−'}${size})`

/** Rounds the difference of exact rates: the difference of rounded rates may be one off. */
function formatRateChange(now: CallFigures, before: CallFigures): string {
  const share = now.missed / now.calls - before.missed / before.calls
  const points = Math.round(Math.abs(share) * 100)
  return formatChange(Math.sign(share) * points, points === 1 ? '1 point' : `${points} points`)
}

const nameCalls = ({ direction, status }: Pick<ReportQuery, 'direction' | 'status'>): string =>
  status === undefined ? capitalize(direction) : resultLabel(direction, status)

export function listFacts(report: Report): readonly (readonly [name: string, value: string])[] {
  const { query } = report.plan
  const callsName = nameCalls(query)
  const missedName = resultLabel(query.direction, 'missed')
  if ('reason' in report) {
    const counts = [[callsName, report.calls] as const, [missedName, report.missed] as const]
    return counts.flatMap(([name, count]) => (count === undefined ? [] : [[name, formatNumber(count)]]))
  }
  const { aggregate, before, handled } = report
  const now = aggregate.figures
  const difference = isComparable(report) ? subtractFigures(now, before) : undefined
  const withChange = (name: 'calls' | 'answered' | 'missed' | 'seconds', format: (size: number) => string) =>
    `${format(now[name])}${difference ? formatChange(difference[name], format(Math.abs(difference[name]))) : ''}`
  const rate = `${formatMissedRate(now)}${difference ? formatRateChange(now, before) : ''}`
  const costChange =
    difference && now.cost.units !== 0n
      ? formatChange(difference.cost.units, formatCost(difference.cost).replace('-', ''))
      : ''
  const average = now.answered === 0 ? 0 : Math.round(now.seconds / now.answered)
  return [
    [callsName, withChange('calls', formatNumber)],
    ...(query.status === undefined
      ? [
          [missedName, `${withChange('missed', formatNumber)} · ${rate}`] as const,
          ['Answered', withChange('answered', formatNumber)] as const,
        ]
      : []),
    ...(countOther(now) === 0 ? [] : [['Other results', formatNumber(countOther(now))] as const]),
    ['Talk time', now.seconds === 0 ? NONE : withChange('seconds', formatTalkTime)],
    ['Average length', formatTalkTime(average)],
    ['Cost', `${formatCost(now.cost)}${costChange}`],
    ...(handled && handled.missed > 0 ? [['Alerts', describeHandled(handled, report.plan)] as const] : []),
  ]
}

function formatMedian(waits: readonly Milliseconds[]): string {
  const sorted = waits.toSorted((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1]
  const high = sorted[sorted.length >> 1]
  return low === undefined || high === undefined ? NONE : durationText((low + high) / 2)
}

/** `58 missed · 46 taken · 40 done · 12 waiting, typically taken after 1 min` */
function describeHandled(handled: HandledCalls, { instant, period }: ReportPlan): string {
  const { missed, taken, done, waiting, waits } = handled
  const isPartial = instant.getTime() - period.start > ALERTS_KEPT_MS
  const range = isPartial ? ` in the last ${ALERTS_KEPT_MS / dayMs} days` : ''
  const counts = [
    `${formatNumber(missed)} missed${range}`,
    `${formatNumber(taken)} taken`,
    `${formatNumber(done)} done`,
    `${formatNumber(waiting)} waiting`,
  ].join(' · ')
  if (taken === 0) return counts
  return `${counts}, ${taken === 1 ? '' : 'typically '}taken after ${formatMedian(waits)}`
}

export function describeNotTaken(report: Report): string | undefined {
  const waiting = ('handled' in report && report.handled?.waiting) || 0
  if (waiting === 0) return undefined
  return waiting === 1 ? 'A missed call is waiting' : `${formatNumber(waiting)} missed calls are waiting`
}

interface ReportRow {
  readonly label: string
  readonly figures: CallFigures
}

/** True for tables that aren't ordered by time. */
export const isRanked = (by: Grouping) => by === 'line' || by === 'agent' || by === 'person'

/** With more rows, a message would be too large for its chart. */
const MAX_ROWS = { ranked: 16, inOrder: 24 }

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

/** Adds up the rows that don't fit: those with the fewest missed calls, or the earliest days. */
function listRows(groups: readonly Group[], by: CallGrouping, view: ReportView): readonly ReportRow[] {
  const known = groups.filter(({ key }) => key !== '')
  const shown = isRanked(by)
    ? known.toSorted(byMissed).slice(0, MAX_ROWS.ranked)
    : known.slice(-MAX_ROWS.inOrder)
  const others = known.filter((group) => !shown.includes(group))
  const label = countNoun(others.length, `${isRanked(by) ? 'more' : 'earlier'} ${by}`)
  const rows = [...shown, ...groups.filter(({ key }) => key === '')].map(({ key, figures }) => ({
    label: labelGroup(by, key, view),
    figures,
  }))
  if (others.length === 0) return rows
  return isRanked(by) ? [...rows, sumRows(label, others)] : [sumRows(label, others), ...rows]
}

function buildColumns(report: FullReport, by: CallGrouping): readonly Column<ReportRow>[] {
  const { direction, status } = report.plan.query
  const numberColumn = (title: string, format: (figures: CallFigures) => string): Column<ReportRow> => ({
    title,
    align: 'right',
    text: ({ figures }) => format(figures),
    lineText: (text) => `${title}: ${text}`,
  })
  const results = [
    numberColumn(resultLabel(direction, 'missed'), ({ missed }) => formatNumber(missed)),
    numberColumn(direction === 'incoming' ? 'Missed rate' : 'No answer rate', formatMissedRate),
  ]
  return [
    { title: capitalize(by), text: ({ label }) => label },
    numberColumn(nameCalls({ direction, status }), ({ calls }) => formatNumber(calls)),
    ...(status === undefined ? results : []),
    numberColumn('Talk time', ({ seconds }) => formatTalkTime(seconds)),
    ...(isRanked(by) ? [numberColumn('Cost', ({ cost }) => formatCost(cost))] : []),
  ]
}

const takerColumns: readonly Column<PersonFigures>[] = [
  { title: 'Person', text: ({ name }) => name },
  { title: 'Taken', align: 'right', text: ({ waits }) => formatNumber(waits.length) },
  { title: 'Typical wait', align: 'right', text: ({ waits }) => formatMedian(waits) },
  {
    title: 'Longest wait',
    align: 'right',
    text: ({ waits, longestMs }) => (waits.length === 0 ? NONE : durationText(longestMs)),
  },
  { title: 'Done', align: 'right', text: ({ done }) => formatNumber(done) },
]

const listTakers = ({ people }: HandledCalls): readonly PersonFigures[] =>
  [...people.values()].sort((a, b) => b.waits.length - a.waits.length || b.done - a.done)

export function buildReportTable(view: ReportView): Table | undefined {
  const { report } = view
  if ('reason' in report) return undefined
  const { by } = report.plan.query
  if (by === 'person') {
    const people = report.handled ? listTakers(report.handled) : []
    return people.length === 0
      ? undefined
      : fillTable(takerColumns, people.slice(0, MAX_ROWS.ranked), undefined)
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

type ChartSeries = CallStatus | 'other'

function countResult(figures: CallFigures | undefined, result: ChartSeries): number {
  if (figures === undefined) return 0
  return result === 'other' ? countOther(figures) : figures[result]
}

/** Counts calls per hour of a single day, or per day. Several share a bin if there are more than `MAX_BINS`. */
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
    const sum = (result: ChartSeries) =>
      own.reduce((total, key) => total + countResult(figures.get(key), result), 0)
    const label = unit === 'hour' ? `${first}:00` : shortDayLabel(first, today)
    return [{ label, answered: sum('answered'), missed: sum('missed'), other: sum('other') }]
  })
  return { unit: size > 1 ? `${size} ${unit}s` : unit, bins }
}

/** Returns the chart, and the same numbers as text. */
export function drawChart({ report, nonce }: ReportView): { block: ChartBlock; words: string } | undefined {
  if ('reason' in report) return undefined
  const { aggregate, plan } = report
  const { direction, status } = plan.query
  const { unit, bins } = chartBins(aggregate.groups, plan.period.days, plan.today)
  if (bins.length === 0) return undefined
  const title = `${capitalize(direction)} calls per ${unit}`
  const names = { answered: 'Answered', missed: resultLabel(direction, 'missed'), other: 'Other' }
  const statuses: ChartSeries[] = status === undefined ? ['answered', 'missed'] : [status]
  if (countOther(aggregate.figures) > 0) statuses.push('other')
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
