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
  type MissedCall,
  noCalls,
  type Reminder,
} from '../../store/alerts.ts'
import { inBatches, missedCallId } from '../../store/missed-calls.ts'
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

function createTarget({ alert, now }: AlertContext): Target {
  return { id: alertMessageId(now, alert.id), open: undefined }
}

function findTarget(context: AlertContext, latest: AlertMessageRecord | undefined): Target {
  if (!latest) return createTarget(context)
  // It may have arrived: with the same id, both copies are one message.
  if (latest.ts === undefined) return { id: latest.id, open: undefined }
  const isRecent = Math.abs(context.now - latest.openedAt) < JOIN_WINDOW_MS
  const isOpen = isRecent && !latest.isClosed && latest.channel === context.alert.channel
  return isOpen ? { id: latest.id, open: latest } : createTarget(context)
}

function createMessage(
  { workspace, person }: Actor,
  { alert, now }: AlertContext,
  id: string,
  due: CallList,
): AlertMessageRecord {
  return {
    id,
    workspace,
    alertId: alert.id,
    channel: alert.channel,
    ownerName: person.name,
    openedAt: now,
    ...addToMessage(undefined, due, now),
    revision: 0,
    shownRevision: 0,
  }
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
    const confirmed = await this.#completeConfirm(alert, stored, latest)
    const state = await this.#dropStale(context, confirmed)
    const latestTarget = findTarget(context, latest)
    const { open } = latestTarget
    const due = getDueCalls(state, context, open)
    const isFull = open !== undefined && open.calls.length + due.calls.length > MAX_LISTED
    const target = isFull ? createTarget(context) : latestTarget
    const hasCalls = due.calls.length > 0
    // An alert without calls to post recovers, too.
    const mayRecover = state.failing !== undefined && !isUpcoming(state.failing.retryAt, now)
    if (!hasCalls && !mayRecover) return
    const admitted = await this.#admit(alert, { isUpdate: target.open !== undefined })
    if ('why' in admitted) return this.#fail(alert, admitted)
    if (hasCalls) return this.#send(admitted, context, target)
    await this.#change(alert, (latestState) => ({ ...latestState, failing: undefined }))
  }

  async #getLatest(
    { workspace }: AlertRecord,
    { messageId }: AlertState,
  ): Promise<AlertMessageRecord | undefined> {
    if (messageId === undefined) return undefined
    return this.#services.store.alertMessages.get(tenantKey(workspace), messageId)
  }

  /** Repeats `#confirm` if the process ended in it: calls of a confirmed message still wait. */
  async #completeConfirm(
    alert: AlertRecord,
    state: AlertState,
    message: AlertMessageRecord | undefined,
  ): Promise<AlertState> {
    if (message?.ts === undefined) return state
    const shownIds = new Set(message.calls)
    const shown = state.waiting.calls.filter((call) => shownIds.has(missedCallId(call)))
    if (shown.length === 0) return state
    const older = Math.min(state.waiting.older, message.count - message.calls.length)
    return (await this.#confirm(alert, message, { calls: shown, older })) ?? state
  }

  async #dropStale({ alert, now }: AlertContext, state: AlertState): Promise<AlertState> {
    if (dropStale(state, alert, now) === state) return state
    return (await this.#change(alert, (latest) => dropStale(latest, alert, now))) ?? state
  }

  async #send(actor: Actor, context: AlertContext, target: Target): Promise<void> {
    const { alert } = context
    const { metrics, now } = this.#services
    const { id, open } = target
    const reserved = await this.#reserve(context, target)
    const due = await this.#leaveOutShown(alert, reserved, id)
    const [newest] = due.calls
    if (!newest) return
    const failure = await this.#show(actor, context, target, due)
    if (failure === 'gone') {
      const state = await this.#change(alert, (latest) => ({ ...latest, sendingUntil: undefined }))
      if (state) await this.#deliverCalls(context, state)
      return
    }
    if (failure) return this.#fail(alert, failure)
    metrics.count('alert_calls_total', {}, due.calls.length)
    metrics.time('alert_call_delay_seconds', {}, now() - newest.at)
    const reminder = open ? undefined : planReminder(alert, id, now())
    await this.#confirm(alert, { id, channel: alert.channel }, due, reminder)
  }

  /** Returns the due calls, which no other sender gets for a while. */
  async #reserve(context: AlertContext, { id, open }: Target): Promise<CallList> {
    let due = noCalls
    await this.#change(context.alert, (state) => {
      due = getDueCalls(state, context, open)
      if (due.calls.length === 0) return undefined
      return { ...state, messageId: id, sendingUntil: this.#services.now() + SENDING_MS }
    })
    return due
  }

  /** Creates the rows of the calls. A conversation shows a call once, whichever alert found it. */
  async #leaveOutShown(alert: AlertRecord, due: CallList, messageId: string): Promise<CallList> {
    const { missedCalls } = this.#services.store
    const tenant = tenantKey(alert.workspace)
    const shown = new Set<MissedCall>()
    await inBatches(due.calls, async (call) => {
      const id = missedCallId(call)
      const row = await missedCalls.get(tenant, id)
      if (!row) await missedCalls.insert(tenant, id, { ...call, shownIn: [] }, ALERTS_KEPT_MS)
      for (const { channel, message } of row?.shownIn ?? [])
        if (channel === alert.channel && message !== messageId) shown.add(call)
    })
    if (shown.size === 0) return due
    const left = due.calls.filter((call) => !shown.has(call))
    const isOver = left.length === 0
    await this.#change(alert, (state) => ({
      ...state,
      sendingUntil: isOver ? undefined : state.sendingUntil,
      waiting: removeFrom(state.waiting, { calls: [...shown], older: isOver ? due.older : 0 }),
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
  async #show(actor: Actor, context: AlertContext, { id, open }: Target, due: CallList) {
    const { alert, now } = context
    if (open)
      return this.#messages.add(actor, id, (message) => ({ ...message, ...addToMessage(message, due, now) }))
    const message = createMessage(actor, context, id, due)
    const calls = await this.#messages.readCalls(alert.workspace, message.calls)
    // Another conversation has shown it before.
    if (calls.some(({ taken, done }) => taken ?? done)) message.isClosed = true
    return this.#messages.post(actor, message)
  }

  /** Stores where the calls are shown, and removes them from those that wait. */
  async #confirm(
    alert: AlertRecord,
    message: Pick<AlertMessageRecord, 'id' | 'channel'>,
    shown: CallList,
    reminder?: Reminder,
  ): Promise<AlertState | undefined> {
    const { store, now } = this.#services
    const at = now()
    const place = { message: message.id, channel: message.channel, at }
    await inBatches(shown.calls, (call) =>
      store.missedCalls.change(tenantKey(alert.workspace), missedCallId(call), (record) => {
        if (record.shownIn.some((known) => known.message === message.id)) return undefined
        return { ...record, shownIn: [...record.shownIn, place] }
      }),
    )
    return this.#change(alert, (state) => {
      const waiting = removeFrom(state.waiting, shown)
      const reminders = [...(state.reminders ?? [])]
      if (reminder) reminders.push(reminder)
      return { ...state, failing: undefined, sendingUntil: undefined, waiting, postedAt: at, reminders }
    })
  }

  /** Tells the channel once how many calls were missed during a mute or a long gap. */
  async #tellSkipped(context: AlertContext, { skipped, failing }: AlertState): Promise<void> {
    const { alert, now } = context
    if (!skipped || isQuiet(context) || isUpcoming(failing?.retryAt, now)) return
    const admitted = await this.#admit(alert)
    if ('why' in admitted) return this.#fail(alert, admitted)
    const id = alertMessageId(now, `${alert.id}-skipped`)
    const message = createMessage(admitted, context, id, skipped)
    const failure = await this.#messages.post(admitted, {
      ...message,
      lateByMs: undefined,
      isNotPosted: true,
    })
    if (failure) return this.#fail(alert, failure)
    await this.#change(alert, (state) => {
      const left = removeFrom(state.skipped ?? noCalls, skipped)
      return { ...state, skipped: left.calls.length === 0 ? undefined : left }
    })
  }

  async #fail(alert: AlertRecord, failure: SubscriptionFailure): Promise<void> {
    const { notices, log, now } = this.#services
    const { id: alertId, channel } = alert
    const tenant = tenantKey(alert.workspace)
    let { why } = failure
    if (!failure.isPermanent) {
      why = transientText
      log.info({ tenant, alert: alertId }, 'alert could not be posted')
    }
    await this.#change(alert, async (state) => {
      const failing = afterFailure(state.failing, { ...failure, why }, now())
      const notice = toNotice(`Missed-call alerts in ${conversationText(channel)} have stopped.`, failing)
      const toldFailing = await notifyOnce(failing, now(), (id) =>
        notices.notifyOwner(alert, `alerts${tenant}/${alertId}/${id}`, notice, failure),
      )
      return { ...state, sendingUntil: undefined, failing: toldFailing }
    })
  }

  #change(
    alert: AlertRecord,
    change: (state: AlertState) => AlertState | undefined | Promise<AlertState | undefined>,
  ): Promise<AlertState | undefined> {
    return changeState(this.#services.store.alertStates, alert, change)
  }
}
