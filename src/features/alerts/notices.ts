import { z } from 'zod'
import type { Services } from '../../services.ts'
import { placeText } from '../../slack/blocks/blocks.ts'
import type { Notice } from '../../slack/deliver/notices.ts'
import { type AlertRecord, type Failing, WATCH_ID, type WatchRecord } from '../../store/alerts.ts'
import { scopedKey, tenantKey, tenantRecord } from '../../store/tenant.ts'
import { recentLabel } from '../../time/zones.ts'
import { joinNames } from '../../util/text.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'
import { isNotable } from './failing.ts'

/** Fields of an unreadable alert that tell whose it is. */
const unreadableAlertSchema = z.object({
  id: z.string(),
  tenant: tenantRecord,
  owner: z.string(),
  channel: z.string(),
})
/** Interval between notices about the same unreadable alert. */
const UNREADABLE_TOLD_MS: Milliseconds = 100 * dayMs

const RESUME_TEXT = "The alerts resume by themselves once that's fixed."

const toNotice = (text: string): Notice => ({
  text,
  command: { id: 'alerts', text: 'Manage alerts', command: '/calls alerts' },
})

/** Identical for the same failure, so that a repeated notice is sent once. */
const toNoticeId = (scope: string, { since, isPermanent }: Failing): string =>
  `alerts${scope}/${since}/${isPermanent ? 'permanent' : 'transient'}`

/** Tells the owners of alerts once when their alerts have stopped. */
export class AlertNotices {
  readonly #services

  constructor(services: Pick<Services, 'store' | 'notices' | 'workspaces' | 'now'>) {
    this.#services = services
  }

  #isTelling(failing: Failing | undefined): failing is Failing {
    return failing !== undefined && !failing.isTold && isNotable(failing, this.#services.now())
  }

  /** Tells all owners that their account can't be polled. */
  async tellUnchecked(alerts: readonly AlertRecord[], { failing }: WatchRecord): Promise<void> {
    const { store, notices, workspaces, now } = this.#services
    const [first] = alerts
    if (!first || !this.#isTelling(failing)) return
    const tenant = tenantKey(first.tenant)
    const { zone } = await workspaces.zone(tenant, '')
    const since = recentLabel(zone, new Date(failing.since), new Date(now()))
    const places = joinNames([...new Set(alerts.map(({ channel }) => placeText(channel)))])
    const notice = toNotice(
      `Missed calls haven't been checked since ${since}, so alerts in ${places} are on hold. ${failing.why} ${RESUME_TEXT}`,
    )
    const owners = alerts.map(({ owner }) => owner)
    await notices.notify(first.tenant, owners, toNoticeId(tenant, failing), notice, first.channel)
    await store.watches.change(tenant, WATCH_ID, (watch) =>
      watch.failing ? { ...watch, failing: { ...watch.failing, isTold: true } } : undefined,
    )
  }

  /** Tells the owner that an alert can't post. @param isOwnerOut also tells the person who connected the account */
  async tellNotPosting(alert: AlertRecord, failing: Failing | undefined, isOwnerOut: boolean): Promise<void> {
    if (!this.#isTelling(failing)) return
    const { store, notices } = this.#services
    const tenant = tenantKey(alert.tenant)
    const text = `Missed-call alerts in ${placeText(alert.channel)} have stopped. ${failing.why} ${RESUME_TEXT}`
    const id = toNoticeId(`${tenant}/${alert.id}`, failing)
    await notices.notifyOwner(alert, { id, notice: toNotice(text), isOwnerOut })
    await store.watches.change(tenant, WATCH_ID, (watch) => {
      const state = watch.alerts[alert.id]
      if (!state?.failing) return undefined
      const told = { ...state, failing: { ...state.failing, isTold: true } }
      return { ...watch, alerts: { ...watch.alerts, [alert.id]: told } }
    })
  }

  /** Notifies the owner of an unreadable alert, if the record still names the owner. */
  async tellMalformed(value: unknown): Promise<void> {
    const { store, notices } = this.#services
    const { data } = unreadableAlertSchema.safeParse(value)
    if (!data) return
    const { id, tenant, owner, channel } = data
    const key = scopedKey(tenantKey(tenant), id)
    if (!(await store.claim('unreadable-alert', key, UNREADABLE_TOLD_MS))) return
    const text = `A missed-call alert in ${placeText(channel)} can't be read any more, so it posts nothing. Set it up again.`
    await notices.notify(tenant, [owner], `alerts${key}/unreadable`, toNotice(text))
  }
}
