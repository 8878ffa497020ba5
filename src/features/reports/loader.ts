import { randomUUID } from 'node:crypto'
import type { ReadingTimes, Services } from '../../services.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import type { OnProgress } from '../../slack/deliver/replies.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { ALERT_MESSAGES_KEPT_MS, type AlertMessageRecord, type Attribution } from '../../store/alerts.ts'
import type { Rows } from '../../store/engine/rows.ts'
import { isTenantKey, type TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import type { LineNames } from '../../telephony/lines.ts'
import type { ReadCallsOptions } from '../../telephony/read-calls.ts'
import {
  type Account,
  type CallPage,
  lastPage,
  PAGE_SIZE,
  ReadingCutError,
  type ScanQuery,
  ServiceUnavailableError,
  sumTotals,
} from '../../telephony/types.ts'
import type { Zone } from '../../time/zones.ts'
import type { Milliseconds } from '../../util/units.ts'
import { scanAnnouncer } from '../calls/number-search.ts'
import { withAgentName } from '../calls/query-command.ts'
import { getSharePlace } from '../calls/sharing.ts'
import { reportActions } from './actions.ts'
import type { Period } from './period.ts'
import { countsAlerts, type ReportQuery } from './query.ts'
import {
  type AgentName,
  Aggregator,
  type AlertFigures,
  type FullReport,
  findMedian,
  MAX_REPORT_AGENTS,
  type PersonFigures,
  planReport,
  type Report,
  type ReportPlan,
  type ReportView,
  type Totals,
} from './report.ts'
import { describeRequest } from './words.ts'

/** Calls of both periods together. */
const MAX_RECORDS = 20_000
/** Number of pages that a scan fetches at a time if there is no other scan. */
const CONCURRENT_REQUESTS = 3

interface ReadOptions {
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
  const announce = scanAnnouncer({ times, partialResult: 'the totals', onProgress })
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
  const remainingRequests = first.reduce((sum, page) => sum + (lastPage(page) ?? 1) - 1, moreRequests)
  if ((1 + remainingRequests / CONCURRENT_REQUESTS) * tookMs > times.readForMs) return totals('time')
  try {
    return await readFullReport(telephony, options, lists, { first, budget, limit, onProgress: announce })
  } catch (error) {
    if (!(error instanceof ReadingCutError)) throw error
    return totals(error.why === 'calls' ? 'records' : 'time')
  }
}

/** A faulty service could make each call a separate group. */
const MAX_REPORT_BYTES = 20_000_000
const REPORT_CACHE_TTL_MS: Milliseconds = 10 * 60_000
/** Scheduled reports that take longer show the totals only. */
const BACKGROUND_READING_MS: Milliseconds = 5 * 60_000

/** Reports that differ only in their grouping come from one reading, except by agent. */
const toCacheKey = ({ query, zone }: ReportPlan) => {
  const { from, to, direction, status, agentId, line, number, at, by } = query
  return [zone, by === 'agent', from, to, direction, status, agentId, line, number, at]
}

/** Reads reports and caches each for ten minutes, so that regrouping and sharing show the same figures. */
export class ReportLoader {
  readonly #services
  readonly #cache: AccountCache<Report>

  constructor(services: Services) {
    const { store, now } = services
    this.#services = services
    const limits = { maxBytes: MAX_REPORT_BYTES, ttlMs: REPORT_CACHE_TTL_MS }
    this.#cache = new AccountCache(store, { ...limits, now })
  }

  /**
   * Loads a report for a person and sets what an apology offers.
   * @throws {TelephonyError | StoreError | NotConnectedError}
   */
  async load(interaction: Interaction, asked: ReportQuery): Promise<ReportView> {
    const { workspaces, readingTimes, now } = this.#services
    const { actor, tenant, channel, onProgress } = interaction
    interaction.fallback = {
      retry: reportActions.show.named('retry').button('Try again', asked),
      filter: reportActions.filter.button('Filter…', asked),
      request: describeRequest(asked),
    }
    const [account, { zone }, lines] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
    ])
    const at = new Date(now())
    const plan = planReport(await withAgentName(this.#services, tenant, asked), zone, at)
    const key = toCacheKey(plan)
    const cached = this.#cache.get(account, key)
    const report = cached
      ? { ...cached, plan }
      : await this.#cache.keep(account, key, this.#read(account, plan, { onProgress, times: readingTimes }))
    return this.#toView(report, lines, at, getSharePlace(interaction))
  }

  /** Loads a report for a schedule, uncached and patiently. @throws as `load`, and with the reason of `ending` */
  async loadInBackground(
    tenant: TenantKey,
    { query, zone, ending }: { query: ReportQuery; zone: Zone; ending: AbortSignal },
  ): Promise<ReportView> {
    const { workspaces, readingTimes, now } = this.#services
    const [account, lines] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
    const at = new Date(now())
    const times = { ...readingTimes, readForMs: BACKGROUND_READING_MS }
    const plan = planReport(query, zone, at)
    const report = await this.#read(account, plan, { onProgress: () => {}, times, background: ending })
    return this.#toView(report, lines, at, undefined)
  }

  #toView(report: Report, lines: LineNames, now: Date, sharePlace: string | undefined): ReportView {
    return { report, lines, now, nonce: randomUUID().slice(0, 8), sharePlace }
  }

  async #read(
    account: Account,
    plan: ReportPlan,
    how: Pick<ReadOptions, 'onProgress' | 'times' | 'background'>,
  ): Promise<Report> {
    const { agentList, telephony, store } = this.#services
    const { agentId, by } = plan.query
    const all = by === 'agent' ? await agentList.list(account) : []
    const agents = agentId === undefined ? all : all.filter(({ id }) => id === agentId)
    const { tenant } = account
    const [report, alerts] = await Promise.all([
      readReport(telephony, { account, plan, agents, ...how }),
      isTenantKey(tenant) ? countAlerts(store.alertMessages, tenant, plan) : undefined,
    ])
    return 'reason' in report ? report : { ...report, alerts }
  }
}

/** Counts the missed-call alerts that were posted to channels; undefined if there are none. @throws {StoreError} */
async function countAlerts(
  messages: Pick<Rows<AlertMessageRecord>, 'from'>,
  tenant: TenantKey,
  { query, period, instant }: Pick<ReportPlan, 'query' | 'period' | 'instant'>,
): Promise<AlertFigures | undefined> {
  if (!countsAlerts(query)) return undefined
  let sent = 0
  const waits: Milliseconds[] = []
  const people = new Map<string, PersonFigures>()
  const add = ({ person, name }: Attribution, change: (figures: PersonFigures) => Partial<PersonFigures>) => {
    const figures = people.get(person) ?? { person, name, waits: [], done: 0 }
    people.set(person, { ...figures, name, ...change(figures) })
  }
  for await (const message of messages.from(tenant, new Date(period.start).toISOString())) {
    const { openedAt, firstAt, taken, done, channel, ts } = message
    if (openedAt >= period.end) break
    // Direct messages aren't taken, and messages that Slack refused can't be.
    if (isPersonId(channel) || ts === undefined) continue
    sent += 1
    const attribution = taken ?? done
    if (attribution && attribution.at <= instant.getTime()) {
      const wait = Math.max(0, attribution.at - firstAt)
      waits.push(wait)
      add(attribution, (figures) => ({ waits: [...figures.waits, wait] }))
    }
    if (done && done.at <= instant.getTime()) add(done, (figures) => ({ done: figures.done + 1 }))
  }
  const isPartial = instant.getTime() - period.start > ALERT_MESSAGES_KEPT_MS
  return sent === 0
    ? undefined
    : { sent, taken: waits.length, medianMs: findMedian(waits), people: [...people.values()], isPartial }
}
