import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { conversationText } from '../../slack/blocks/blocks.ts'
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
} from '../../store/alerts.ts'
import { inBatches, type MissedCallRecord, missedCallId } from '../../store/missed-calls.ts'
import { tenantKey } from '../../store/tenant.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import { afterFailure, isUpcoming, notifyOnce, toNotice } from './failing.ts'
import { type AlertMessages, transientText } from './messages.ts'
import { planReminder, Reminders } from './reminders.ts'
import {
  type AlertContext,
  addToMessage,
  dropStale,
  getDueCalls,
  isQuiet,
  MAX_LISTED,
  removeFrom,
} from './waiting.ts'

const JOIN_WINDOW_MS: Milliseconds = 10 * minuteMs
/** Longer than it takes to send a message and to store that it was sent. */
const SENDING_MS: Milliseconds = 30_000

interface Target {
  readonly id: string
  /** The message to add to; undefined to post one. */
  readonly open: AlertMessageRecord | undefined
}

/** Posts calls at least once: a call waits until Slack has confirmed a message that shows it, even across restarts. */
export class AlertDelivery {
  readonly #services
  readonly #messages
  readonly #reminders

  constructor(services: Services, messages: AlertMessages) {
    this.#services = services
    this.#messages = messages
    this.#reminders = new Reminders(services, messages)
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
    await this.#reminders.send(context, state)
    return isPending(await getState(store.alertStates, alert))
  }

  async #deliverCalls(context: AlertContext, stored: AlertState): Promise<void> {
    const { alert, now } = context
    const latest = await this.#getLatest(alert, stored)
    const finished = latest && (await this.#finish(alert, stored, latest))
    const state = await this.#dropStale(context, finished ?? stored)
    const { id, open } = this.#findTarget(context, latest)
    const due = getDueCalls(state, context, open)
    const isFull = open !== undefined && open.calls.length + due.calls.length > MAX_LISTED
    const target = isFull ? { id: alertMessageId(now, alert.id), open: undefined } : { id, open }
    const isRecheck = due.calls.length === 0
    if (isRecheck && (!state.failing || isUpcoming(state.failing.retryAt, now))) return
    const actor = await this.#admit(alert, { isUpdate: target.open !== undefined })
    if ('why' in actor) await this.#fail(alert, actor)
    // An alert without calls to post recovers, too.
    else if (isRecheck) await this.#change(alert, ({ failing: _, ...latestState }) => latestState)
    else await this.#send(actor, context, target)
  }

  async #getLatest(
    { workspace }: AlertRecord,
    { messageId }: AlertState,
  ): Promise<AlertMessageRecord | undefined> {
    if (messageId === undefined) return undefined
    return this.#services.store.alertMessages.get(tenantKey(workspace), messageId)
  }

  #findTarget({ alert, now }: AlertContext, latest: AlertMessageRecord | undefined): Target {
    // It may have arrived: with the same id, both copies are one message.
    if (latest && latest.ts === undefined) return { id: latest.id, open: undefined }
    const isRecent = latest !== undefined && Math.abs(now - latest.openedAt) < JOIN_WINDOW_MS
    if (isRecent && !latest.isClosed && latest.channel === alert.channel)
      return { id: latest.id, open: latest }
    return { id: alertMessageId(now, alert.id), open: undefined }
  }

  /** Removes calls from `waiting` if the process ended between Slack's confirmation and that. */
  async #finish(
    alert: AlertRecord,
    state: AlertState,
    { id, ts, channel, calls, count }: AlertMessageRecord,
  ): Promise<AlertState | undefined> {
    if (ts === undefined) return undefined
    const ids = new Set(calls)
    const shown = state.waiting.calls.filter((call) => ids.has(missedCallId(call)))
    if (shown.length === 0) return undefined
    const older = Math.min(state.waiting.older, count - calls.length)
    return this.#confirm(alert, { calls: shown, older }, { message: id, channel })
  }

  async #dropStale({ alert, now }: AlertContext, state: AlertState): Promise<AlertState> {
    if (dropStale(state, alert, now) === state) return state
    return (await this.#change(alert, (latest) => dropStale(latest, alert, now))) ?? state
  }

  async #send(actor: Actor, context: AlertContext, { id, open }: Target): Promise<void> {
    const { alert } = context
    const { metrics, now } = this.#services
    let reserved = noCalls
    // Reserves the calls for this sender.
    await this.#change(alert, (state) => {
      reserved = getDueCalls(state, context, open)
      if (reserved.calls.length === 0) return undefined
      return { ...state, messageId: id, sendingUntil: now() + SENDING_MS }
    })
    const due = await this.#leaveOutShown(alert, reserved, id)
    const [newest] = due.calls
    if (!newest) return
    const failure = await this.#show(actor, context, { id, open }, due)
    if (failure === 'gone') {
      const state = await this.#change(alert, (latest) => ({ ...latest, sendingUntil: undefined }))
      if (state) await this.#deliverCalls(context, state)
      return
    }
    if (failure) return this.#fail(alert, failure)
    metrics.count('alert_calls_total', {}, due.calls.length)
    metrics.time('alert_call_delay_seconds', {}, now() - newest.at)
    await this.#confirm(alert, due, { message: id, channel: alert.channel }, !open)
  }

  /** Creates the rows of the calls. A conversation shows a call once, whichever alert found it. */
  async #leaveOutShown(alert: AlertRecord, due: CallList, messageId: string): Promise<CallList> {
    const { missedCalls } = this.#services.store
    const tenant = tenantKey(alert.workspace)
    const isShown = await inBatches(due.calls, async (call) => {
      const id = missedCallId(call)
      const known = await missedCalls.get(tenant, id)
      if (!known) await missedCalls.insert(tenant, id, { ...call, shownIn: [] }, ALERTS_KEPT_MS)
      const shownIn = known?.shownIn ?? []
      return shownIn.some(({ channel, message }) => channel === alert.channel && message !== messageId)
    })
    const shown = due.calls.filter((_, index) => isShown[index])
    if (shown.length === 0) return due
    const left = due.calls.filter((_, index) => !isShown[index])
    const isOver = left.length === 0
    await this.#change(alert, (state) => ({
      ...state,
      sendingUntil: isOver ? undefined : state.sendingUntil,
      waiting: removeFrom(state.waiting, { calls: shown, older: isOver ? due.older : 0 }),
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

  /** Adds the calls to the open message, or posts one. */
  async #show(actor: Actor, { alert, now }: AlertContext, { id, open }: Target, due: CallList) {
    if (open)
      return this.#messages.add(actor, id, (shown) => ({ ...shown, ...addToMessage(shown, due, now) }))
    const message = this.#newMessage(actor, alert, id, addToMessage(undefined, due, now), now)
    const calls = await this.#messages.readCalls(alert.workspace, message.calls)
    // Another conversation has shown it before.
    if (calls.some(({ taken, done }) => taken ?? done)) message.isClosed = true
    return this.#messages.post(actor, message)
  }

  #newMessage(
    { workspace, person }: Actor,
    { id: alertId, channel }: AlertRecord,
    id: string,
    calls: ReturnType<typeof addToMessage>,
    openedAt: number,
  ): AlertMessageRecord {
    const ownerName = person.name
    return { id, workspace, alertId, channel, ownerName, openedAt, ...calls, revision: 0, shownRevision: 0 }
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
      store.missedCalls.change(tenantKey(alert.workspace), missedCallId(call), (record) => {
        if (record.shownIn.some(({ message }) => message === place.message)) return undefined
        return { ...record, shownIn: [...record.shownIn, { ...place, at }] }
      }),
    )
    const reminder = isNew ? planReminder(alert, place.message, at) : undefined
    return this.#change(alert, ({ failing: _, sendingUntil: _until, ...state }) => {
      const reminders = [...(state.reminders ?? [])]
      if (reminder) reminders.push(reminder)
      return { ...state, waiting: removeFrom(state.waiting, shown), postedAt: at, reminders }
    })
  }

  /** Tells the channel once how many calls were missed during a mute or a long gap. */
  async #tellSkipped(context: AlertContext, { skipped, failing }: AlertState): Promise<void> {
    const { alert, now } = context
    if (!skipped || isQuiet(context) || isUpcoming(failing?.retryAt, now)) return
    const actor = await this.#admit(alert)
    if ('why' in actor) return this.#fail(alert, actor)
    const id = alertMessageId(now, `${alert.id}-skipped`)
    const calls = { ...addToMessage(undefined, skipped, now), lateByMs: undefined }
    const message = this.#newMessage(actor, alert, id, calls, now)
    const failure = await this.#messages.post(actor, { ...message, isNotPosted: true })
    if (failure) return this.#fail(alert, failure)
    await this.#change(alert, ({ skipped: latest = noCalls, ...state }) => {
      const left = removeFrom(latest, skipped)
      return left.calls.length === 0 ? state : { ...state, skipped: left }
    })
  }

  async #fail(alert: AlertRecord, failure: SubscriptionFailure): Promise<void> {
    const { notices, log, now } = this.#services
    const { id: alertId, channel } = alert
    const tenant = tenantKey(alert.workspace)
    const reason = failure.isPermanent ? failure : { ...failure, why: transientText }
    if (!reason.isPermanent) log.info({ tenant, alert: alertId }, 'alert could not be posted')
    await this.#change(alert, async (state) => {
      const failed = afterFailure(state.failing, reason, now())
      const notice = toNotice(`Missed-call alerts in ${conversationText(channel)} have stopped.`, failed)
      const failing = await notifyOnce(failed, now(), (id) =>
        notices.notifyOwner(alert, `alerts${tenant}/${alertId}/${id}`, notice, failure),
      )
      return { ...state, sendingUntil: undefined, failing }
    })
  }

  #change(
    alert: AlertRecord,
    change: (state: AlertState) => AlertState | undefined | Promise<AlertState | undefined>,
  ): Promise<AlertState | undefined> {
    return changeState(this.#services.store.alertStates, alert, change)
  }
}
