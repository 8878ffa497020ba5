import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { conversationText, isPersonId } from '../../slack/blocks/blocks.ts'
import { type SubscriptionFailure, toSubscriptionFailure } from '../../slack/deliver/failures.ts'
import {
  ALERTS_KEPT_MS,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  alertMessageId,
  type CallList,
  changeState,
  getState,
  isPending,
  noCalls,
  type Reminder,
} from '../../store/alerts.ts'
import { inBatches, type MissedCallRecord, missedCallId } from '../../store/missed-calls.ts'
import { tenantKey } from '../../store/tenant.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import { afterFailure, isUpcoming, notifyOnce, toNotice } from './failing.ts'
import { type AlertMessages, type Sent, transientText, unknownOutcome } from './messages.ts'
import { sendReminders } from './reminders.ts'
import {
  type AlertContext,
  addToMessage,
  dropStale,
  getDueCalls,
  isQuiet,
  MAX_LISTED,
  removeShown,
} from './waiting.ts'

const JOIN_WINDOW_MS: Milliseconds = 10 * minuteMs
/** Longer than it takes to send a message and to store that it was sent. */
const SENDING_MS: Milliseconds = 30_000

interface Target {
  /** The message to add to. */
  readonly open?: AlertMessageRecord | undefined
  /** Id of a message that may have arrived. */
  readonly unconfirmedId?: string | undefined
}

/** Posts calls at least once: a call waits until Slack has confirmed a message that shows it, even across restarts. */
export class AlertDelivery {
  readonly #services
  readonly #messages

  constructor(services: Services, messages: AlertMessages) {
    this.#services = services
    this.#messages = messages
  }

  /** @returns whether the next poll has to continue */
  async deliver({ workspace, id }: Pick<AlertRecord, 'workspace' | 'id'>): Promise<boolean> {
    const { store, workspaces, now } = this.#services
    const tenant = tenantKey(workspace)
    const alert = await store.alerts.get(tenant, id)
    if (!alert) return false
    const stored = await getState(store.alertStates, alert)
    if (!isPending(stored)) return false
    const { zone } = await workspaces.zone(tenant, alert.channel)
    const context = { alert, zone, now: now() }
    await this.#deliverCalls(context, stored)
    const state = await getState(store.alertStates, alert)
    await this.#tellSkipped(context, state)
    await sendReminders(this.#services, this.#messages, context, state.reminders)
    return isPending(await getState(store.alertStates, alert))
  }

  async #deliverCalls(context: AlertContext, stored: AlertState): Promise<void> {
    const { alert, now } = context
    const { store } = this.#services
    const latest =
      stored.messageId === undefined
        ? undefined
        : await store.alertMessages.get(tenantKey(alert.workspace), stored.messageId)
    const finished = (latest && (await this.#finish(alert, stored, latest))) ?? stored
    const state = await this.#dropStale(context, finished)
    // Repeats a message that may have arrived under the same id, so that both copies are one alert.
    const isRepeated = state.sendingUntil !== undefined
    const isRecent = latest && (isRepeated || Math.abs(now - latest.openedAt) < JOIN_WINDOW_MS)
    const isOpen = isRecent && latest.ts !== undefined && !latest.isClosed && !latest.isNotPosted
    const open = isOpen && latest.channel === alert.channel ? latest : undefined
    const unconfirmedId = isRepeated && latest?.ts === undefined ? latest?.id : undefined
    const due = getDueCalls(state, context, open)
    const isFull = open !== undefined && open.calls.length + due.calls.length > MAX_LISTED
    if (due.calls.length > 0) await this.#send(context, { open: isFull ? undefined : open, unconfirmedId })
    else if (state.failing && !isUpcoming(state.failing.retryAt, now)) await this.#recheck(alert)
  }

  /** Removes calls from `waiting` if the process ended between Slack's confirmation and that. */
  async #finish(
    alert: AlertRecord,
    state: AlertState,
    { id, ts, channel, calls, count, isNotPosted }: AlertMessageRecord,
  ): Promise<AlertState | undefined> {
    if (ts === undefined || isNotPosted) return undefined
    const ids = new Set(calls)
    const shown = state.waiting.calls.filter((call) => ids.has(missedCallId(call)))
    if (shown.length === 0) return undefined
    const older = Math.min(state.waiting.older, count - calls.length)
    return this.#confirm(alert, { calls: shown, older }, { message: id, channel })
  }

  async #dropStale({ alert, now }: AlertContext, state: AlertState): Promise<AlertState> {
    if (dropStale(state, alert, now) === state) return state
    const { alertStates } = this.#services.store
    return (await changeState(alertStates, alert, (latest) => dropStale(latest, alert, now))) ?? state
  }

  async #send(context: AlertContext, { open, unconfirmedId }: Target): Promise<void> {
    const { alert, now } = context
    const { store, metrics } = this.#services
    const actor = await this.#admit(alert, { isUpdate: open !== undefined })
    if ('why' in actor) return this.#fail(alert, actor)
    const messageId = open?.id ?? unconfirmedId ?? alertMessageId(now, alert.id)
    let reserved = noCalls
    // Reserves the calls for this sender.
    await changeState(store.alertStates, alert, (latest) => {
      reserved = getDueCalls(latest, context, open)
      return reserved.calls.length === 0
        ? undefined
        : { ...latest, messageId, sendingUntil: now + SENDING_MS }
    })
    const due = await this.#leaveOutShown(alert, reserved, messageId)
    const [newest] = due.calls
    if (!newest) return
    const sent = open
      ? await this.#messages.add(actor, messageId, (shown) => ({
          ...shown,
          ...addToMessage(shown, due, now),
        }))
      : await this.#post(actor, context, messageId, due)
    if (sent === 'gone') {
      await changeState(store.alertStates, alert, (state) => ({ ...state, sendingUntil: undefined }))
      return this.#send(context, {})
    }
    if ('why' in sent) return this.#fail(alert, sent, { isUnconfirmed: sent === unknownOutcome })
    metrics.count('alert_calls_total', {}, due.calls.length)
    metrics.time('alert_call_delay_seconds', {}, this.#services.now() - newest.at)
    await this.#confirm(alert, due, { message: messageId, channel: alert.channel }, !open)
  }

  /** Creates the rows of the calls. A conversation shows a call once, whichever alert found it. */
  async #leaveOutShown(alert: AlertRecord, due: CallList, messageId: string): Promise<CallList> {
    const { missedCalls, alertStates } = this.#services.store
    const tenant = tenantKey(alert.workspace)
    const isShown = await inBatches(due.calls, async (call) => {
      const id = missedCallId(call)
      const record: MissedCallRecord = { ...call, shownIn: [] }
      const known = await missedCalls.get(tenant, id)
      if (!known) await missedCalls.insert(tenant, id, record, ALERTS_KEPT_MS)
      const shownIn = known?.shownIn ?? []
      return shownIn.some(({ channel, message }) => channel === alert.channel && message !== messageId)
    })
    const shown = due.calls.filter((_, index) => isShown[index])
    if (shown.length === 0) return due
    const left = due.calls.filter((_, index) => !isShown[index])
    await changeState(alertStates, alert, ({ sendingUntil, ...state }) => ({
      ...state,
      sendingUntil: left.length === 0 ? undefined : sendingUntil,
      waiting: removeFrom(state.waiting, { calls: shown, older: left.length === 0 ? due.older : 0 }),
    }))
    return { calls: left, older: due.older }
  }

  /** Checks that the owner may still see calls, and that the channel belongs to this workspace alone. */
  async #admit(
    { workspace, owner, channel }: AlertRecord,
    options?: { readonly isUpdate: boolean },
  ): Promise<Actor | SubscriptionFailure> {
    try {
      const actor = await this.#services.background.guards.admit(workspace, owner, 'calls')
      return (await this.#messages.refuseChannel(actor, channel, options)) ?? actor
    } catch (error) {
      const failure = toSubscriptionFailure(error)
      if (!failure) throw error
      return failure
    }
  }

  async #post(actor: Actor, { alert, now }: AlertContext, id: string, due: CallList): Promise<Sent> {
    const content = addToMessage(undefined, due, now)
    const calls = await this.#messages.readCalls(alert.workspace, content.calls)
    const record: AlertMessageRecord = { ...this.#newMessage(actor, alert, id, now), ...content }
    // Another conversation has shown it before.
    if (calls.some(({ taken, done }) => taken ?? done)) record.isClosed = true
    return this.#messages.post(actor, record)
  }

  #newMessage(
    { workspace, person }: Actor,
    { id: alertId, channel }: AlertRecord,
    id: string,
    openedAt: number,
  ) {
    const own = { id, workspace, alertId, channel, ownerName: person.name, openedAt }
    return { ...own, revision: 0, shownRevision: 0 }
  }

  async #confirm(
    alert: AlertRecord,
    shown: CallList,
    place: Omit<MissedCallRecord['shownIn'][number], 'at'>,
    isNew = false,
  ): Promise<AlertState | undefined> {
    const { store, now } = this.#services
    const at = now()
    await inBatches(shown.calls, (call) =>
      store.missedCalls.change(tenantKey(alert.workspace), missedCallId(call), (record) =>
        record.shownIn.some(({ message }) => message === place.message)
          ? undefined
          : { ...record, shownIn: [...record.shownIn, { ...place, at }] },
      ),
    )
    return changeState(store.alertStates, alert, ({ failing: _, sendingUntil: _until, ...state }) => {
      const confirmed = { ...state, waiting: removeFrom(state.waiting, shown), postedAt: at }
      const reminder = isNew ? planReminder(alert, place.message, at) : undefined
      return reminder ? { ...confirmed, reminders: [...(state.reminders ?? []), reminder] } : confirmed
    })
  }

  /** Tells the channel once how many calls were missed during a mute or a long gap. */
  async #tellSkipped(context: AlertContext, { skipped, failing }: AlertState): Promise<void> {
    const { alert, now } = context
    const { alertStates } = this.#services.store
    if (!skipped || isQuiet(context) || isUpcoming(failing?.retryAt, now)) return
    const actor = await this.#admit(alert)
    if ('why' in actor) return this.#fail(alert, actor)
    const content = addToMessage(undefined, skipped, now)
    const id = alertMessageId(now, `${alert.id}-skipped`)
    const base = this.#newMessage(actor, alert, id, now)
    const record: AlertMessageRecord = { ...base, ...content, lateByMs: undefined, isNotPosted: true }
    const sent = await this.#messages.post(actor, record)
    if ('why' in sent) return this.#fail(alert, sent)
    await changeState(alertStates, alert, ({ skipped: latest, ...rest }) => {
      const left = removeFrom(latest ?? noCalls, skipped)
      return left.calls.length === 0 ? rest : { ...rest, skipped: left }
    })
  }

  /** @param options.isUnconfirmed the message may have arrived: the next poll repeats it under its id */
  async #fail(
    alert: AlertRecord,
    failure: SubscriptionFailure,
    { isUnconfirmed = false } = {},
  ): Promise<void> {
    const { store, notices, log, now } = this.#services
    const { id: alertId, channel } = alert
    const tenant = tenantKey(alert.workspace)
    const reason = failure.isPermanent ? failure : { ...failure, why: transientText }
    if (!reason.isPermanent) log.info({ tenant, alert: alertId }, 'alert could not be posted')
    await changeState(store.alertStates, alert, async (state) => {
      const failed = afterFailure(state.failing, reason, now())
      const notice = toNotice(`Missed-call alerts in ${conversationText(channel)} have stopped.`, failed)
      const failing = await notifyOnce(failed, now(), (id) =>
        notices.notifyOwner(alert, `alerts${tenant}/${alertId}/${id}`, notice, failure),
      )
      return { ...state, sendingUntil: isUnconfirmed ? now() : undefined, failing }
    })
  }

  /** Without calls to post, finds out whether they could be. */
  async #recheck(alert: AlertRecord): Promise<void> {
    const actor = await this.#admit(alert)
    if ('why' in actor) return this.#fail(alert, actor)
    await changeState(this.#services.store.alertStates, alert, ({ failing: _, ...state }) => state)
  }
}

const removeFrom = ({ calls, older }: CallList, shown: CallList): CallList => ({
  calls: removeShown(calls, shown.calls),
  older: Math.max(0, older - shown.older),
})

/** A direct message has one reader, who needs no reminder to share. */
function planReminder({ channel, remind }: AlertRecord, message: string, now: number): Reminder | undefined {
  if (!remind || isPersonId(channel)) return undefined
  return { message, at: now + remind.afterMinutes * minuteMs, sent: 0 }
}
