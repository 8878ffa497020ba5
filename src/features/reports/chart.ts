import { callsText, resultLabel } from '../../query/texts.ts'
import { type ChartBlock, cut } from '../../slack/blocks/blocks.ts'
import { addDays, type DayRange, pad2 } from '../../time/days.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import { type CallFigures, countOther, noFigures } from './aggregate.ts'
import { type DayUnit, getUnitDays } from './period.ts'
import type { FullReport, FullView } from './report.ts'
import * as rows from './rows.ts'
import { nameMissed } from './words.ts'

/** @see https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const MAX_BARS = 20
const MAX_LABEL = 20
/** Leaves room for the sum of the others, and for calls without an agent or a number. */
const MAX_RANKED_BARS = 18

interface Series {
  readonly name: string
  /** One for each label. */
  readonly values: readonly number[]
}

interface ChartData {
  readonly title: string
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly summary: string
}

/** `Most calls: 10:00 (42).`; undefined if no label stands out. */
function describeMost(labels: readonly string[], { name, values }: Series): string | undefined {
  const most = Math.max(...values)
  const index = values.indexOf(most)
  if (most === 0 || index !== values.lastIndexOf(most)) return undefined
  return `Most ${name}: ${labels[index]} (${formatNumber(most)}).`
}

/** Returns the first day of each unit that contains one of the days. */
function fillDays({ from, to }: DayRange, unit: DayUnit): readonly string[] {
  const days: string[] = []
  let unitDays = getUnitDays(from, unit)
  while (unitDays.from <= to) {
    days.push(unitDays.from)
    unitDays = getUnitDays(addDays(unitDays.to, 1), unit)
  }
  return days
}

/** Returns keys in order of time, including those without calls. Hours and weekdays begin and end with one that has calls. */
function listKeys(
  groups: ReadonlyMap<string, CallFigures>,
  unit: rows.CallUnit,
  days: DayRange,
): readonly string[] {
  if (rows.isDayUnit(unit)) return fillDays(days, unit)
  const keys = Array.from({ length: 24 }, (_, step) => (unit === 'hour' ? pad2(step) : String(step)))
  const first = keys.findIndex((key) => groups.has(key))
  const last = keys.findLastIndex((key) => groups.has(key))
  return keys.slice(first, last + 1)
}

/** Returns bars in order of time, or those with the most missed calls. */
function listBars(view: FullView, unit: rows.CallUnit): readonly rows.ReportRow[] {
  const { report } = view
  if (rows.isRanked(unit)) return rows.listRows(view, unit, MAX_RANKED_BARS)
  const groups = new Map(rows.getGroups(report, unit).map(({ key, figures }) => [key, figures]))
  const keys = listKeys(groups, unit, report.plan.period.days)
  return keys.map((key) => ({ ...(groups.get(key) ?? noFigures), label: rows.labelGroup(key, unit, view) }))
}

function chartCalls(view: FullView, unit: rows.CallUnit): ChartData {
  const { query } = view.report.plan
  const { direction, status } = query
  const bars = listBars(view, unit)
  const labels = bars.map(({ label }) => label)
  const missed = bars.map((bar) => bar.missed)
  const series: Series[] = []
  if (status !== 'missed') series.push({ name: 'Answered', values: bars.map(({ answered }) => answered) })
  if (status !== 'answered') series.push({ name: resultLabel(direction, 'missed'), values: missed })
  const others = bars.map(countOther)
  if (others.some((count) => count > 0)) series.push({ name: 'Other', values: others })
  const sentences = [describeMost(labels, { name: 'calls', values: bars.map(({ calls }) => calls) })]
  if (status === undefined)
    sentences.push(describeMost(labels, { name: nameMissed(direction), values: missed }))
  const summary = sentences.filter(Boolean).join(' ')
  return { title: `${capitalize(callsText(query))} per ${unit}`, labels, series, summary }
}

function chartPeople(report: FullReport): ChartData {
  const people = rows.listTakers(report, MAX_BARS)
  const labels = people.map(({ name }) => name)
  const taken = people.map(({ waits }) => waits.length)
  const done = people.map((person) => person.done)
  const series = [
    { name: 'Taken', values: taken },
    { name: 'Done', values: done },
  ]
  const summary = describeMost(labels, { name: 'taken', values: taken }) ?? ''
  return { title: 'Missed calls per person', labels, series, summary }
}

/** Slack requires different labels of up to 20 characters. */
function shortenLabels(labels: readonly string[]): readonly string[] {
  const shortened = new Set<string>()
  for (const label of labels) {
    let short = cut(label, MAX_LABEL)
    for (let count = 2; shortened.has(short); count += 1)
      short = `${cut(label, MAX_LABEL - ` ${count}`.length)} ${count}`
    shortened.add(short)
  }
  return [...shortened]
}

function drawPart({ title, labels, series }: ChartData, blockId: string): ChartBlock {
  const categories = shortenLabels(labels)
  const drawn = series.map(({ name, values }) => ({
    name,
    data: categories.map((label, index) => ({ label, value: values[index] ?? 0 })),
  }))
  return {
    type: 'data_visualization',
    block_id: blockId,
    title,
    chart: { type: 'bar', series: drawn, axis_config: { categories } },
  }
}

function slicePart(data: ChartData, part: string, start: number, end: number): ChartData {
  const series = data.series.map(({ name, values }) => ({ name, values: values.slice(start, end) }))
  return { ...data, title: `${data.title} (${part})`, labels: data.labels.slice(start, end), series }
}

interface ReportChart {
  /** Empty if there is nothing to compare; two if the bars don't fit one. */
  readonly blocks: readonly ChartBlock[]
  /** Up to two sentences; may be empty. */
  readonly summary: string
}

/** Charts what the table groups by, if there is something to compare. */
export function drawChart(view: FullView): ReportChart {
  const { report, nonce } = view
  const unit = rows.getUnit(report.plan)
  const data = unit === 'person' ? chartPeople(report) : chartCalls(view, unit)
  const { labels, summary } = data
  const id = `report.chart|${nonce}`
  if (labels.length < 2) return { blocks: [], summary: '' }
  if (labels.length <= MAX_BARS) return { blocks: [drawPart(data, id)], summary }
  const middle = Math.ceil(labels.length / 2)
  const first = slicePart(data, '1 of 2', 0, middle)
  const second = slicePart(data, '2 of 2', middle, labels.length)
  return { blocks: [drawPart(first, id), drawPart(second, `${id}|2`)], summary }
}
