import { callsText, resultLabel } from '../../query/texts.ts'
import { type ChartBlock, cut } from '../../slack/blocks/blocks.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import { countOther } from './aggregate.ts'
import type { FullReport, FullView } from './report.ts'
import * as rows from './rows.ts'
import { nameMissed } from './words.ts'

/** @see https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const MAX_BARS = 20
const MAX_LABEL = 20
/** Leaves room for the sum of the others, and for calls without an agent or a number. */
const MAX_RANKED_BARS = 18
/** Fills two charts, with calls without a time. */
const MAX_BARS_IN_ORDER = 39

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

function chartCalls(view: FullView, unit: rows.CallUnit): ChartData {
  const { query } = view.report.plan
  const { direction, status } = query
  const maxBars = rows.isRanked(unit) ? MAX_RANKED_BARS : MAX_BARS_IN_ORDER
  const bars = rows.listRows(view, unit, maxBars)
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

interface ChartPart {
  readonly title: string
  readonly blockId: string
  readonly start: number
  readonly end: number
}

function drawPart({ labels, series }: ChartData, { title, blockId, start, end }: ChartPart): ChartBlock {
  const categories = shortenLabels(labels.slice(start, end))
  const drawn = series.map(({ name, values }) => ({
    name,
    data: categories.map((label, index) => ({ label, value: values[start + index] ?? 0 })),
  }))
  return {
    type: 'data_visualization',
    block_id: blockId,
    title,
    chart: { type: 'bar', series: drawn, axis_config: { categories } },
  }
}

/** Charts the rows of the table. Draws nothing if there is nothing to compare, and two charts if the bars don't fit one. */
export function drawChart(view: FullView) {
  const { report, nonce } = view
  const unit = rows.getUnit(report.plan)
  const data = unit === 'person' ? chartPeople(report) : chartCalls(view, unit)
  const { title, summary } = data
  const blockId = `report.chart|${nonce}`
  const end = data.labels.length
  if (end < 2) return { blocks: [], summary: '' }
  if (end <= MAX_BARS) return { blocks: [drawPart(data, { title, blockId, start: 0, end })], summary }
  const middle = Math.ceil(end / 2)
  const first = { title: `${title} (1 of 2)`, blockId, start: 0, end: middle }
  const second = { title: `${title} (2 of 2)`, blockId: `${blockId}|2`, start: middle, end }
  return { blocks: [drawPart(data, first), drawPart(data, second)], summary }
}
