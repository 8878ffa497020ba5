import { giveUpMessage, takeBack } from '../../alerts/alert-steps.ts'
import type { Services } from '../../services.ts'
import type { PostFailure } from '../../slack/answers/failures.ts'
import type { AlertRecord, AlertStateRecord, OpenMessage } from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { recentLabel } from '../../time/labels.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { stoppedNotice, unconfirmedNotice } from './notice-texts.ts'

/** How often what somebody has to mend is looked at again. */
const troubledEveryMs: Milliseconds = 10 * 60_000
const retryMs: Milliseconds = 30_000

/** What becomes of an alert that could not be told: it tries again by itself, and its owner is told once. */
export class FailedTelling {
  readonly #services

  constructor(services: Pick<Services, 'store' | 'workspaces' | 'notices' | 'now'>) {
    this.#services = services
  }

  /** @param open what was not shown for it @returns when it is tried again */
  async fail(alert: AlertRecord, failure: PostFailure, open?: OpenMessage): Promise<EpochMs> {
    if (open) await this.#change(alert, (state) => takeBack(state, open.id))
    if (failure.kind === 'transient') return this.postpone(alert, failure.retryAfterMs)
    const { notices, workspaces, now } = this.#services
    const { id, tenant, owner, channel } = alert
    const { why, isOwnerOut } = failure
    const retryAt = now() + troubledEveryMs
    const state = await this.#change(alert, ({ trouble, ...rest }) => ({
      ...rest,
      trouble: { since: trouble?.since ?? now(), why, isTold: trouble?.isTold },
      retryAt,
    }))
    if (!state?.trouble || state.trouble.isTold) return retryAt
    const { since } = state.trouble
    const connector = isOwnerOut ? await workspaces.connectedBy(tenantKey(tenant)) : undefined
    const people = [owner, ...(connector === undefined ? [] : [connector])] as const
    const noticeId = `alert${tenantKey(tenant)}/${id}/${since}`
    await notices.tellOneOf(tenant, people, channel, noticeId, stoppedNotice(channel, why))
    await this.#change(alert, ({ trouble, ...rest }) =>
      trouble?.since === since ? { ...rest, trouble: { ...trouble, isTold: true } } : undefined,
    )
    return retryAt
  }

  /** @returns when it is tried again */
  async postpone(alert: AlertRecord, retryAfterMs = retryMs): Promise<EpochMs> {
    const retryAt = this.#services.now() + retryAfterMs
    await this.#change(alert, (state) => ({ ...state, retryAt }))
    return retryAt
  }

  /** It may be in the channel: it isn't sent again, and whoever set the alert up is told to look. */
  async giveUp(alert: AlertRecord, { id, count, firstAt }: OpenMessage): Promise<void> {
    const { notices, workspaces, now } = this.#services
    const { channel, owner, tenant } = alert
    const { zone } = await workspaces.zone(tenantKey(tenant), channel)
    const since = recentLabel(zone, new Date(firstAt), new Date(now()))
    const noticeId = `alert${tenantKey(tenant)}/${id}/unconfirmed`
    await notices.tell(tenant, owner, noticeId, unconfirmedNotice(channel, count, since))
    await this.#change(alert, (state) => giveUpMessage(state, id))
  }

  #change(
    { tenant, id }: AlertRecord,
    change: (state: AlertStateRecord) => AlertStateRecord | undefined,
  ): Promise<AlertStateRecord | undefined> {
    return this.#services.store.alertStates.change(tenantKey(tenant), id, change)
  }
}
