import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage, updateMessage } from '../../slack/api/web-api.ts'
import { cut, escapeText, isPersonId, placeText } from '../../slack/blocks/blocks.ts'
import {
  channelRefusal,
  notPostedFailure,
  type SubscriptionFailure,
  toSubscriptionFailure,
} from '../../slack/deliver/failures.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import {
  ALERT_MESSAGES_KEPT_MS,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  type Attribution,
  alertMessageId,
  changeState,
  isOpenAlert,
  type MissedCall,
} from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { recentLabel } from '../../time/zones.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import { afterFailure, isUpcoming, notifyOnce, toNotice } from './failing.ts'
import { alertMessage, MAX_LABEL_LENGTH } from './message.ts'
import { type AlertContext, addToMessage, getDueCalls, removeShown } from './watch.ts'

const JOIN_WINDOW_MS: Milliseconds = 10 * minuteMs
/** Longer than it takes to send a message and to store that it was sent. */
const SENDING_MS: Milliseconds = 30_000
/** People may click while a message is updated; then it is updated again. */
const MAX_UPDATES = 4

/** The message was deleted, belongs to another app, or is too old to be edited. */
const UNCHANGEABLE_CODES = ['message_not_found', 'cant_update_message', 'edit_window_closed']

const transientText = "Slack doesn't confirm that it took the messages."

/** The message may have arrived. Repeating it is better than losing a missed call. */
const unknownOutcome: SubscriptionFailure = { why: transientText, isPermanent: false }

type Sent = { readonly ts: string; readonly conversation: string } | SubscriptionFailure

function toSent(result: PostResult): Sent {
  if (result.kind === 'unknown') return unknownOutcome
  if (result.kind !== 'sent') return notPostedFailure(result)
  const { ts, channel } = result
  return ts === undefined ? unknownOutcome : { ts, conversation: channel }
}

/** Returns undefined if another click came first. */
export type MessageChange<Value = unknown> = (
  message: AlertMessageRecord,
  attribution: Attribution,
  value: Value,
) => AlertMessageRecord | undefined

/** Posts calls at least once: a call waits until Slack has confirmed a message that shows it, even across restarts. */
export class AlertDelivery {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  async deliver({ tenant: team, id }: Pick<AlertRecord, 'tenant' | 'id'>, stored: AlertState): Promise<void> {
    const { store, workspaces, now } = this.#services
    const tenant = tenantKey(team)
    const alert = await store.alerts.get(tenant, id)
    if (!alert) return
    const { messageId } = stored
    const latest = messageId === undefined ? undefined : await store.alertMessages.get(tenant, messageId)
    const shown = latest?.ts === undefined ? [] : latest.calls
    // A process ended between Slack's confirmation and the removal of the calls from `waiting`.
    const isUnfinished = removeShown(stored.waiting, shown).length < stored.waiting.length
    const state = (isUnfinished && (await this.#confirm(alert, shown))) || stored
    const { zone } = await workspaces.zone(tenant, alert.channel)
    const context = { alert, zone, now: now() }
    // Repeats a message that may have arrived under the same id, so that both copies are one alert.
    const isRepeated = state.sendingUntil !== undefined
    const isRecent = latest && (isRepeated || Math.abs(context.now - latest.openedAt) < JOIN_WINDOW_MS)
    const canBeAddedTo = isRecent && isOpenAlert(latest) && latest.channel === alert.channel
    const open = canBeAddedTo ? latest : undefined
    const unconfirmedId = isRepeated && latest?.ts === undefined ? latest?.id : undefined
    if (getDueCalls(state, context, open).length > 0) await this.#send(context, open, unconfirmedId)
    else if (state.failing && !isUpcoming(state.failing.retryAt, context.now)) await this.#recheck(alert)
  }

  async #send(context: AlertContext, open?: AlertMessageRecord, unconfirmedId?: string): Promise<void> {
    const { alert, now } = context
    const { store, metrics } = this.#services
    const actor = await this.#admit(alert, { isUpdate: open !== undefined })
    if ('why' in actor) return this.#fail(alert, actor)
    const messageId = open?.id ?? unconfirmedId ?? alertMessageId(now, alert.id)
    let calls: readonly MissedCall[] = []
    // Reserves the calls for this sender.
    await changeState(store.watches, alert, (latest) => {
      calls = getDueCalls(latest, context, open)
      return calls.length === 0 ? undefined : { ...latest, messageId, sendingUntil: now + SENDING_MS }
    })
    const [newest] = calls
    if (!newest) return
    const sent = open
      ? await this.#update(actor, messageId, (shown) => ({ ...shown, ...addToMessage(shown, calls, now) }))
      : await this.#post(actor, alert, {
          id: messageId,
          openedAt: now,
          ...addToMessage(undefined, calls, now),
        })
    if (sent === 'gone') {
      await changeState(store.watches, alert, (state) => ({ ...state, sendingUntil: undefined }))
      return this.#send(context)
    }
    if ('why' in sent) return this.#fail(alert, sent)
    metrics.count('alert_calls_total', {}, calls.length)
    metrics.time('alert_call_delay_seconds', {}, this.#services.now() - newest.at)
    await this.#confirm(alert, calls)
  }

  /** Checks that the owner may still see calls, and that the channel belongs to this workspace alone. */
  async #admit(
    { tenant, owner, channel }: AlertRecord,
    { isUpdate = false } = {},
  ): Promise<Actor | SubscriptionFailure> {
    const { guards, channels } = this.#services.background
    try {
      const actor = await guards.admit(tenant, owner, 'calls')
      if (isPersonId(channel)) return actor
      const state = await (isUpdate ? channels.recentState(actor, channel) : channels.state(actor, channel))
      return state === 'ok' ? actor : { why: channelRefusal(state, channel), isPermanent: true }
    } catch (error) {
      const failure = toSubscriptionFailure(error)
      if (!failure) throw error
      return failure
    }
  }

  /** Stores the message before it is sent: otherwise a full disk would repeat it every minute. */
  async #post(
    { tenant, team, person, installation }: Actor,
    { id: alertId, channel, lines }: AlertRecord,
    content: Pick<AlertMessageRecord, 'id' | 'openedAt' | 'count' | 'firstAt' | 'calls' | 'lateByMs'>,
  ): Promise<Sent> {
    const { store, delivery, backgroundWebApi, metrics } = this.#services
    const line = lines.length === 1 ? lines[0] : undefined
    const record = { ...content, tenant: team, alertId, channel, ownerName: person.name, line }
    await store.alertMessages.set(tenant, record.id, record, ALERT_MESSAGES_KEPT_MS)
    const result = await delivery.send(await this.#render(record), team, (form) =>
      postMessage(backgroundWebApi, installation.botToken, channel, form.message),
    )
    metrics.count('alert_messages_total', { outcome: result.kind })
    const sent = toSent(result)
    if ('ts' in sent) {
      const { ts, conversation } = sent
      await store.alertMessages.change(tenant, record.id, (message) => ({ ...message, ts, conversation }))
    }
    return sent
  }

  /**
   * @param ts of the clicked message; the record has none if the process ended before it stored it
   * @returns the problem to show, as mrkdwn; undefined on success
   */
  async apply<Value extends { readonly id: string }>(
    { actor, tenant, channel }: Interaction,
    value: Value,
    change: MessageChange<Value>,
    ts?: string,
  ): Promise<string | undefined> {
    const { store, workspaces, now } = this.#services
    const { alertMessages } = store
    const { id } = value
    const attribution = { person: actor.person.id, name: actor.person.name, at: now() }
    const isChanged = await alertMessages.change(tenant, id, (message) =>
      change(ts === undefined ? message : { ts, conversation: channel, ...message }, attribution, value),
    )
    if (isChanged) {
      await this.#update(actor, id)
      return undefined
    }
    const latest = await alertMessages.get(tenant, id)
    const first = latest?.done ?? latest?.taken
    if (!latest || !first) return "Someone has released or reopened it since, or it's too old."
    const { zone } = await workspaces.zone(tenant, latest.channel)
    const at = recentLabel(zone, new Date(first.at), new Date(now()))
    const name = escapeText(cut(first.name, MAX_LABEL_LENGTH))
    return `Already ${latest.done ? 'done' : 'taken'} by ${name} at ${at}.`
  }

  /**
   * Updates a message in Slack to match its record, which people may change meanwhile.
   * @param change adds calls, unless the message is taken or closed; stored once Slack has accepted them
   * @returns `gone` if nothing can be added, Slack refuses the change, or the record is missing
   */
  async #update(
    { tenant, team, installation }: Actor,
    id: string,
    change?: (message: AlertMessageRecord) => AlertMessageRecord,
  ): Promise<Sent | 'gone'> {
    const { store, delivery, backgroundWebApi } = this.#services
    for (let updates = 1; ; updates += 1) {
      const record = await store.alertMessages.get(tenant, id)
      if (record?.ts === undefined) return 'gone'
      const isClosed = change !== undefined && !isOpenAlert(record)
      if (isClosed && updates === 1) return 'gone'
      const shown = isClosed ? record : (change?.(record) ?? record)
      const { ts, conversation: channel = record.channel } = record
      const result = await delivery.send(await this.#render(shown), team, (form) =>
        updateMessage(backgroundWebApi, installation.botToken, { channel, ts }, form.message),
      )
      if (result.kind === 'refused' && UNCHANGEABLE_CODES.includes(result.code)) return 'gone'
      if (result.kind !== 'sent') return toSent(result)
      const kept = await store.alertMessages.change(tenant, id, (latest) =>
        isDeepStrictEqual(latest, record) ? shown : undefined,
      )
      if (kept) return isClosed ? 'gone' : toSent(result)
      if (updates >= MAX_UPDATES) return unknownOutcome
    }
  }

  async #render(message: AlertMessageRecord) {
    const { workspaces } = this.#services
    const tenant = tenantKey(message.tenant)
    const [lines, { zone }] = await Promise.all([
      workspaces.lineNames(tenant),
      workspaces.zone(tenant, message.channel),
    ])
    return alertMessage(message, { lines, zone })
  }

  #confirm(alert: AlertRecord, shown: readonly MissedCall[]): Promise<AlertState | undefined> {
    const { store, now } = this.#services
    return changeState(store.watches, alert, ({ failing: _, sendingUntil: _until, ...state }) => ({
      ...state,
      waiting: removeShown(state.waiting, shown),
      postedAt: now(),
    }))
  }

  async #fail(alert: AlertRecord, failure: SubscriptionFailure): Promise<void> {
    const { store, notices, log, now } = this.#services
    const { id: alertId, channel } = alert
    const tenant = tenantKey(alert.tenant)
    const reason = failure.isPermanent ? failure : { ...failure, why: transientText }
    if (!reason.isPermanent) log.info({ tenant, alert: alertId }, 'alert could not be posted')
    await changeState(store.watches, alert, async (state) => {
      const failed = afterFailure(state.failing, reason, now())
      const notice = toNotice(`Missed-call alerts in ${placeText(channel)} have stopped.`, failed)
      const failing = await notifyOnce(failed, now(), (id) =>
        notices.notifyOwner(alert, `alerts${tenant}/${alertId}/${id}`, notice, failure),
      )
      return { ...state, sendingUntil: failure === unknownOutcome ? now() : undefined, failing }
    })
  }

  /** Without calls to post, finds out whether they could be. */
  async #recheck(alert: AlertRecord): Promise<void> {
    const actor = await this.#admit(alert)
    if ('why' in actor) return this.#fail(alert, actor)
    await changeState(this.#services.store.watches, alert, ({ failing: _, ...state }) => state)
  }
}
