import { isSearch } from '../../query/filters/call-filters.ts'
import { ReadingAnnouncer } from '../../query/search.ts'
import type { ReadingTimes } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/exchange.ts'
import type { CallBatch, TelephonyClient } from '../../telephony/client.ts'
import {
  type Account,
  ReadLimitError,
  type ReadQuery,
  ServiceUnavailableError,
  sumTotals,
} from '../../telephony/types.ts'
import {
  Aggregator,
  type FullReport,
  MAX_REPORT_AGENTS,
  type Report,
  type ReportAgent,
  type ReportPlan,
  type Totals,
} from './report.ts'

/** Calls of both periods together. */
const MAX_RECORDS = 20_000

export interface ReadOptions {
  readonly account: Account
  readonly plan: ReportPlan
  /** Empty unless the calls are grouped by agent. */
  readonly agents: readonly ReportAgent[]
  readonly onProgress: OnProgress
  readonly times: ReadingTimes
  /** Set for jobs, which yield to people's requests. */
  readonly background?: AbortSignal | undefined
  readonly maxRecords?: number | undefined
}

/**
 * Reads the calls of a report and of the period before. Returns only totals if there are too many calls, or reading takes
 * too long.
 * @throws {TelephonyError}, and the reason of `background`
 */
export const readReport = (telephony: TelephonyClient, options: ReadOptions): Promise<Report> =>
  new ReportReading(telephony, options).read()

class ReportReading {
  readonly #telephony
  readonly #options
  readonly #current: ReadQuery
  readonly #before: ReadQuery

  constructor(telephony: TelephonyClient, options: ReadOptions) {
    const { query, period, before } = options.plan
    const { direction, status, agentId } = query
    this.#telephony = telephony
    this.#options = options
    this.#current = { ...period.requested, direction, status, agentId }
    this.#before = { ...before.requested, direction, status, agentId }
  }

  async read(): Promise<Report> {
    const { account, agents, times, onProgress, background, maxRecords = MAX_RECORDS } = this.#options
    const budget = AbortSignal.timeout(times.readForMs)
    const firstPages = await Promise.all([
      this.#readFirstPage(this.#current),
      this.#readFirstPage(this.#before),
    ])
    const callCount = firstPages[0].total
    if (agents.length > MAX_REPORT_AGENTS) return this.#readTotals('agents', callCount)
    const recordCount = sumTotals(firstPages.map(({ total }) => total)) ?? 0
    if (recordCount > maxRecords) return this.#readTotals('records', callCount)
    const lists = [this.#current, this.#before]
    for (const { id } of agents) lists.push({ ...this.#current, agentId: id })
    // The agents' lists together are as long as the period's list.
    const limit = agents.length === 0 ? maxRecords : 2 * maxRecords
    const announcer = new ReadingAnnouncer(times, onProgress, 'the totals')
    const batches = this.#telephony.readCalls(account, lists, {
      first: firstPages,
      budget,
      limit,
      signal: background,
      onProgress: (progress) => announcer.announce(progress),
    })
    try {
      return await addUp(batches, this.#options, callCount)
    } catch (error) {
      if (!(error instanceof ReadLimitError)) throw error
      return this.#readTotals(error.limit === 'calls' ? 'records' : 'time', callCount)
    }
  }

  #readFirstPage(query: ReadQuery) {
    const { account, background } = this.#options
    const options = background && { signal: background, isPatient: true }
    return this.#telephony.calls(account, { ...query, page: 1 }, options)
  }

  async #readTotals(reason: Totals['reason'], calls: number | undefined): Promise<Totals> {
    const { plan } = this.#options
    if (isSearch(plan.query)) return { plan, reason }
    if (plan.query.status !== undefined) return { plan, reason, calls }
    const { total: missed } = await this.#readFirstPage({ ...this.#current, status: 'missed' })
    return { plan, reason, calls, missed }
  }
}

/** @param callCount the service's count of the period's calls */
async function addUp(
  batches: AsyncIterable<CallBatch>,
  { plan, agents }: ReadOptions,
  callCount: number | undefined,
): Promise<FullReport> {
  const current = new Aggregator(plan, plan.period)
  const before = new Aggregator(plan, plan.before)
  let isEmpty = true
  for await (const { at: index, calls } of batches) {
    if (index === 0) isEmpty = false
    // The lists of the agents follow those of both periods.
    const agent = agents[index - 2]
    for (const call of calls) {
      if (agent) current.addOfAgent(agent, call)
      else if (index === 0) current.add(call)
      else before.add(call)
    }
  }
  // The service counts calls and returns none of them.
  if (isEmpty && callCount) throw new ServiceUnavailableError(plan.query.direction, 'envelope')
  return { plan, aggregate: current.result, before: before.result.figures }
}
