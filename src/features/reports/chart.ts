import { type ChartBlock, cut } from '../../slack/blocks/blocks.ts'
import type { CallStatus, Direction } from '../../telephony/types.ts'
import { addDays, daysIn, shortDayLabel } from '../../time/days.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'
import { capital, numberText } from '../../util/text.ts'
import type { Group } from './aggregate.ts'
import type { Report } from './report.ts'
import { missedNames } from './words.ts'

/** Slack takes as many categories in a chart. */
const mostBins = 20

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const limits = { title: 50, label: 20 } as const

/** A point of the chart: some days, or some hours of one. */
interface Bin {
  readonly label: string
  readonly answered: number
  readonly missed: number
}

const hourOf = (hour: number) => String(hour).padStart(2, '0')

/** From the first hour that has calls to the last one; of the whole day where these are too many. */
function hoursOf(groups: readonly Group[]): readonly string[] {
  const hours = groups.map(({ key }) => Number(key))
  if (hours.length === 0) return []
  const [first, last] = [Math.min(...hours), Math.max(...hours)]
  const all = Array.from({ length: last + 1 }, (_, hour) => hourOf(hour))
  return last - first < mostBins ? all.slice(first) : all
}

/**
 * Per hour where the range is one day, per day otherwise; where these are too many, as many as it takes make one point, named
 * by its first.
 */
export function chartBins(
  groups: { readonly hour: readonly Group[]; readonly day: readonly Group[] },
  { from, to }: DayRange,
  { direction, today }: { direction: Direction; today: LocalDay },
): { readonly unit: string; readonly bins: readonly Bin[] } {
  const isOfHours = from === to
  const points: readonly { readonly key: string; readonly label: string }[] = isOfHours
    ? hoursOf(groups.hour).map((key) => ({ key, label: `${key}:00` }))
    : Array.from({ length: daysIn(from, to) }, (_, index) => addDays(from, index)).map((key) => ({
        key,
        label: shortDayLabel(key, today),
      }))
  const byKey = new Map((isOfHours ? groups.hour : groups.day).map(({ key, figures }) => [key, figures]))
  const size = Math.ceil(points.length / mostBins)
  const bins = points.flatMap(({ label }, index): readonly Bin[] => {
    if (index % size > 0) return []
    const own = points.slice(index, index + size).map(({ key }) => byKey.get(key)?.[direction])
    const sum = (status: CallStatus) => own.reduce((total, figures) => total + (figures?.[status] ?? 0), 0)
    return [{ label, answered: sum('answered'), missed: sum('missed') }]
  })
  const unit = isOfHours ? 'hour' : 'day'
  return { unit: size > 1 ? `${size} ${unit}s` : unit, bins }
}

/** The chart and the same figures in words. */
interface ReportChart {
  readonly block: ChartBlock
  /** Not escaped. */
  readonly words: string
}

/** `undefined` where there is nothing to draw: no records were read, or there are no calls. */
export function chartOf(
  { aggregate, plan }: Report,
  today: LocalDay,
  nonce: string,
): ReportChart | undefined {
  // Of a report of both: of the incoming ones somebody waited in vain.
  const { direction = 'incoming' } = plan.query
  if (!aggregate?.figures[direction].calls) return undefined
  const { unit, bins } = chartBins(aggregate.groups, plan.period.days, { direction, today })
  if (bins.length === 0) return undefined
  const title = `${capital(direction)} calls per ${unit}`
  const missed = missedNames[direction]
  // No two labels of a chart are alike.
  const labels = bins.map(({ label }) => cut(label, limits.label))
  const series = (name: string, count: (bin: Bin) => number) => ({
    name: cut(name, limits.label),
    data: bins.map((bin, at) => ({ label: labels[at] ?? '', value: count(bin) })),
  })
  const block: ChartBlock = {
    type: 'data_visualization',
    // Fresh on every replacement.
    block_id: `report.chart|${nonce}`,
    title: cut(title, limits.title),
    chart: {
      type: 'bar',
      series: [series('Answered', (bin) => bin.answered), series(missed, (bin) => bin.missed)],
      axis_config: { categories: labels },
    },
  }
  const words = bins.map((bin) => `${bin.label}: ${numberText(bin.answered)} / ${numberText(bin.missed)}`)
  return { block, words: `${title}, answered / ${missed.toLowerCase()}: ${words.join(' · ')}` }
}
