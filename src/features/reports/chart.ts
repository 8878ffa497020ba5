import { type ChartBlock, cut } from '../../slack/blocks/blocks.ts'
import { addDays, daysIn, shortDayLabel } from '../../time/days.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'
import { numberText } from '../../util/text.ts'
import type { Group } from './aggregate.ts'
import { missedNames } from './figure-texts.ts'
import type { Report } from './report.ts'

/** Slack takes as many categories in a chart. */
const mostBins = 20

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const limits = { title: 50, label: 20 } as const

/**
 * Bars for each category, one of each series.
 * @param options.categories 20 at most, no two alike
 * @param options.series 6 at most, no two of a name, a value for each category
 */
function barChart(options: {
  /** Fresh on every replacement. */
  readonly blockId: string
  readonly title: string
  readonly categories: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
}): ChartBlock {
  const categories = options.categories.map((category) => cut(category, limits.label))
  return {
    type: 'data_visualization',
    block_id: options.blockId,
    title: cut(options.title, limits.title),
    chart: {
      type: 'bar',
      series: options.series.map(({ name, values }) => ({
        name: cut(name, limits.label),
        data: categories.map((label, at) => ({ label, value: values[at] ?? 0 })),
      })),
      axis_config: { categories },
    },
  }
}

/** A point of the chart: some days, or some hours of one. */
interface Bin {
  readonly label: string
  readonly incoming: { readonly answered: number; readonly missed: number }
  readonly outgoing: { readonly answered: number; readonly missed: number }
}

interface Bins {
  /** What one of them stands for: `day`, `2 hours`. */
  readonly unit: string
  readonly bins: readonly Bin[]
}

const two = (n: number) => String(n).padStart(2, '0')

function sumOf(groups: readonly (Group | undefined)[], label: string): Bin {
  const sum = (direction: 'incoming' | 'outgoing', status: 'answered' | 'missed') =>
    groups.reduce((total, group) => total + (group?.figures[direction][status] ?? 0), 0)
  const of = (direction: 'incoming' | 'outgoing') => ({
    answered: sum(direction, 'answered'),
    missed: sum(direction, 'missed'),
  })
  return { label, incoming: of('incoming'), outgoing: of('outgoing') }
}

/** From the first hour that has calls to the last one; where these are too many, two hours make one point. */
function hourBins(groups: readonly Group[]): Bins {
  const byHour = new Map(groups.map((group) => [Number(group.key), group]))
  const hours = [...byHour.keys()]
  if (hours.length === 0) return { unit: 'hour', bins: [] }
  const [first, last] = [Math.min(...hours), Math.max(...hours)]
  const size = last - first + 1 > mostBins ? 2 : 1
  const start = size === 1 ? first : 0
  const bins: Bin[] = []
  for (let hour = start; hour <= last; hour += size) {
    const own = Array.from({ length: size }, (_, index) => byHour.get(hour + index))
    bins.push(sumOf(own, `${two(hour)}:00`))
  }
  return { unit: size === 1 ? 'hour' : '2 hours', bins }
}

/** Each day of the range; where these are too many, as many days as it takes make one point, named by its first. */
function dayBins(groups: readonly Group[], { from, to }: DayRange, today: LocalDay): Bins {
  const byDay = new Map(groups.map((group) => [group.key, group]))
  const count = daysIn(from, to)
  const size = Math.ceil(count / mostBins)
  const bins: Bin[] = []
  for (let index = 0; index < count; index += size) {
    const days = Array.from({ length: Math.min(size, count - index) }, (_, n) => addDays(from, index + n))
    const label = shortDayLabel(days[0] ?? from, today)
    bins.push(
      sumOf(
        days.map((day) => byDay.get(day)),
        label,
      ),
    )
  }
  return { unit: size === 1 ? 'day' : `${size} days`, bins }
}

/** Per hour where the range is one day, per day otherwise. */
export const chartBins = (
  groups: { readonly hour: readonly Group[]; readonly day: readonly Group[] },
  range: DayRange,
  today: LocalDay,
): Bins => (range.from === range.to ? hourBins(groups.hour) : dayBins(groups.day, range, today))

/** The chart and the same figures in words. */
interface ReportChart {
  readonly block: ChartBlock
  /** Not escaped. */
  readonly words: string
}

/** Of a report of both directions: the incoming ones, since of these somebody waited in vain. */
const directionOf = ({ plan }: Report) => plan.query.direction ?? 'incoming'

const titleOf = (report: Report, { unit }: Bins) =>
  `${directionOf(report) === 'incoming' ? 'Incoming' : 'Outgoing'} calls per ${unit}`

function wordsOf(report: Report, title: string, bins: readonly Bin[]): string {
  const direction = directionOf(report)
  const parts = bins.map((bin) => {
    const { answered, missed } = bin[direction]
    return `${bin.label}: ${numberText(answered)} / ${numberText(missed)}`
  })
  return `${title}, answered / ${missedNames[direction].toLowerCase()}: ${parts.join(' · ')}`
}

/** `undefined` where there is nothing to draw: no records were read, or there are no calls. */
export function chartOf(report: Report, today: LocalDay, nonce: string): ReportChart | undefined {
  const { aggregate, plan } = report
  const direction = directionOf(report)
  if (!aggregate?.figures[direction].calls) return undefined
  const bins = chartBins(aggregate.groups, plan.period.days, today)
  const title = titleOf(report, bins)
  const valuesOf = (status: 'answered' | 'missed') => bins.bins.map((bin) => bin[direction][status])
  if (bins.bins.length === 0) return undefined
  const block = barChart({
    blockId: `report.chart|${nonce}`,
    title,
    categories: bins.bins.map(({ label }) => label),
    series: [
      { name: 'Answered', values: valuesOf('answered') },
      { name: missedNames[direction], values: valuesOf('missed') },
    ],
  })
  return { block, words: wordsOf(report, title, bins.bins) }
}
