import type { ReportQuery } from '../../slack/blocks/links.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Direction } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Aggregate, Figures } from './aggregate.ts'
import { type Period, periodBefore, periodOf } from './period.ts'

/** As many records are read; beyond them, the totals alone are shown. */
export const MOST_RECORDS = 20_000

interface AgentFigures extends Pick<AgentSummary, 'id' | 'name'> {
  readonly figures: Figures
}

export type TotalsReason = 'records' | 'time'

/** What became of the alert messages that were sent in a report's days. */
export interface AlertFigures {
  readonly sent: number
  /** How many of them somebody took, or closed at once. */
  readonly taken: number
  /** How long after they were sent; `undefined` where none was. */
  readonly medianMs: Milliseconds | undefined
  /** Whether the report goes back further than such messages are kept. */
  readonly isPartial: boolean
}

export interface Report {
  readonly plan: ReportPlan
  readonly figures: Figures
  readonly before: Figures
  /** Whether those are the service's own totals, which are of whole days. */
  readonly isBeforeOfTotals: boolean
  /** `undefined` where the totals alone are known. */
  readonly aggregate?: Aggregate | undefined
  readonly totals?: TotalsReason | undefined
  /** By the service's own totals, where the calls are told apart by agent: `late` where there was no time for all of them. */
  readonly agents?: readonly AgentFigures[] | 'late' | undefined
  /** How many calls the service says there are; `undefined` where its figure is no number. */
  readonly count: number | undefined
  /** `undefined` where no alert was sent, or where they aren't of what the report is of. */
  readonly alerts?: AlertFigures | undefined
}

export interface ReportPlan {
  readonly query: ReportQuery
  readonly zone: Zone
  /** What came later is not in it. */
  readonly instant: Date
  readonly directions: readonly Direction[]
  readonly period: Period
  readonly before: Period
}

/** @param now where the query names no instant */
export function planReport(query: ReportQuery, zone: Zone, now: Date): ReportPlan {
  const instant = query.at === undefined ? now : new Date(query.at)
  const period = periodOf(query, zone, instant)
  return {
    query: { ...query, at: instant.getTime() },
    zone,
    instant,
    directions: query.direction === undefined ? ['incoming', 'outgoing'] : [query.direction],
    period,
    before: periodBefore(period, zone, instant, query.compare),
  }
}

/** Those whose figures are shown: of both, the incoming ones, unless there are none or details are asked for. */
export const shownDirections = ({ plan, figures }: Report): readonly Direction[] =>
  plan.query.details || plan.directions.length === 1 || figures.incoming.calls === 0
    ? plan.directions
    : ['incoming']
