import { callsText, resultLabel } from '../../query/texts.ts'
import { type ChartBlock, cut } from '../../slack/blocks/blocks.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import { countOther } from './aggregate.ts'
import type { FullReport, FullView } from './report.ts'
import * as rows from './rows.ts'
import { nameMissed } from './words.ts'

/** @see https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const MAX_BARS = 20
const MAX_BAR_LABEL_LENGTH = 20
/** Leaves one bar for the sum of the others, and one for calls without an agent or a number. */
const MAX_RANKED_BARS = MAX_BARS - 2
/** Leaves one bar of two charts for calls without a time. */
const MAX_BARS_IN_ORDER = 2 * MAX_BARS - 1

interface ChartData {
  readonly title: string
  readonly labels: readonly string[]
  /** By name, with one value for each label. */
  readonly series: ReadonlyMap<string, readonly number[]>
  readonly summary: string
}

/** `Most calls: 10:00 (42).`; empty if no label stands out. */
function describeMost(labels: readonly string[], name: string, values: readonly number[]): string {
  const most = Math.max(...values)
  const index = values.indexOf(most)
  const isShared = values.lastIndexOf(most) !== index
  if (most === 0 || isShared) return ''
  return `Most ${name}: ${labels[index]} (${formatNumber(most)}).`
}

function chartCalls(view: FullView, unit: rows.CallUnit): ChartData {
  const { query } = view.report.plan
  const { direction, status } = query
  const maxBars = rows.isRanked(unit) ? MAX_RANKED_BARS : MAX_BARS_IN_ORDER
  const bars = rows.listRows(view, unit, maxBars)
  const labels = bars.map(({ label }) => label)
  const calls = bars.map((bar) => bar.calls)
  const answered = bars.map((bar) => bar.answered)
  const missed = bars.map((bar) => bar.missed)
  const others = bars.map(countOther)
  const series = new Map<string, readonly number[]>()
  if (status !== 'missed') series.set('Answered', answered)
  if (status !== 'answered') series.set(resultLabel(direction, 'missed'), missed)
  if (others.some((count) => count > 0)) series.set('Other', others)
  const sentences = [describeMost(labels, 'calls', calls)]
  if (status === undefined) sentences.push(describeMost(labels, nameMissed(direction), missed))
  const title = `${capitalize(callsText(query))} per ${unit}`
  return { title, labels, series, summary: sentences.filter(Boolean).join(' ') }
}

function chartPeople(report: FullReport): ChartData {
  const people = rows.listTakers(report, MAX_BARS)
  const labels = people.map(({ name }) => name)
  const taken = people.map(({ waits }) => waits.length)
  const series = new Map([
    ['Taken', taken],
    ['Done', people.map(({ done }) => done)],
  ])
  const title = 'Missed calls per person'
  return { title, labels, series, summary: describeMost(labels, 'taken', taken) }
}

/** Slack requires different labels of up to 20 characters. */
function shortenLabels(labels: readonly string[]): readonly string[] {
  const shortened = new Set<string>()
  for (const label of labels) {
    let short = cut(label, MAX_BAR_LABEL_LENGTH)
    for (let count = 2; shortened.has(short); count += 1) {
      const suffix = ` ${count}`
      short = `${cut(label, MAX_BAR_LABEL_LENGTH - suffix.length)}${suffix}`
    }
    shortened.add(short)
  }
  return [...shortened]
}

function sliceBars(data: ChartData, start: number, end?: number): ChartData {
  const series = new Map<string, readonly number[]>()
  for (const [name, values] of data.series) series.set(name, values.slice(start, end))
  return { ...data, labels: data.labels.slice(start, end), series }
}

function drawBars({ labels, series }: ChartData, title: string, blockId: string): ChartBlock {
  const categories = shortenLabels(labels)
  const chartSeries = [...series].map(([name, values]) => ({
    name,
    data: categories.map((label, index) => ({ label, value: values[index] ?? 0 })),
  }))
  const chart = { type: 'bar', series: chartSeries, axis_config: { categories } } as const
  return { type: 'data_visualization', block_id: blockId, title, chart }
}

/** Charts the rows of the table. Draws nothing if there is nothing to compare, and two charts if the bars don't fit one. */
export function drawChart(view: FullView) {
  const { report, nonce } = view
  const unit = rows.getUnit(report.plan)
  const data = unit === 'person' ? chartPeople(report) : chartCalls(view, unit)
  const { title, labels, summary } = data
  const blockId = `report.chart|${nonce}`
  if (labels.length < 2) return { blocks: [], summary: '' }
  if (labels.length <= MAX_BARS) return { blocks: [drawBars(data, title, blockId)], summary }
  const middle = Math.ceil(labels.length / 2)
  const firstChart = drawBars(sliceBars(data, 0, middle), `${title} (1 of 2)`, blockId)
  const secondChart = drawBars(sliceBars(data, middle), `${title} (2 of 2)`, `${blockId}|2`)
  return { blocks: [firstChart, secondChart], summary }
}
