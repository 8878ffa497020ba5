import { isSearch } from '../../query/filters/call-filters.ts'
import { ReadingAnnouncer } from '../../query/reading-announcer.ts'
import type { ReadingTimes } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/exchange.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { retries } from '../../telephony/requests.ts'
import * as service from '../../telephony/types.ts'
import { type Aggregate, Aggregator, type CallFigures, type ReportAgent } from './aggregate.ts'
import type { HandledCalls } from './handled.ts'
import type { ReportPlan } from './period.ts'

export interface FullReport {
  readonly plan: ReportPlan
  readonly aggregate: Aggregate
  readonly figuresBefore: CallFigures
  /** Who took and finished calls of alerts; added by the loader, unless the filters exclude them. */
  readonly handled?: HandledCalls | undefined
}

/** Counts by the service, instead of a full report. */
export interface Totals {
  readonly plan: ReportPlan
  readonly aggregate?: undefined
  /** Undefined for filters that the service doesn't have, or if it doesn't say. */
  readonly calls?: number | undefined
  /** Also undefined if the report is about missed or answered calls only. */
  readonly missed?: number | undefined
}

export type Report = FullReport | Totals

export const isEmptyReport = (report: Report): boolean =>
  (report.aggregate ? report.aggregate.figures.calls : report.calls) === 0

export interface ReportView {
  readonly report: Report
  readonly lines: LineNames
  readonly nonce: string
}

export type FullView = ReportView & { readonly report: FullReport }

export const isFull = (view: ReportView): view is FullView => view.report.aggregate !== undefined

/** Calls of both periods together. */
const MAX_RECORDS = 20_000
/** Each agent costs at least one request. */
const MAX_REPORT_AGENTS = 50

export interface ReadOptions {
  readonly account: service.Account
  readonly plan: ReportPlan
  /** Empty unless the calls are grouped by agent. */
  readonly agents: readonly ReportAgent[]
  readonly onProgress: OnProgress
  readonly times: ReadingTimes
  /** Set for jobs: their requests yield to people's, and they end early if the process stops. */
  readonly stopSignal?: AbortSignal | undefined
  readonly maxRecords?: number | undefined
}

/** Reads the calls of a report and of the period before. */
export class ReportReading {
  readonly #telephony
  readonly #options
  readonly #query: service.ReadQuery
  readonly #queryBefore: service.ReadQuery

  constructor(telephony: TelephonyClient, options: ReadOptions) {
    const { query, period, periodBefore } = options.plan
    const { direction, status, agentId } = query
    this.#telephony = telephony
    this.#options = options
    this.#query = { ...period.requestedDays, direction, status, agentId }
    this.#queryBefore = { ...periodBefore.requestedDays, direction, status, agentId }
  }

  /** Returns only totals if calls or agents are too many, or time too short. @throws {TelephonyError} or `stopSignal`'s reason */
  async read(): Promise<Report> {
    const { agents, times, maxRecords = MAX_RECORDS } = this.#options
    // Runs from here, so that the first pages count.
    const timeBudget = AbortSignal.timeout(times.readForMs)
    const firstPages = await Promise.all([
      this.#readFirstPage(this.#query),
      this.#readFirstPage(this.#queryBefore),
    ])
    const [{ total: callCount }] = firstPages
    // If the service doesn't say how many there are, the limits of the reading decide.
    const recordCount = service.sumTotals(firstPages.map(({ total }) => total)) ?? 0
    if (agents.length > MAX_REPORT_AGENTS || recordCount > maxRecords) return this.#readTotals(callCount)
    try {
      return await this.#readFull(firstPages, timeBudget)
    } catch (error) {
      if (!(error instanceof service.ReadLimitError)) throw error
      return this.#readTotals(callCount)
    }
  }

  #readFirstPage(query: service.ReadQuery): Promise<service.CallPage> {
    const { account, stopSignal } = this.#options
    const jobOptions = stopSignal && { ...retries.patient, signal: stopSignal }
    return this.#telephony.calls(account, { ...query, page: 1 }, jobOptions)
  }

  async #readFull(firstPages: readonly service.CallPage[], timeBudget: AbortSignal): Promise<FullReport> {
    const { account, plan, agents, times, onProgress, stopSignal, maxRecords = MAX_RECORDS } = this.#options
    const aggregator = new Aggregator(plan, plan.period)
    const aggregatorBefore = new Aggregator(plan, plan.periodBefore)
    const periodList = { query: this.#query, add: (call: service.Call) => aggregator.add(call) }
    const listBefore = { query: this.#queryBefore, add: (call: service.Call) => aggregatorBefore.add(call) }
    // Their first pages belong to them in this order; the agents' lists, which follow, have none.
    const lists = [periodList, listBefore]
    for (const agent of agents) {
      const query = { ...this.#query, agentId: agent.id }
      lists.push({ query, add: (call) => aggregator.addOfAgent(agent, call) })
    }
    const queries = lists.map(({ query }) => query)
    const announcer = new ReadingAnnouncer(times, onProgress)
    const batches = this.#telephony.readCalls(account, queries, {
      firstPages,
      budget: timeBudget,
      // The agents' lists together repeat the period's list, so at most twice as much is read.
      limit: agents.length === 0 ? maxRecords : 2 * maxRecords,
      signal: stopSignal,
      onProgress: (progress) => announcer.announce(progress),
    })
    let hasPeriodCalls = false
    for await (const { queryIndex, calls } of batches) {
      const list = lists[queryIndex]
      if (list === periodList) hasPeriodCalls = true
      for (const call of calls) list?.add(call)
    }
    // The service counts calls but returns none. Filters aren't the reason, because they apply after reading.
    const [periodPage] = firstPages
    if (!hasPeriodCalls && periodPage?.total) throw new service.TelephonyError('envelope')
    return { plan, aggregate: aggregator.summarize(), figuresBefore: aggregatorBefore.summarize().figures }
  }

  async #readTotals(calls: number | undefined): Promise<Totals> {
    const { plan } = this.#options
    // The service can't count these.
    if (isSearch(plan.query)) return { plan }
    if (plan.query.status !== undefined) return { plan, calls }
    const { total: missed } = await this.#readFirstPage({ ...this.#query, status: 'missed' })
    return { plan, calls, missed }
  }
}
