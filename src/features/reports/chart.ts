import type { ChartBlock } from '../../slack/blocks/blocks.ts'
import type { CallStatus, Direction } from '../../telephony/types.ts'
import { addDays, daysIn, shortDayLabel } from '../../time/days.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'
import { capital, numberText } from '../../util/text.ts'
import type { Aggregate, Group } from './aggregate.ts'
import type { Report } from './report.ts'
import { missedNames } from './words.ts'

/**
 * Slack takes as many categories in a chart; a title and labels as short as these of ours are.
 * @see https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
 */
const mostBins = 20

interface Bin {
  readonly label: string
  readonly answered: number
  readonly missed: number
}

interface Point {
  readonly key: string
  readonly label: string
}

/** From the first hour that has calls to the last one; of the whole day where these are too many. */
function hoursOf(groups: readonly Group[]): readonly Point[] {
  const [first = 0, last = -1] = [groups[0], groups.at(-1)].flatMap((group) =>
    group ? Number(group.key) : [],
  )
  const keys = Array.from({ length: last + 1 }, (_, hour) => String(hour).padStart(2, '0'))
  const shown = last - first < mostBins ? keys.slice(first) : keys
  return shown.map((key) => ({ key, label: `${key}:00` }))
}

const daysOf = ({ from, to }: DayRange, today: LocalDay): readonly Point[] =>
  Array.from({ length: daysIn(from, to) }, (_, index) => addDays(from, index)).map((key) => ({
    key,
    label: shortDayLabel(key, today),
  }))

/**
 * Per hour where the range is one day, per day otherwise; where these are too many, as many as it takes make one point, named
 * by its first.
 */
export function chartBins(
  groups: Pick<Aggregate['groups'], 'hour' | 'day'>,
  range: DayRange,
  { direction, today }: { direction: Direction; today: LocalDay },
): { readonly unit: string; readonly bins: readonly Bin[] } {
  const unit = range.from === range.to ? 'hour' : 'day'
  const points = unit === 'hour' ? hoursOf(groups.hour) : daysOf(range, today)
  const figures = new Map(groups[unit].map((group) => [group.key, group.figures[direction]]))
  const size = Math.ceil(points.length / mostBins)
  const bins = points.flatMap(({ label }, index): readonly Bin[] => {
    if (index % size > 0) return []
    const own = points.slice(index, index + size)
    const sum = (status: CallStatus) =>
      own.reduce((total, { key }) => total + (figures.get(key)?.[status] ?? 0), 0)
    return [{ label, answered: sum('answered'), missed: sum('missed') }]
  })
  return { unit: size > 1 ? `${size} ${unit}s` : unit, bins }
}

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
  const series = (name: string, status: CallStatus) => ({
    name,
    data: bins.map((bin) => ({ label: bin.label, value: bin[status] })),
  })
  const block: ChartBlock = {
    type: 'data_visualization',
    block_id: `report.chart|${nonce}`,
    title,
    chart: {
      type: 'bar',
      series: [series('Answered', 'answered'), series(missed, 'missed')],
      axis_config: { categories: bins.map(({ label }) => label) },
    },
  }
  const words = bins.map((bin) => `${bin.label}: ${numberText(bin.answered)} / ${numberText(bin.missed)}`)
  return { block, words: `${title}, answered / ${missed.toLowerCase()}: ${words.join(' · ')}` }
}
