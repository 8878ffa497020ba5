import { randomUUID } from 'node:crypto'
import { withAgentName } from '../../query/directory.ts'
import { toFilterKey } from '../../query/filters/filter.ts'
import type { Services } from '../../services.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { scanMissedCalls } from '../../store/missed-calls.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { AgentLabels, hasId } from '../../telephony/agent-labels.ts'
import type { Account } from '../../telephony/types.ts'
import { minuteMs } from '../../util/units.ts'
import { type ReportQuery, reportActions } from './actions.ts'
import type { ReportAgent } from './aggregate.ts'
import { countHandled } from './handled.ts'
import { planReport, type ReportPlan } from './period.ts'
import { describeRequest, includesHandled } from './query.ts'
import { type ReadOptions, type Report, ReportReading, type ReportView } from './report.ts'

/** For all reports together. In bytes, because a faulty service could make each call a separate group. */
const MAX_CACHE_BYTES = 20_000_000

type LoadPlanOptions = Pick<ReadOptions, 'onProgress' | 'times' | 'stopSignal'>

/** By agent, a report also reads each agent's calls. Only a query with a time, such as a button's, finds a report again. */
function toCacheKey({ query, zone, instant }: ReportPlan) {
  const { from, to, direction, by, versus } = query
  return [zone, by === 'agent', from, to, versus, direction, toFilterKey(query), instant.getTime()]
}

/** Caches reports, so that regrouping and sharing show the same figures. */
export class ReportLoader {
  readonly #services
  readonly #cache: AccountCache<Report>

  constructor(services: Services) {
    const { store, now } = services
    this.#services = services
    this.#cache = new AccountCache(store, { maxBytes: MAX_CACHE_BYTES, ttlMs: 10 * minuteMs, now })
  }

  /** @throws as `loadPlan` */
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
      workspaces.findZone(tenant, channel, actor.person),
    ])
    return this.loadPlan(tenant, planReport(query, zone, new Date(now())), { onProgress, times })
  }

  /** @throws {TelephonyError | StoreError | NotConnectedError}, or the reason of `stopSignal` */
  async loadPlan(tenant: TenantKey, plan: ReportPlan, options: LoadPlanOptions): Promise<ReportView> {
    const { workspaces } = this.#services
    const [account, lines] = await Promise.all([
      workspaces.getAccount(tenant),
      workspaces.getLineNames(tenant),
    ])
    const read = () => this.#read(tenant, account, plan, options)
    const report = await this.#cache.getOrRead(account, toCacheKey(plan), read)
    // The cached report may have been planned with another grouping.
    return { report: { ...report, plan }, lines, nonce: randomUUID().slice(0, 8) }
  }

  async #read(tenant: TenantKey, account: Account, plan: ReportPlan, options: LoadPlanOptions) {
    const { telephony, store } = this.#services
    const { by, agentId } = plan.query
    const agents = by === 'agent' ? await this.#listAgents(account, agentId) : []
    const reading = new ReportReading(telephony, { account, plan, agents, ...options })
    if (!includesHandled(plan.query)) return reading.read()
    const missedCalls = scanMissedCalls(store.missedCalls, tenant, plan.period)
    const counting = countHandled(missedCalls, plan.instant.getTime())
    const [report, handled] = await Promise.all([reading.read(), counting])
    // Totals of the service are shown without who took calls.
    if (!report.aggregate) return report
    return { ...report, handled }
  }

  /** @param onlyId undefined for all agents */
  async #listAgents(account: Account, onlyId: string | undefined): Promise<readonly ReportAgent[]> {
    const { agents } = await this.#services.agentList.get(account)
    const labels = new AgentLabels(agents)
    const listed = agents.filter(hasId).filter(({ id }) => onlyId === undefined || id === onlyId)
    return listed.map((agent) => ({ id: agent.id, name: labels.get(agent) }))
  }
}
