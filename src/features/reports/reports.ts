import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { ReportQuery } from '../../slack/blocks/report-query.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { isTenantKey, type TenantKey } from '../../store/tenant.ts'
import type { Account } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Milliseconds } from '../../util/units.ts'
import { reportActions } from './actions.ts'
import { countAlerts } from './alert-figures.ts'
import { type ReadOptions, readReport } from './reader.ts'
import { planReport, type Report } from './report.ts'
import { requestText } from './summary.ts'
import type { ReportView } from './view.ts'

const reportsKept = 100
const keptForMs: Milliseconds = 10 * 60_000
/** Of what nobody waits for; what takes longer has the totals alone. */
const backgroundReadForMs: Milliseconds = 5 * 60_000

/** Another grouping of the same reading has the same figures; what goes by agent is read besides. */
const keyOf = (
  { tenant, credentials }: Account,
  { by, agentName: _name, ...query }: ReportQuery,
  zone: string,
) => `${tenant} ${credentials.key} ${zone} ${by === 'agent'} ${JSON.stringify(query)}`

/** Reports, each kept for ten minutes: another look at one, and a post of it, has the same reading. */
export class Reports {
  readonly #services
  readonly #kept: BoundedMap<Report>

  constructor(
    services: Pick<Services, 'telephony' | 'agentList' | 'workspaces' | 'store' | 'readingTimes' | 'now'>,
  ) {
    this.#services = services
    this.#kept = new BoundedMap({ max: reportsKept, ttlMs: keptForMs, now: services.now })
    services.store.on('tenant-deleted', (tenant) => this.#kept.deleteUnder(`${tenant} `))
  }

  async agents({ tenant }: Interaction) {
    const { workspaces, agentList } = this.#services
    return agentList.list(await workspaces.account(tenant))
  }

  /** With all that its message says. @param own the time zone, where it isn't that of where it was asked for @throws {TelephonyError | StoreError | NotConnectedError} */
  async load(interaction: Interaction, query: ReportQuery, own?: Zone): Promise<ReportView> {
    const { actor, tenant, channel } = interaction
    const { workspaces, now } = this.#services
    const fallback = {
      retry: reportActions.show.named('retry').button('Try again', query),
      filter: reportActions.filter.button('Filter…', query),
    }
    interaction.fallback = fallback
    const [account, { zone }, lines] = await Promise.all([
      workspaces.account(tenant),
      own === undefined ? workspaces.zone(tenant, channel, actor.person) : { zone: own },
      workspaces.lineNames(tenant),
    ])
    const at = new Date(now())
    interaction.fallback = { ...fallback, request: requestText(query, localDay(zone, at)) }
    const plan = planReport(query, zone, at)
    const key = keyOf(account, plan.query, zone)
    const kept = this.#kept.get(key)
    const { onProgress } = interaction
    const { readingTimes: times } = this.#services
    const report = kept ? { ...kept, plan } : await this.#read(account, plan, { onProgress, times })
    this.#kept.set(key, report)
    return { report, lines, now: at, nonce: randomUUID().slice(0, 8) }
  }

  /**
   * The same for nobody who waits: read anew, behind what people ask for, and again where the service fails for a moment.
   * @throws as `load` does, and with the reason of `ending`
   */
  async loadInBackground(
    tenant: TenantKey,
    { query, zone, ending }: { query: ReportQuery; zone: Zone; ending: AbortSignal },
  ): Promise<ReportView> {
    const { workspaces, now, readingTimes } = this.#services
    const [account, lines] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
    const at = new Date(now())
    const how = {
      onProgress: () => {},
      times: { ...readingTimes, readForMs: backgroundReadForMs },
      background: ending,
    }
    const report = await this.#read(account, planReport(query, zone, at), how)
    return { report, lines, now: at, nonce: randomUUID().slice(0, 8) }
  }

  async #read(
    account: Account,
    plan: Report['plan'],
    how: Pick<ReadOptions, 'onProgress' | 'times' | 'background'>,
  ): Promise<Report> {
    const { telephony, agentList, store } = this.#services
    const { agentId, by } = plan.query
    const all = by === 'agent' ? await agentList.list(account) : []
    const agents = agentId === undefined ? all : all.filter(({ id }) => id === agentId)
    const { tenant } = account
    const [report, alerts] = await Promise.all([
      readReport(telephony, { account, plan, agents, ...how }),
      isTenantKey(tenant) ? countAlerts(store.alertMessages, tenant, plan) : undefined,
    ])
    return { ...report, alerts }
  }
}
