import { barChart } from '../../slack/blocks/chart.ts'
import type { ChartBlock } from '../../slack/blocks/chart-block.ts'
import type { LocalDay } from '../../time/types.ts'
import { numberText } from '../../util/text.ts'
import { type Bin, type Bins, chartBins } from './chart-bins.ts'
import { missedNames } from './figure-texts.ts'
import type { Report } from './report.ts'

/** The chart and the same figures in words. */
export interface ReportChart {
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
