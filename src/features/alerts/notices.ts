import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { type AlertRecord, type Failing, WATCH_ID, type WatchRecord } from '../../store/alerts.ts'
import { scopedKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import { recentLabel } from '../../time/labels.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'
import { isNotable } from './failing.ts'
import { notPostingNotice, uncheckedNotice, unreadableNotice } from './words.ts'

/** Fields of an unreadable alert that tell whose it is. */
const unreadableAlertSchema = z.object({
  id: z.string(),
  tenant: tenantRecord,
  owner: z.string(),
  channel: z.string(),
})
/** How long an owner isn't told again of the same unreadable alert. */
const UNREADABLE_TOLD_MS: Milliseconds = 100 * dayMs

/** The same for the same failure, so that a repeated notice is sent once. */
const toNoticeId = (scope: string, { since, why }: Failing): string =>
  `alerts${scope}/${since}/${hash('sha256', why, 'base64url').slice(0, 12)}`

/** Tells the owners of alerts once when their alerts have stopped. */
export class AlertNotices {
  readonly #services

  constructor(services: Pick<Services, 'store' | 'notices' | 'workspaces' | 'now'>) {
    this.#services = services
  }

  /** Tells all owners that their account can't be polled. */
  async tellUnchecked(alerts: readonly AlertRecord[], { failing }: WatchRecord): Promise<void> {
    const { store, notices, workspaces, now } = this.#services
    const [first] = alerts
    if (!first || !failing || failing.isTold || !isNotable(failing, now())) return
    const tenant = tenantKey(first.tenant)
    const { zone } = await workspaces.zone(tenant, '')
    const since = recentLabel(zone, new Date(failing.since), new Date(now()))
    const channels = [...new Set(alerts.map(({ channel }) => channel))]
    const owners = alerts.map(({ owner }) => owner)
    const notice = uncheckedNotice(channels, failing.why, since)
    await notices.notify(first.tenant, owners, toNoticeId(tenant, failing), notice, first.channel)
    await store.watches.change(tenant, WATCH_ID, (watch) =>
      watch.failing ? { ...watch, failing: { ...watch.failing, isTold: true } } : undefined,
    )
  }

  /** Tells the owner that an alert can't post. @param isOwnerOut also tells the person who connected the account */
  async tellNotPosting(alert: AlertRecord, failing: Failing | undefined, isOwnerOut: boolean): Promise<void> {
    const { store, notices, now } = this.#services
    if (!failing || failing.isTold || !isNotable(failing, now())) return
    const tenant = tenantKey(alert.tenant)
    const id = toNoticeId(`${tenant}/${alert.id}`, failing)
    await notices.notifyOwner(alert, { id, notice: notPostingNotice(alert.channel, failing.why), isOwnerOut })
    await store.watches.change(tenant, WATCH_ID, (watch) => {
      const state = watch.alerts[alert.id]
      if (!state?.failing) return undefined
      const told = { ...state, failing: { ...state.failing, isTold: true } }
      return { ...watch, alerts: { ...watch.alerts, [alert.id]: told } }
    })
  }

  /** Tells the owner of a stored alert that it can't be read, if the owner can be told from it. */
  async tellUnreadable(value: unknown): Promise<void> {
    const { store, notices } = this.#services
    const { data } = unreadableAlertSchema.safeParse(value)
    if (!data) return
    const { id, tenant, owner, channel } = data
    const key = scopedKey(tenantKey(tenant), id)
    if (!(await store.claims.claim('unreadable-alert', key, UNREADABLE_TOLD_MS))) return
    await notices.notify(tenant, [owner], `alerts${key}/unreadable`, unreadableNotice(channel))
  }
}
