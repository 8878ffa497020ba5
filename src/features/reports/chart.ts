import type { ChartBlock } from '../../slack/blocks/blocks.ts'
import type { CallStatus } from '../../telephony/types.ts'
import { addDays, type DayRange, daysIn, type LocalDay, shortDayLabel } from '../../time/days.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import type { Aggregate, Group, Report } from './report.ts'
import { missedNames } from './words.ts'

/** @see https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
const MAX_BINS = 20

interface Bin {
  readonly label: string
  readonly answered: number
  readonly missed: number
}

interface Point {
  readonly key: string
  readonly label: string
}

/** Returns the hours from the first to the last that has calls. */
function listHours(groups: readonly Group[]): readonly Point[] {
  const hours = groups.flatMap(({ key }) => (key === '' ? [] : Number(key)))
  const [first = 0, last = -1] = [hours[0], hours.at(-1)]
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index).padStart(2, '0')).map(
    (key) => ({ key, label: `${key}:00` }),
  )
}

const listDays = ({ from, to }: DayRange, today: LocalDay): readonly Point[] =>
  Array.from({ length: daysIn(from, to) }, (_, index) => addDays(from, index)).map((key) => ({
    key,
    label: shortDayLabel(key, today),
  }))

/** Counts calls per hour of a single day or per day; if these are too many, several share a bin labeled by the first. */
export function chartBins(
  groups: Pick<Aggregate['groups'], 'hour' | 'day'>,
  range: DayRange,
  today: LocalDay,
): { readonly unit: string; readonly bins: readonly Bin[] } {
  const unit = range.from === range.to ? 'hour' : 'day'
  const points = unit === 'hour' ? listHours(groups.hour) : listDays(range, today)
  const figures = new Map(groups[unit].map((group) => [group.key, group.figures]))
  const size = Math.ceil(points.length / MAX_BINS)
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
  /** The same numbers as text, not escaped. */
  readonly words: string
}

/** Returns undefined if there is nothing to draw. */
export function drawChart(report: Report, today: LocalDay, nonce: string): ReportChart | undefined {
  if ('reason' in report) return undefined
  const { aggregate, plan } = report
  const { direction, status } = plan.query
  const { unit, bins } = chartBins(aggregate.groups, plan.period.days, today)
  if (bins.length === 0 || aggregate.figures.calls === 0) return undefined
  const title = `${capitalize(direction)} calls per ${unit}`
  const names: Readonly<Record<CallStatus, string>> = { answered: 'Answered', missed: missedNames[direction] }
  const statuses: readonly CallStatus[] = status === undefined ? ['answered', 'missed'] : [status]
  const block: ChartBlock = {
    type: 'data_visualization',
    block_id: `report.chart|${nonce}`,
    title,
    chart: {
      type: 'bar',
      series: statuses.map((own) => ({
        name: names[own],
        data: bins.map((bin) => ({ label: bin.label, value: bin[own] })),
      })),
      axis_config: { categories: bins.map(({ label }) => label) },
    },
  }
  const counts = bins.map(
    (bin) => `${bin.label}: ${statuses.map((own) => formatNumber(bin[own])).join(' / ')}`,
  )
  const legend = statuses.map((own) => names[own].toLowerCase()).join(' / ')
  return { block, words: `${title}, ${legend}: ${counts.join(' · ')}` }
}
