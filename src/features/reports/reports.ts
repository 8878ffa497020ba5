import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import type { ReportQuery } from '../../slack/blocks/links.ts'
import { withAgentName } from '../../slack/routing/query-command.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { ALERT_MESSAGES_KEPT_MS, type AlertMessageRecord } from '../../store/alerts.ts'
import type { Rows } from '../../store/engine/rows.ts'
import { isTenantKey, type TenantKey } from '../../store/tenant.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import type { Account } from '../../telephony/types.ts'
import type { Zone } from '../../time/types.ts'
import { localDay } from '../../time/zones.ts'
import type { Milliseconds } from '../../util/units.ts'
import { reportActions } from './actions.ts'
import { type ReadOptions, readReport } from './reader.ts'
import { type AlertFigures, planReport, type Report, type ReportPlan } from './report.ts'
import type { ReportView } from './view.ts'
import { requestText } from './words.ts'

const reportsKept = 100
const keptForMs: Milliseconds = 10 * 60_000
/** Of what nobody waits for; what takes longer has the totals alone. */
const backgroundReadForMs: Milliseconds = 5 * 60_000

/** Another grouping of the same reading has the same figures; what goes by agent is read besides. */
const readingOf = ({ from, to, direction, agentId, line, at, by, compare }: ReportQuery, zone: Zone) => [
  zone,
  by === 'agent',
  ...[from, to, direction, agentId, line, at, compare],
]

/** Reports, each kept for ten minutes: another look at one, and a post of it, has the same reading. */
export function reportLoader({ telephony, agentList, workspaces, store, readingTimes, now }: Services) {
  const keptReports = new AccountCache<Report>(store, { max: reportsKept, ttlMs: keptForMs, now })

  async function read(
    account: Account,
    plan: ReportPlan,
    how: Pick<ReadOptions, 'onProgress' | 'times' | 'background'>,
  ): Promise<Report> {
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

  return {
    /**
     * With all that its message says, and what an apology offers.
     * @param ownZone where it isn't that of where it was asked for
     * @throws {TelephonyError | StoreError | NotConnectedError}
     */
    async load(interaction: Interaction, asked: ReportQuery, ownZone?: Zone): Promise<ReportView> {
      const { actor, tenant, channel, onProgress } = interaction
      const fallback = {
        retry: reportActions.show.named('retry').button('Try again', asked),
        filter: reportActions.filter.button('Filter…', asked),
      }
      interaction.fallback = fallback
      const [account, zone, lines] = await Promise.all([
        workspaces.account(tenant),
        ownZone ?? workspaces.zone(tenant, channel, actor.person).then(({ zone }) => zone),
        workspaces.lineNames(tenant),
      ])
      const at = new Date(now())
      interaction.fallback = { ...fallback, request: requestText(asked, localDay(zone, at)) }
      const query = await withAgentName({ workspaces, agentList }, tenant, asked)
      const plan = planReport(query, zone, at)
      const reading = readingOf(plan.query, zone)
      const kept = keptReports.get(account, reading)
      const begin = () => read(account, plan, { onProgress, times: readingTimes })
      const report = kept ? { ...kept, plan } : await keptReports.keep(account, reading, begin())
      return { report, lines, now: at, nonce: randomUUID().slice(0, 8) }
    },

    /**
     * The same for nobody who waits: read anew, behind what people ask for, and again where the service fails for a moment.
     * @throws as `load` does, and with the reason of `ending`
     */
    async loadInBackground(
      tenant: TenantKey,
      { query, zone, ending }: { query: ReportQuery; zone: Zone; ending: AbortSignal },
    ): Promise<ReportView> {
      const [account, lines] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
      const at = new Date(now())
      const times = { ...readingTimes, readForMs: backgroundReadForMs }
      const how = { onProgress: () => {}, times, background: ending }
      const report = await read(account, planReport(query, zone, at), how)
      return { report, lines, now: at, nonce: randomUUID().slice(0, 8) }
    },
  }
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.length === 0 ? undefined : middle.reduce((sum, one) => sum + one, 0) / middle.length
}

/**
 * Counts the messages of alerts on missed calls. They are of several lines, and say no agent: where a report is of one, or
 * of no incoming calls, there are none to count.
 * @returns `undefined` where there are none @throws {StoreError}
 */
async function countAlerts(
  messages: Pick<Rows<AlertMessageRecord>, 'from'>,
  tenant: TenantKey,
  { query, directions, period, instant }: Pick<ReportPlan, 'query' | 'directions' | 'period' | 'instant'>,
): Promise<AlertFigures | undefined> {
  if (!directions.includes('incoming') || query.line !== undefined || query.agentId !== undefined)
    return undefined
  let sent = 0
  const waits: Milliseconds[] = []
  for await (const message of messages.from(tenant, new Date(period.start).toISOString())) {
    const { openedAt, firstAt, taken, done, channel } = message
    if (openedAt >= period.end) break
    // Who gets one by direct message has it already.
    if (isPersonId(channel)) continue
    sent += 1
    const act = taken ?? done
    // What was done after the reading isn't in it, as no later call is.
    if (act && act.at <= instant.getTime()) waits.push(Math.max(0, act.at - firstAt))
  }
  const isPartial = instant.getTime() - period.start > ALERT_MESSAGES_KEPT_MS
  return sent === 0 ? undefined : { sent, taken: waits.length, medianMs: medianOf(waits), isPartial }
}
