import { randomUUID } from 'node:crypto'
import { withAgentName } from '../../query/agents.ts'
import { isSearch, toFilterKey } from '../../query/call-filters.ts'
import { createReadingAnnouncer } from '../../query/search.ts'
import type { ReadingTimes, Services } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/exchange.ts'
import { offerOnFailure } from '../../slack/deliver/failures.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { scanMissedCalls } from '../../store/missed-calls.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { AgentLabels, hasId } from '../../telephony/agent-labels.ts'
import type { CallBatch, TelephonyClient } from '../../telephony/client.ts'
import {
  type Account,
  ReadLimitError,
  type ReadQuery,
  ServiceUnavailableError,
  sumTotals,
} from '../../telephony/types.ts'
import type { Zone } from '../../time/zones.ts'
import { minuteMs } from '../../util/units.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import { HandledCalls } from './handled.ts'
import { countsAlerts, describeRequest } from './query.ts'
import {
  Aggregator,
  type FullReport,
  MAX_REPORT_AGENTS,
  type Period,
  planReport,
  type Report,
  type ReportAgent,
  type ReportPlan,
  type ReportView,
  type Totals,
} from './report.ts'

/** Calls of both periods together. */
const MAX_RECORDS = 20_000

interface ReadOptions {
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
 * Returns only totals if there are too many calls, or reading takes too long.
 * @throws {TelephonyError}, and the reason of `background`
 */
export async function readReport(telephony: TelephonyClient, options: ReadOptions): Promise<Report> {
  const { account, plan, agents, times, onProgress, background, maxRecords = MAX_RECORDS } = options
  const { direction, status, agentId } = plan.query
  const announce = createReadingAnnouncer(times, onProgress, 'the totals')
  const budget = AbortSignal.timeout(times.readForMs)
  const requestOptions = background && { signal: background, isPatient: true }
  const readFirst = (list: ReadQuery) => telephony.calls(account, { ...list, page: 1 }, requestOptions)
  const toList = ({ requested }: Period): ReadQuery => ({ ...requested, direction, status, agentId })
  const list = toList(plan.period)
  const lists = [list, toList(plan.before)]
  const first = await Promise.all(lists.map(readFirst))
  const calls = first[0]?.total

  async function toTotals(reason: Totals['reason']): Promise<Totals> {
    if (isSearch(plan.query)) return { plan, reason }
    if (status !== undefined) return { plan, reason, calls }
    return { plan, reason, calls, missed: (await readFirst({ ...list, status: 'missed' })).total }
  }

  if (agents.length > MAX_REPORT_AGENTS) return toTotals('agents')
  if ((sumTotals(first.map(({ total }) => total)) ?? 0) > maxRecords) return toTotals('records')
  try {
    // The agents' lists together are as long as the period's list.
    const limit = agents.length === 0 ? maxRecords : 2 * maxRecords
    const all = [...lists, ...agents.map(({ id }) => ({ ...list, agentId: id }))]
    const limits = { first, budget, limit, signal: background, onProgress: announce }
    return await addUp(telephony.readCalls(account, all, limits), options, calls)
  } catch (error) {
    if (!(error instanceof ReadLimitError)) throw error
    return toTotals(error.limit === 'calls' ? 'records' : 'time')
  }
}

/** @param total the service's count of the period's calls */
async function addUp(
  batches: AsyncIterable<CallBatch>,
  { plan, agents }: ReadOptions,
  total: number | undefined,
): Promise<FullReport> {
  const current = new Aggregator(plan, plan.period)
  const before = new Aggregator(plan, plan.before)
  let isEmpty = true
  for await (const { at: index, calls } of batches) {
    if (index === 0) isEmpty = false
    // The lists of the agents follow those of both periods.
    const agent = agents[index - 2]
    const period = index === 0 ? current : before
    for (const call of calls) {
      if (agent) current.addOfAgent(agent, call)
      else period.add(call)
    }
  }
  // The service counts calls and returns none of them.
  if (isEmpty && total) throw new ServiceUnavailableError(plan.query.direction, 'envelope')
  return { plan, aggregate: current.result, before: before.result.figures }
}

/** A faulty service could make each call a separate group. */
const MAX_REPORT_BYTES = 20_000_000
/** Scheduled reports that take longer show only totals. */
const BACKGROUND_READING_MS = 5 * minuteMs

/** Reports that differ only in their grouping come from one reading, except by agent. */
const toCacheKey = ({ query, zone }: ReportPlan) => {
  const { from, to, direction, at, by } = query
  return [zone, by === 'agent', from, to, direction, toFilterKey(query), at]
}

/** Caches reports, so that regrouping and sharing show the same figures. */
export class ReportLoader {
  readonly #services
  readonly #cache: AccountCache<Report>

  constructor(services: Services) {
    const { store, now } = services
    this.#services = services
    this.#cache = new AccountCache(store, { maxBytes: MAX_REPORT_BYTES, ttlMs: 10 * minuteMs, now })
  }

  /** @throws {TelephonyError | StoreError | NotConnectedError} */
  load(interaction: Interaction, query: ReportQuery): Promise<ReportView> {
    const makeOffers = () => ({
      retry: reportActions.show.named('retry').button('Try again', query),
      filter: reportActions.filter.button('Filter…', query),
      request: describeRequest(query),
    })
    return offerOnFailure(makeOffers, this.#loadForPerson(interaction, query))
  }

  async #loadForPerson(interaction: Interaction, requested: ReportQuery): Promise<ReportView> {
    const { workspaces, readingTimes: times, now } = this.#services
    const { actor, tenant, channel, announce: onProgress } = interaction
    const [query, { zone }] = await Promise.all([
      withAgentName(this.#services, tenant, requested),
      workspaces.zone(tenant, channel, actor.person),
    ])
    return this.#load(tenant, planReport(query, zone, new Date(now())), { onProgress, times })
  }

  /** @throws as `load`, and with the reason of `ending` */
  loadInBackground(
    tenant: TenantKey,
    { query, zone, ending }: { query: ReportQuery; zone: Zone; ending: AbortSignal },
  ): Promise<ReportView> {
    const { readingTimes, now } = this.#services
    const times = { ...readingTimes, readForMs: BACKGROUND_READING_MS }
    const plan = planReport(query, zone, new Date(now()))
    return this.#load(tenant, plan, { onProgress() {}, times, background: ending })
  }

  async #load(
    tenant: TenantKey,
    plan: ReportPlan,
    options: Pick<ReadOptions, 'onProgress' | 'times' | 'background'>,
  ): Promise<ReportView> {
    const { workspaces, agentList, telephony } = this.#services
    const [account, lines] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
    const read = async (): Promise<Report> => {
      const { agentId, by } = plan.query
      const all = by === 'agent' ? await agentList.list(account) : []
      const labels = new AgentLabels(all)
      const listed = agentId === undefined ? all.filter(hasId) : all.filter(({ id }) => id === agentId)
      const agents = listed.map((agent) => ({ id: agent.id, name: labels.get(agent) }))
      const [report, handled] = await Promise.all([
        readReport(telephony, { account, plan, agents, ...options }),
        countsAlerts(plan.query) ? this.#readHandled(tenant, plan) : undefined,
      ])
      return 'reason' in report ? report : { ...report, handled }
    }
    const key = toCacheKey(plan)
    const report = this.#cache.get(account, key) ?? (await this.#cache.keep(account, key, read()))
    return { report: { ...report, plan }, lines, nonce: randomUUID().slice(0, 8) }
  }

  /** @throws {StoreError} */
  async #readHandled(tenant: TenantKey, { period, instant }: ReportPlan): Promise<HandledCalls> {
    const handled = new HandledCalls(instant.getTime())
    const { missedCalls } = this.#services.store
    for await (const call of scanMissedCalls(missedCalls, tenant, period)) handled.add(call)
    return handled
  }
}
