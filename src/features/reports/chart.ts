import { callsText, resultLabel } from '../../query/texts.ts'
import { type ChartBlock, cut } from '../../slack/blocks/blocks.ts'
import type { CallStatus } from '../../telephony/types.ts'
import { addDays, pad2 } from '../../time/days.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import {
  type CallFigures,
  type CallGrouping,
  countOther,
  type FullReport,
  type ReportView,
  sumFigures,
} from './report.ts'
import {
  endOfUnit,
  getUnit,
  isDayUnit,
  isRanked,
  labelGroup,
  listGroups,
  listRows,
  listTakers,
  type ReportRow,
  startOfUnit,
} from './rows.ts'

/** @see https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const MAX_BARS = 20
const MAX_LABEL = 20
/** Leaves room for the sum of the others, and for calls without an agent or a number. */
const MAX_RANKED_BARS = 18

interface Series {
  readonly name: string
  /** One value for each label. */
  readonly values: readonly number[]
}

interface ChartData {
  readonly title: string
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  /** The summary names who or what has most of these: `calls`, `missed`. */
  readonly compared: readonly Series[]
}

/** Returns hours or weekdays from the first to the last that has calls. */
function fillSteps(keys: readonly string[], width: number): readonly string[] {
  const numbers = keys.filter((key) => key !== '').map(Number)
  const steps: string[] = []
  for (let step = Math.min(...numbers); step <= Math.max(...numbers); step += 1)
    steps.push(width === 2 ? pad2(step) : String(step))
  return steps
}

/** Returns rows in order of time, with those that have no calls. */
function fillGaps(view: ReportView, report: FullReport, by: CallGrouping): readonly ReportRow[] {
  const unit = getUnit(report.plan)
  const groups = new Map(listGroups(report, by).map(({ key, figures }) => [key, figures]))
  let keys: readonly string[] = []
  if (isDayUnit(unit)) {
    const { from, to } = report.plan.period.days
    const days: string[] = []
    for (let day = startOfUnit(from, unit); day <= to; day = addDays(endOfUnit(day, unit), 1)) days.push(day)
    keys = days
  } else keys = fillSteps([...groups.keys()], unit === 'hour' ? 2 : 1)
  return keys.map((key) => ({
    label: labelGroup(key, unit, view),
    figures: groups.get(key) ?? sumFigures([]),
  }))
}

type ChartResult = CallStatus | 'other'

function countResult(figures: CallFigures, result: ChartResult): number {
  return result === 'other' ? countOther(figures) : figures[result]
}

function chartCalls(view: ReportView, report: FullReport, by: CallGrouping): ChartData {
  const { direction, status } = report.plan.query
  const rows = isRanked(by) ? listRows(view, report, by, MAX_RANKED_BARS) : fillGaps(view, report, by)
  const results: ChartResult[] = status === undefined ? ['answered', 'missed'] : [status]
  if (countOther(report.aggregate.figures) > 0) results.push('other')
  const names = { answered: 'Answered', missed: resultLabel(direction, 'missed'), other: 'Other' }
  const series = results.map((result) => ({
    name: names[result],
    values: rows.map(({ figures }) => countResult(figures, result)),
  }))
  const compared = [{ name: 'calls', values: rows.map(({ figures }) => figures.calls) }]
  if (status === undefined) {
    const name = direction === 'incoming' ? 'missed' : 'unanswered'
    compared.push({ name, values: rows.map(({ figures }) => figures.missed) })
  }
  const title = `${capitalize(callsText(report.plan.query))} per ${getUnit(report.plan)}`
  return { title, labels: rows.map(({ label }) => label), series, compared }
}

function chartPeople({ handled }: FullReport): ChartData {
  const people = handled ? listTakers(handled).slice(0, MAX_BARS) : []
  const taken = people.map(({ waits }) => waits.length)
  return {
    title: 'Missed calls per person',
    labels: people.map(({ name }) => name),
    series: [
      { name: 'Taken', values: taken },
      { name: 'Done', values: people.map(({ done }) => done) },
    ],
    compared: [{ name: 'taken', values: taken }],
  }
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

/** `Most calls: 10:00 (42). Most missed: 09:00 (12).` */
function summarize({ labels, compared }: ChartData): string {
  const sentences: string[] = []
  for (const { name, values } of compared) {
    const most = Math.max(...values)
    const first = values.indexOf(most)
    // Of several with as many, none stands out.
    if (most === 0 || first !== values.lastIndexOf(most)) continue
    sentences.push(`Most ${name}: ${labels[first]} (${formatNumber(most)}).`)
  }
  return sentences.join(' ')
}

function drawPart(
  { title, labels, series }: ChartData,
  start: number,
  end: number,
  blockId: string,
): ChartBlock {
  const categories = shortenLabels(labels.slice(start, end))
  return {
    type: 'data_visualization',
    block_id: blockId,
    title,
    chart: {
      type: 'bar',
      series: series.map(({ name, values }) => ({
        name,
        data: categories.map((label, index) => ({ label, value: values[start + index] ?? 0 })),
      })),
      axis_config: { categories },
    },
  }
}

export interface ReportChart {
  /** Two if there are too many bars for one. */
  readonly blocks: readonly ChartBlock[]
  /** What the chart shows, in up to two sentences; may be empty. */
  readonly summary: string
}

/** Charts what the table groups by. Returns undefined if there is nothing to compare. */
export function drawChart(view: ReportView): ReportChart | undefined {
  const { report, nonce } = view
  if ('reason' in report) return undefined
  const { by } = report.plan.query
  const data = by === 'person' ? chartPeople(report) : chartCalls(view, report, by)
  const count = data.labels.length
  if (count < 2) return undefined
  const summary = summarize(data)
  const id = `report.chart|${nonce}`
  if (count <= MAX_BARS) return { blocks: [drawPart(data, 0, count, id)], summary }
  const middle = Math.ceil(count / 2)
  const { title } = data
  const blocks = [
    drawPart({ ...data, title: `${title} (1 of 2)` }, 0, middle, id),
    drawPart({ ...data, title: `${title} (2 of 2)` }, middle, count, `${id}|2`),
  ]
  return { blocks, summary }
}
