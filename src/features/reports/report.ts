import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { LineNames } from '../../telephony/lines.ts'
import type { Zone } from '../../time/types.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Aggregate, CallFigures } from './aggregate.ts'
import { type Period, toPeriod, toPeriodBefore } from './period.ts'
import type { ReportQuery } from './query.ts'

/** Missed-call alerts that a person took and finished. */
export interface PersonFigures {
  readonly person: string
  readonly name: string
  /** Times until the person took each alert, from its first call. */
  readonly waits: readonly Milliseconds[]
  readonly done: number
}

export interface AlertFigures {
  readonly sent: number
  /** Taken, or closed at once. */
  readonly taken: number
  /** Time until alerts were taken; undefined if none was. */
  readonly medianMs: Milliseconds | undefined
  readonly people: readonly PersonFigures[]
  /** True if the report goes back further than alert messages are stored. */
  readonly isPartial: boolean
}

/** Each agent costs at least one request. */
export const MAX_REPORT_AGENTS = 50

export interface ReportPlan {
  readonly query: ReportQuery
  readonly zone: Zone
  /** Later calls aren't included. */
  readonly instant: Date
  readonly period: Period
  readonly before: Period
}

/** @param now used if the query has no instant */
export function planReport(query: ReportQuery, zone: Zone, now: Date): ReportPlan {
  const instant = query.at === undefined ? now : new Date(query.at)
  return {
    query: { ...query, at: instant.getTime() },
    zone,
    instant,
    period: toPeriod(query, zone, instant),
    before: toPeriodBefore(query, zone, instant),
  }
}

export type AgentName = Pick<AgentSummary, 'id' | 'name'>

export interface FullReport {
  readonly plan: ReportPlan
  readonly aggregate: Aggregate
  readonly before: CallFigures
  /** Empty unless the calls are grouped by agent. */
  readonly agents: readonly AgentName[]
  readonly alerts?: AlertFigures | undefined
}

/** The service's own counts, if the calls can't be read. Absent for one line or number, which the service can't count. */
export interface Totals {
  readonly plan: ReportPlan
  readonly reason: 'records' | 'time' | 'agents'
  readonly calls?: number | undefined
  readonly missed?: number | undefined
}

export type Report = FullReport | Totals

export interface ReportView {
  readonly report: Report
  readonly lines: LineNames
  readonly now: Date
  readonly nonce: string
  /** Undefined if the report can't be shared. */
  readonly sharePlace: string | undefined
}
