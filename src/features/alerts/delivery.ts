import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type PostResult, postMessage, updateMessage } from '../../slack/api/web-api.ts'
import { isPersonId } from '../../slack/blocks/blocks.ts'
import {
  channelRefusal,
  failureOfError,
  failureOfResult,
  type PostFailure,
  permanentFailure,
} from '../../slack/deliver/failures.ts'
import {
  ALERT_MESSAGES_KEPT_MS,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  alertMessageId,
  WATCH_ID,
} from '../../store/alerts.ts'
import { tenantKey } from '../../store/tenant.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import { afterFailure, isAhead } from './failing.ts'
import { alertMessage } from './message.ts'
import type { AlertNotices } from './notices.ts'
import { type AlertContext, addToMessage, type CallList, getDueCalls, removeShown } from './waiting.ts'

/** Later calls join a message for this long. */
const OPEN_MS: Milliseconds = 10 * minuteMs
/** Messages that arrive later than this after a call say so. */
const LATE_AFTER_MS: Milliseconds = 5 * minuteMs
/** Longer than it takes to send a message and to store that it was sent. */
const SENDING_MS: Milliseconds = 30_000
/** A message may turn out to be in the channel already, or to be gone; then another one follows. */
const MAX_STEPS = 3
/** People may click while a message is updated; then it is updated again. */
const MAX_UPDATES = 4

/** The message was deleted, belongs to another app, or is too old to be edited. */
const UNCHANGEABLE_CODES = ['message_not_found', 'cant_update_message', 'edit_window_closed']

/** The message may have arrived. Repeating it is better than losing a missed call. */
const unknownOutcome: PostFailure = { kind: 'transient', retryAfterMs: undefined }

type Sent = { readonly kind: 'sent'; readonly ts: string; readonly conversation: string } | PostFailure

function toSent(result: PostResult): Sent {
  if (result.kind === 'unknown') return unknownOutcome
  if (result.kind !== 'sent') return failureOfResult(result)
  const { ts, channel } = result
  return ts === undefined ? unknownOutcome : { kind: 'sent', ts, conversation: channel }
}

const isOpenRecord = ({ ts, taken, done }: AlertMessageRecord): boolean => ts !== undefined && !taken && !done

/**
 * Posts waiting calls at least once: a call waits until Slack has confirmed the message that shows it, so it is sent again
 * after a failure and after the end of the process that sent it.
 */
export class AlertDelivery {
  readonly #services
  readonly #notices

  constructor(services: Services, notices: Pick<AlertNotices, 'tellNotPosting'>) {
    this.#services = services
    this.#notices = notices
  }

  async deliver({ tenant, id }: Pick<AlertRecord, 'tenant' | 'id'>, state: AlertState): Promise<void> {
    let next: AlertState | undefined = state
    for (let steps = 0; next && steps < MAX_STEPS; steps += 1) {
      const alert: AlertRecord | undefined = await this.#services.store.alerts.get(tenantKey(tenant), id)
      next = alert && (await this.#step(alert, next))
    }
  }

  /** @returns the state if there may be more to do at once */
  async #step(alert: AlertRecord, state: AlertState): Promise<AlertState | undefined> {
    const { store, workspaces, now } = this.#services
    const tenant = tenantKey(alert.tenant)
    const { sending, message, waiting, more, failing } = state
    const latest = sending ?? message
    const record = latest && (await store.alertMessages.get(tenant, latest.id))
    const shown = { calls: [], ...record, more }
    const showsWaitingCalls = removeShown(state, shown).waiting.length < waiting.length
    // A process ended between sending the message and storing here that it was sent.
    if (sending && record?.ts !== undefined && showsWaitingCalls)
      return this.#confirm(alert, record.id, shown)
    // An update whose outcome is unknown is repeated: a new message could show the same calls.
    const isRecent = message && (sending?.id === message.id || Math.abs(now() - message.postedAt) < OPEN_MS)
    const canBeAddedTo = record && isOpenRecord(record) && record.channel === alert.channel
    const open = isRecent && canBeAddedTo ? record : undefined
    const { zone } = await workspaces.zone(tenant, alert.channel)
    const context = { alert, zone, now: now() }
    if (getDueCalls(state, context, open)) return this.#send(context, open)
    if (failing && !isAhead(failing.retryAt, now())) await this.#recheck(alert)
    return undefined
  }

  async #send(context: AlertContext, open: AlertMessageRecord | undefined): Promise<AlertState | undefined> {
    const { alert, now } = context
    const { metrics } = this.#services
    const actor = await this.#admit(alert, { isUpdate: open !== undefined })
    if ('kind' in actor) return this.#fail(alert, actor)
    let due: ReturnType<typeof getDueCalls>
    // Reserves the message for this sender; an unconfirmed message keeps its id, so that two copies are one alert.
    const claimed = await this.#change(alert, (latest) => {
      due = getDueCalls(latest, context, open)
      const { sending, message } = latest
      const unconfirmed = sending && sending.id !== message?.id ? sending.id : undefined
      const id = open?.id ?? unconfirmed ?? alertMessageId(now, alert.id)
      return due && { ...latest, sending: { id, until: now + SENDING_MS } }
    })
    const id = claimed?.sending?.id
    if (!due || id === undefined) return undefined
    const calls = due
    const added = addToMessage(undefined, calls)
    const lateByMs = now - added.firstAt > LATE_AFTER_MS ? now - added.firstAt : undefined
    const sent = open
      ? await this.update(actor, id, (shown) => ({
          ...shown,
          ...addToMessage(shown, calls),
          lateByMs: Math.max(shown.lateByMs ?? 0, lateByMs ?? 0) || undefined,
        }))
      : await this.#post(actor, alert, { id, openedAt: now, ...added, lateByMs })
    // The message was deleted, taken or closed: the calls get a new one.
    if (sent === 'gone') return this.#change(alert, ({ message: _, sending: _sending, ...state }) => state)
    if (sent.kind !== 'sent') return this.#fail(alert, sent)
    metrics.count('alert_calls_total', {}, added.count)
    metrics.time('alert_call_delay_seconds', {}, this.#services.now() - (added.calls[0]?.at ?? now))
    return this.#confirm(alert, id, calls)
  }

  /** Checks that the owner may still see calls, and that the channel belongs to this workspace alone. */
  async #admit(
    { tenant, owner, channel }: AlertRecord,
    { isUpdate = false } = {},
  ): Promise<Actor | PostFailure> {
    const { guards, channels } = this.#services.background
    try {
      const actor = await guards.admit(tenant, owner, 'calls')
      if (isPersonId(channel)) return actor
      const state = await (isUpdate ? channels.recentState(actor, channel) : channels.state(actor, channel))
      return state === 'ok' ? actor : permanentFailure(channelRefusal(state, channel))
    } catch (error) {
      const failure = failureOfError(error)
      if (!failure) throw error
      if (failure.kind === 'transient' || !failure.isOwnerOut) return failure
      const why =
        "The person who set it up can't see calls any more. Anyone who can see calls can take it over: choose *Edit…*."
      return permanentFailure(why, true)
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
    if (sent.kind === 'sent') {
      const { ts, conversation } = sent
      await store.alertMessages.change(tenant, record.id, (message) => ({ ...message, ts, conversation }))
    }
    return sent
  }

  /**
   * Updates a message in Slack to match its record, which people may change meanwhile.
   * @param change adds calls, unless the message is taken or closed; stored once Slack has accepted them
   * @returns `gone` if nothing can be added, Slack refuses to change the message, or its record is missing
   */
  async update(
    { tenant, team, installation }: Actor,
    id: string,
    change?: (message: AlertMessageRecord) => AlertMessageRecord,
  ): Promise<Sent | 'gone'> {
    const { store, delivery, backgroundWebApi } = this.#services
    for (let updates = 1; ; updates += 1) {
      const record = await store.alertMessages.get(tenant, id)
      if (record?.ts === undefined) return 'gone'
      const isClosed = change !== undefined && !isOpenRecord(record)
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

  #confirm(alert: AlertRecord, id: string, shown: CallList): Promise<AlertState | undefined> {
    const postedAt = this.#services.now()
    return this.#change(alert, ({ failing: _, sending, ...state }) => {
      // Another process has confirmed it already.
      if (sending?.id !== id) return undefined
      const message = state.message?.id === id ? state.message : { id, postedAt }
      return { ...removeShown(state, shown), message }
    })
  }

  /** Stores the failure; a later poll tries again. */
  async #fail(alert: AlertRecord, failure: PostFailure): Promise<undefined> {
    const at = this.#services.now()
    const isPermanent = failure.kind === 'permanent'
    const described = isPermanent
      ? { why: failure.why, isPermanent }
      : {
          why: "Slack doesn't confirm that it took the messages.",
          isPermanent,
          retryAfterMs: failure.retryAfterMs,
        }
    const state = await this.#change(alert, ({ sending, ...latest }) => ({
      ...latest,
      failing: afterFailure(latest.failing, described, at),
      sending: failure === unknownOutcome && sending ? { ...sending, until: at } : undefined,
    }))
    if (!isPermanent) {
      const context = { tenant: tenantKey(alert.tenant), alert: alert.id, attempt: state?.failing?.count }
      this.#services.log.info(context, 'alert could not be posted')
    }
    await this.#notices.tellNotPosting(alert, state?.failing, isPermanent && failure.isOwnerOut)
  }

  /** Without calls to post, finds out whether they could be. */
  async #recheck(alert: AlertRecord): Promise<void> {
    const actor = await this.#admit(alert)
    if ('kind' in actor) await this.#fail(alert, actor)
    else await this.#change(alert, ({ failing: _, ...state }) => state)
  }

  /** @returns the changed state, or undefined if `change` returned undefined */
  async #change(
    { tenant, id }: AlertRecord,
    change: (state: AlertState) => AlertState | undefined,
  ): Promise<AlertState | undefined> {
    const changed = await this.#services.store.watches.change(tenantKey(tenant), WATCH_ID, (watch) => {
      const state = change(watch.alerts[id] ?? { waiting: [] })
      return state && { ...watch, alerts: { ...watch.alerts, [id]: state } }
    })
    return changed?.alerts[id]
  }
}
