import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { type Act, ALERT_MESSAGES_KEPT_MS, type AlertMessageRecord } from '../../store/alerts.ts'
import type { Rows } from '../../store/engine/rows.ts'
import { isTenantKey, type TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import type { LineNames } from '../../telephony/lines.ts'
import type { Account } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import type { Milliseconds } from '../../util/units.ts'
import { withAgentName } from '../calls/query-command.ts'
import { getSharePlace } from '../calls/sharing.ts'
import { reportActions } from './actions.ts'
import { findMedian } from './aggregate.ts'
import { countsAlerts, type ReportQuery } from './query.ts'
import { type ReadOptions, readReport } from './reader.ts'
import {
  type AlertFigures,
  type PersonFigures,
  planReport,
  type Report,
  type ReportPlan,
  type ReportView,
} from './report.ts'
import { describeRequest } from './words.ts'

/** A hostile service can make each call a separate group. */
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
export async function countAlerts(
  messages: Pick<Rows<AlertMessageRecord>, 'from'>,
  tenant: TenantKey,
  { query, period, instant }: Pick<ReportPlan, 'query' | 'period' | 'instant'>,
): Promise<AlertFigures | undefined> {
  if (!countsAlerts(query)) return undefined
  let sent = 0
  const waits: Milliseconds[] = []
  const people = new Map<string, PersonFigures>()
  const add = ({ person, name }: Act, change: (figures: PersonFigures) => Partial<PersonFigures>) => {
    const figures = people.get(person) ?? { person, name, waits: [], done: 0 }
    people.set(person, { ...figures, name, ...change(figures) })
  }
  for await (const message of messages.from(tenant, new Date(period.start).toISOString())) {
    const { openedAt, firstAt, taken, done, channel, ts } = message
    if (openedAt >= period.end) break
    // Direct messages aren't taken, and messages that Slack refused can't be.
    if (isPersonId(channel) || ts === undefined) continue
    sent += 1
    const act = taken ?? done
    if (act && act.at <= instant.getTime()) {
      const wait = Math.max(0, act.at - firstAt)
      waits.push(wait)
      add(act, (figures) => ({ waits: [...figures.waits, wait] }))
    }
    if (done && done.at <= instant.getTime()) add(done, (figures) => ({ done: figures.done + 1 }))
  }
  const isPartial = instant.getTime() - period.start > ALERT_MESSAGES_KEPT_MS
  return sent === 0
    ? undefined
    : { sent, taken: waits.length, medianMs: findMedian(waits), people: [...people.values()], isPartial }
}
