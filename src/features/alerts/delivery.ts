import { isDeepStrictEqual } from 'node:util'
import {
  type AlertNow,
  confirmed,
  current,
  lateness,
  mergeLists,
  nextStep,
  openMessage,
  presentable,
  withFollowing,
} from '../../alerts/alert-state.ts'
import { isAhead } from '../../alerts/poll-times.ts'
import type { DeliverAlert } from '../../alerts/poller.ts'
import { notifyOwner } from '../../planned/notify-owner.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import type { PostFailure } from '../../slack/deliver/failures.ts'
import {
  ALERT_MESSAGES_KEPT_MS,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  alertMessageId,
  type CallList,
  WATCH_ID,
} from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import type { MessageSender } from './message-sender.ts'
import { stoppedNotice } from './words.ts'

/** Longer than it takes to hand a message to Slack, and to keep that it took it. */
const sendingMs: Milliseconds = 30_000
const retryMs: Milliseconds = 30_000
/** How often it is tried again what somebody has to mend. */
const troubledEveryMs: Milliseconds = 10 * 60_000
/** A message that turns out to be in the channel, or not to be there any more, and the one that is sent then. */
const mostSteps = 3

type DeliveryServices = Pick<Services, 'store' | 'workspaces' | 'notices' | 'metrics' | 'now'>

/**
 * Posts what is pending of an alert, at least once: a call stays pending until Slack has confirmed the message that shows it,
 * so that it is sent again after a failure or the end of the process that sent it.
 */
export const alertDelivery =
  (services: DeliveryServices, sender: MessageSender): DeliverAlert =>
  async (alert, state) => {
    const delivery = new AlertDelivery(services, sender, alert)
    let next: AlertState | EpochMs | undefined = state
    for (let steps = 0; steps < mostSteps && typeof next === 'object'; steps += 1)
      next = await delivery.step(next)
    return typeof next === 'object' ? services.now() + retryMs : next
  }

/** One alert being delivered. */
class AlertDelivery {
  readonly #services
  readonly #sender
  readonly #alert
  readonly #tenant

  constructor(services: DeliveryServices, sender: MessageSender, alert: AlertRecord) {
    this.#services = services
    this.#sender = sender
    this.#alert = alert
    this.#tenant = tenantKey(alert.tenant)
  }

  /** @returns the state where there is more to do at once; when there is, where that is later */
  async step(state: AlertState): Promise<AlertState | EpochMs | undefined> {
    const { store, workspaces, now } = this.#services
    const { id: latest, postedAt } = state.message ?? {}
    const row = latest === undefined ? undefined : await store.alertMessages.get(this.#tenant, latest)
    // Slack took it though it did not say so, or nobody kept that it did.
    if (row?.ts !== undefined && postedAt === undefined) return this.#confirm(row.id, row)
    const isOpen = row?.ts !== undefined && openMessage(state, now()) === row.id && !row.taken && !row.done
    const open = isOpen ? row : undefined
    const { zone } = await workspaces.zone(this.#tenant, this.#alert.channel)
    const one: AlertNow = { alert: this.#alert, zone, now: now() }
    const next = nextStep(withFollowing(current(state, this.#alert), open), one)
    switch (next.kind) {
      case 'nothing':
        return state.trouble ? this.#checkTrouble(state) : undefined
      case 'wait':
        return next.until
      case 'send': {
        // Whoever has changed it since the turn began has had it polled anew: that poll goes by what holds now.
        const asOfNow = await store.alerts.get(this.#tenant, this.#alert.id)
        return isDeepStrictEqual(asOfNow, this.#alert) ? this.#send(one, open, row) : undefined
      }
    }
  }

  /** @param row of a message that is open, or of one that was sent in vain */
  async #send(
    one: AlertNow,
    open: AlertMessageRecord | undefined,
    row: AlertMessageRecord | undefined,
  ): Promise<AlertState | EpochMs | undefined> {
    const actor = await this.#sender.admit(this.#alert)
    if ('kind' in actor) return this.#fail(actor)
    // Whoever changes the row first sends it.
    const begun = await this.#change((state) => {
      const own = withFollowing(current(state, this.#alert), open)
      if (nextStep(own, one).kind !== 'send') return undefined
      const { message } = own
      const isSentAgain = message !== undefined && message.postedAt === undefined
      const id = isSentAgain ? message.id : alertMessageId(one.now, this.#alert.id)
      return { ...own, message: open ? message : { id }, sendingUntil: one.now + sendingMs }
    })
    const { pending, message } = begun ?? {}
    if (!pending || !message) return undefined
    const { list, tooOld } = presentable(pending, one)
    if (!list) return this.#change((state) => ({ ...state, pending: undefined, sendingUntil: undefined }))
    const sent = open
      ? await this.#add(actor, open, list, one.now)
      : await this.#post(actor, row?.id === message.id ? row : undefined, {
          id: message.id,
          openedAt: row?.id === message.id ? row.openedAt : one.now,
          ...list,
          lateByMs: lateness(list, one.now),
          tooOld: tooOld > 0 ? tooOld : undefined,
        })
    // Somebody deleted it: what it hasn't shown is posted anew.
    if (sent === 'gone')
      return this.#change((state) => ({ ...state, message: undefined, sendingUntil: undefined }))
    if (sent) return this.#fail(sent)
    const { metrics, now } = this.#services
    metrics.count('alert_calls_total', {}, list.count)
    metrics.time('alert_call_delay_seconds', {}, now() - (list.calls[0]?.at ?? one.now))
    return this.#confirm(message.id, pending)
  }

  /** @param before the same message, sent in vain: somebody may have found it in the channel nonetheless */
  async #post(
    actor: Actor,
    before: AlertMessageRecord | undefined,
    content: CallList & Pick<AlertMessageRecord, 'id' | 'openedAt' | 'lateByMs' | 'tooOld'>,
  ): Promise<PostFailure | undefined> {
    const { store } = this.#services
    const { tenant, id: alertId, channel, lines, agents } = this.#alert
    const line = lines.length === 1 ? lines[0] : undefined
    const agent = agents.length === 1 ? agents[0] : undefined
    const { taken, done } = before ?? {}
    const row = { ...content, tenant, alertId, channel, line, agent, taken, done }
    await store.alertMessages.set(this.#tenant, row.id, row, ALERT_MESSAGES_KEPT_MS)
    const sent = await this.#sender.post(actor, row)
    if (sent.kind !== 'sent') return sent
    await store.alertMessages.change(this.#tenant, row.id, (message) => ({ ...message, ts: sent.ts }))
    return undefined
  }

  async #add(
    actor: Actor,
    { id }: AlertMessageRecord,
    list: CallList,
    now: EpochMs,
  ): Promise<PostFailure | 'gone' | undefined> {
    const sent = await this.#sender.show(actor, id, (message) => {
      const lateByMs = Math.max(message.lateByMs ?? 0, lateness(list, now) ?? 0)
      return { ...mergeLists(message, list), lateByMs: lateByMs > 0 ? lateByMs : undefined }
    })
    return sent === 'gone' || sent.kind !== 'sent' ? sent : undefined
  }

  #confirm(id: string, handled: CallList): Promise<AlertState | undefined> {
    return this.#change((state) => confirmed(state, { id, handled, now: this.#services.now() }))
  }

  /** It tries again by itself, and its owner is notified once of what somebody has to mend. @returns when it is tried again */
  async #fail(failure: PostFailure): Promise<EpochMs> {
    const { now } = this.#services
    const { id, channel } = this.#alert
    if (failure.kind === 'transient') {
      const retryAt = now() + (failure.retryAfterMs ?? retryMs)
      await this.#change((state) => ({ ...state, retryAt, sendingUntil: undefined }))
      return retryAt
    }
    const { why, isOwnerOut } = failure
    const retryAt = now() + troubledEveryMs
    const state = await this.#change(({ trouble, ...rest }) => ({
      ...rest,
      trouble: { since: trouble?.since ?? now(), why, isTold: trouble?.isTold },
      retryAt,
      sendingUntil: undefined,
    }))
    if (!state?.trouble || state.trouble.isTold) return retryAt
    const { since } = state.trouble
    const noticeId = `alert${this.#tenant}/${id}/${since}`
    const notice = stoppedNotice(channel, why)
    await notifyOwner(this.#services, this.#alert, { id: noticeId, notice, isOwnerOut })
    await this.#change(({ trouble, ...rest }) =>
      trouble?.since === since ? { ...rest, trouble: { ...trouble, isTold: true } } : undefined,
    )
    return retryAt
  }

  /** Where nothing is to be posted, whether it could be: nobody is to read of trouble that is over. */
  async #checkTrouble({ retryAt, trouble }: AlertState): Promise<EpochMs | undefined> {
    if (isAhead(retryAt, this.#services.now())) return undefined
    const actor = await this.#sender.admit(this.#alert)
    if ('kind' in actor) return this.#fail(actor)
    await this.#change(({ trouble: now, retryAt: _, ...state }) =>
      now?.since === trouble?.since ? state : undefined,
    )
    return undefined
  }

  /** @returns the state as it is then, or `undefined` where it was left as it is */
  async #change(change: (state: AlertState) => AlertState | undefined): Promise<AlertState | undefined> {
    const { id } = this.#alert
    const changed = await this.#services.store.watches.change(this.#tenant, WATCH_ID, (watch) => {
      const state = change(watch.alerts[id] ?? {})
      return state && { ...watch, alerts: { ...watch.alerts, [id]: state } }
    })
    return changed?.alerts[id]
  }
}
