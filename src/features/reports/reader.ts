import type { ReadingTimes } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/answer.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { ReadingCutError, ServiceUnavailableError } from '../../telephony/errors.ts'
import type { ReadCallsOptions } from '../../telephony/read-calls.ts'
import { type Account, type CallPage, PAGE_SIZE, type ScanQuery, sumTotals } from '../../telephony/types.ts'
import { expectedReadingMs, Reading } from '../calls/reading.ts'
import { Aggregator } from './aggregate.ts'
import type { Period } from './period.ts'
import {
  type AgentName,
  type FullReport,
  MAX_REPORT_AGENTS,
  type Report,
  type ReportPlan,
  type Totals,
} from './report.ts'

/** Calls of both periods together. */
const MAX_RECORDS = 20_000

export interface ReadOptions {
  readonly account: Account
  readonly plan: ReportPlan
  /** Read one by one; empty unless the calls are grouped by agent. */
  readonly agents: readonly AgentName[]
  readonly onProgress: OnProgress
  readonly times: ReadingTimes
  /** For jobs, which yield to people's requests. Aborting it ends the reading. */
  readonly background?: AbortSignal | undefined
  readonly maxRecords?: number | undefined
}

const toScanQuery = ({ query }: ReportPlan, { requested }: Period): ScanQuery => ({
  ...requested,
  direction: query.direction,
  status: query.status,
  agentId: query.agentId,
})

function readFirstPage(
  telephony: TelephonyClient,
  { account, background }: ReadOptions,
  list: ScanQuery,
): Promise<CallPage> {
  const patience = background && { signal: background, isPatient: true }
  return telephony.calls(account, { ...list, page: 1 }, patience)
}

async function readTotals(
  telephony: TelephonyClient,
  options: ReadOptions,
  { reason, calls }: Pick<Totals, 'reason' | 'calls'>,
): Promise<Totals> {
  const { plan } = options
  const { line, number, status } = plan.query
  if (line !== undefined || number !== undefined) return { plan, reason }
  if (status !== undefined) return { plan, reason, calls }
  const missed: ScanQuery = { ...toScanQuery(plan, plan.period), status: 'missed' }
  return { plan, reason, calls, missed: (await readFirstPage(telephony, options, missed)).total }
}

async function readFullReport(
  telephony: TelephonyClient,
  { account, plan, agents, background: signal }: ReadOptions,
  lists: readonly ScanQuery[],
  limits: Pick<ReadCallsOptions, 'first' | 'budget' | 'limit' | 'onProgress'>,
): Promise<FullReport> {
  const { query, zone, period, before } = plan
  const current = new Aggregator({ ...query, period, zone })
  const earlier = new Aggregator({ ...query, period: before, zone })
  const agentLists = agents.map(({ id }) => ({ ...toScanQuery(plan, period), agentId: id }))
  const batches = telephony.readCalls(account, [...lists, ...agentLists], { ...limits, signal })
  let isEmpty = true
  for await (const { at, calls } of batches) {
    if (at === 0 && calls.length > 0) isEmpty = false
    const agent = agents[at - lists.length]
    for (const call of calls) {
      if (agent) current.addOfAgent(agent.id, call)
      else (at === 0 ? current : earlier).add(call)
    }
  }
  // The service counts calls and returns none of them.
  if (isEmpty && limits.first?.[0]?.total) throw new ServiceUnavailableError(query.direction, 'envelope')
  return { plan, aggregate: current.result, before: earlier.result.figures, agents }
}

/** @throws {TelephonyError}, and the reason of `background` */
export async function readReport(telephony: TelephonyClient, options: ReadOptions): Promise<Report> {
  const { plan, agents, times, onProgress, maxRecords = MAX_RECORDS } = options
  const start = performance.now()
  const budget = AbortSignal.timeout(times.readForMs)
  const lists = [toScanQuery(plan, plan.period), toScanQuery(plan, plan.before)]
  const first = await Promise.all(lists.map((list) => readFirstPage(telephony, options, list)))
  const calls = first[0]?.total
  const totals = (reason: Totals['reason']) => readTotals(telephony, options, { reason, calls })
  if (agents.length > MAX_REPORT_AGENTS) return totals('agents')
  if ((sumTotals(first.map(({ total }) => total)) ?? 0) > maxRecords) return totals('records')
  // The agents' lists together are as long as the period's list.
  const moreRequests = agents.length === 0 ? 0 : agents.length + Math.ceil((calls ?? 0) / PAGE_SIZE)
  const limit = agents.length === 0 ? maxRecords : 2 * maxRecords
  const tookMs = performance.now() - start
  if (tookMs + expectedReadingMs(first, tookMs, moreRequests) > times.readForMs) return totals('time')
  const otherwise = 'the totals'
  const { update } = new Reading({ first, start, times, moreRequests, otherwise, onProgress })
  try {
    return await readFullReport(telephony, options, lists, { first, budget, limit, onProgress: update })
  } catch (error) {
    if (!(error instanceof ReadingCutError)) throw error
    return totals(error.why === 'calls' ? 'records' : 'time')
  }
}
