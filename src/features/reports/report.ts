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
  readonly before: CallFigures
  /** Who took and finished calls of alerts; added by the loader, unless the filters exclude them. */
  readonly handled?: HandledCalls | undefined
}

/** Counts by the service, which can't count by line, number or length, and needn't return a count. */
export interface Totals {
  readonly plan: ReportPlan
  readonly aggregate?: undefined
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

export interface FullView extends ReportView {
  readonly report: FullReport
}

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
  /** Set for jobs, which yield to people's requests. */
  readonly background?: AbortSignal | undefined
  readonly maxRecords?: number | undefined
}

/** Reads the calls of a report and of the period before. */
export class ReportReading {
  readonly #telephony
  readonly #options
  readonly #current: service.ReadQuery
  readonly #before: service.ReadQuery

  constructor(telephony: TelephonyClient, options: ReadOptions) {
    const { query, period, before } = options.plan
    const { direction, status, agentId } = query
    this.#telephony = telephony
    this.#options = options
    this.#current = { ...period.requestedDays, direction, status, agentId }
    this.#before = { ...before.requestedDays, direction, status, agentId }
  }

  /**
   * Returns only totals if there are too many calls or agents, or reading takes too long.
   * @throws {TelephonyError}, or the reason of `background`
   */
  async read(): Promise<Report> {
    const { agents, times, maxRecords = MAX_RECORDS } = this.#options
    const budget = AbortSignal.timeout(times.readForMs)
    const firstPages = await Promise.all([
      this.#readFirstPage(this.#current),
      this.#readFirstPage(this.#before),
    ])
    const callCount = firstPages[0].total
    const recordCount = service.sumTotals(firstPages.map(({ total }) => total)) ?? 0
    if (agents.length > MAX_REPORT_AGENTS || recordCount > maxRecords) return this.#readTotals(callCount)
    try {
      return await this.#readFull(firstPages, budget)
    } catch (error) {
      if (!(error instanceof service.ReadLimitError)) throw error
      return this.#readTotals(callCount)
    }
  }

  #readFirstPage(query: service.ReadQuery): Promise<service.CallPage> {
    const { account, background } = this.#options
    const options = background && { ...retries.patient, signal: background }
    return this.#telephony.calls(account, { ...query, page: 1 }, options)
  }

  async #readFull(firstPages: readonly service.CallPage[], budget: AbortSignal): Promise<FullReport> {
    const { account, plan, agents, times, maxRecords = MAX_RECORDS } = this.#options
    const { onProgress, background } = this.#options
    const current = new Aggregator(plan, plan.period)
    const before = new Aggregator(plan, plan.before)
    const lists = [
      { query: this.#current, count: (call: service.Call) => current.add(call) },
      { query: this.#before, count: (call: service.Call) => before.add(call) },
    ]
    for (const agent of agents) {
      const query = { ...this.#current, agentId: agent.id }
      lists.push({ query, count: (call) => current.addOfAgent(agent, call) })
    }
    const queries = lists.map(({ query }) => query)
    const announcer = new ReadingAnnouncer(times, onProgress)
    const batches = this.#telephony.readCalls(account, queries, {
      firstPages,
      budget,
      // The agents' lists together are as long as the period's list.
      limit: agents.length === 0 ? maxRecords : 2 * maxRecords,
      signal: background,
      onProgress: (progress) => announcer.announce(progress),
    })
    let hasCalls = false
    for await (const { queryIndex, calls } of batches) {
      if (queryIndex === 0) hasCalls = true
      for (const call of calls) lists[queryIndex]?.count(call)
    }
    // The service counts calls but returns none. Filters aren't the reason, because they apply after reading.
    if (!hasCalls && firstPages[0]?.total) throw new service.TelephonyError('envelope')
    return { plan, aggregate: current.result, before: before.result.figures }
  }

  async #readTotals(calls: number | undefined): Promise<Totals> {
    const { plan } = this.#options
    if (isSearch(plan.query)) return { plan }
    if (plan.query.status !== undefined) return { plan, calls }
    const { total: missed } = await this.#readFirstPage({ ...this.#current, status: 'missed' })
    return { plan, calls, missed }
  }
}
