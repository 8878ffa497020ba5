import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { conversationText } from '../../slack/blocks/blocks.ts'
import type { SubscriptionFailure } from '../../slack/deliver/failures.ts'
import * as records from '../../store/alerts.ts'
import { inBatches, missedCallId } from '../../store/missed-calls.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import * as failing from './failing.ts'
import { type AlertMessages, transientText } from './messages.ts'
import { planReminder, sendReminders } from './reminders.ts'
import * as waiting from './waiting.ts'

const JOIN_WINDOW_MS: Milliseconds = 10 * minuteMs
/** Longer than it takes to send a message and to store that it was sent. */
const SENDING_MS: Milliseconds = 30_000

/** Posts what an alert has to say now. @returns whether the next poll has to continue */
export async function deliverAlert(
  services: Services,
  messages: AlertMessages,
  { workspace, id }: Pick<records.AlertRecord, 'workspace' | 'id'>,
): Promise<boolean> {
  const { store, workspaces, now } = services
  const tenant = tenantKey(workspace)
  const alert = await store.alerts.get(tenant, id)
  if (!alert) return false
  const stored = await records.getState(store.alertStates, alert)
  if (!records.isPending(stored)) return false
  const { zone } = await workspaces.zone(tenant, alert.channel)
  const context = { alert, zone, now: now() }
  const delivery = new AlertDelivery(services, messages, context)
  await delivery.postCalls(stored)
  const state = await records.getState(store.alertStates, alert)
  await delivery.tellSkipped(state)
  await sendReminders(services, messages, context, state)
  return records.isPending(await records.getState(store.alertStates, alert))
}

type OpenMessage = records.AlertMessageRecord | undefined

/** Posts calls at least once: a call waits until Slack has confirmed a message that shows it, even across restarts. */
class AlertDelivery {
  readonly #services
  readonly #messages
  readonly #context
  readonly #alert
  readonly #tenant: TenantKey

  constructor(services: Services, messages: AlertMessages, context: waiting.AlertContext) {
    this.#services = services
    this.#messages = messages
    this.#context = context
    this.#alert = context.alert
    this.#tenant = tenantKey(context.alert.workspace)
  }

  async postCalls(stored: records.AlertState): Promise<void> {
    const { now } = this.#context
    const latest = await this.#getLatest(stored)
    const state = await this.#completeConfirm(stored, latest)
    let open = latest && this.#isOpen(latest) ? latest : undefined
    const { calls } = waiting.getDueCalls(state, this.#context, open)
    if (calls.length === 0) return
    if (open && open.calls.length + calls.length > waiting.MAX_LISTED) open = undefined
    const { channel } = this.#alert
    const admitted = await this.#messages.admit(this.#alert, channel, { isUpdate: open !== undefined })
    if ('why' in admitted) return this.#fail(admitted)
    // An unconfirmed message may have arrived: with the same id, both copies are one message.
    const unconfirmed = latest?.ts === undefined ? latest : undefined
    const id = (open ?? unconfirmed)?.id ?? records.alertMessageId(now, this.#alert.id)
    await this.#send(admitted, id, open)
  }

  async #getLatest({ messageId }: records.AlertState): Promise<records.AlertMessageRecord | undefined> {
    if (messageId === undefined) return undefined
    return this.#services.store.alertMessages.get(this.#tenant, messageId)
  }

  /** Whether the message takes more calls. */
  #isOpen({ openedAt, ts, isClosed, channel }: records.AlertMessageRecord): boolean {
    const isRecent = Math.abs(this.#context.now - openedAt) < JOIN_WINDOW_MS
    return ts !== undefined && isRecent && !isClosed && channel === this.#alert.channel
  }

  /** Repeats `#confirm` if the process ended in it: calls of a confirmed message still wait. */
  async #completeConfirm(state: records.AlertState, message: OpenMessage): Promise<records.AlertState> {
    if (message?.ts === undefined) return state
    const shownIds = new Set(message.calls)
    const calls = state.waiting.calls.filter((call) => shownIds.has(missedCallId(call)))
    if (calls.length === 0) return state
    const older = Math.min(state.waiting.older, message.count - message.calls.length)
    return (await this.#confirm(message.id, message.channel, { calls, older })) ?? state
  }

  /** @param open the message to add to; undefined to post one */
  async #send(actor: Actor, id: string, open: OpenMessage): Promise<void> {
    const { metrics, now } = this.#services
    const reserved = await this.#reserve(id, open)
    const due = await this.#leaveOutShown(reserved, id)
    const [newest] = due.calls
    if (!newest) return
    const failure = open
      ? await this.#messages.add(actor, id, due, this.#context.now)
      : await this.#messages.post(actor, this.#createMessage(actor, id, due))
    if (failure === 'gone') {
      const state = await this.#change((current) => ({ ...current, sendingUntil: undefined }))
      if (state) await this.postCalls(state)
      return
    }
    if (failure) return this.#fail(failure)
    metrics.count('alert_calls_total', {}, due.calls.length)
    metrics.time('alert_call_delay_seconds', {}, now() - newest.at)
    const reminder = open ? undefined : planReminder(this.#alert, id, now())
    await this.#confirm(id, this.#alert.channel, due, reminder)
  }

  #createMessage(actor: Actor, id: string, due: records.CallList): records.AlertMessageRecord {
    const { alert, now } = this.#context
    return {
      id,
      workspace: actor.workspace,
      alertId: alert.id,
      channel: alert.channel,
      ownerName: actor.person.name,
      openedAt: now,
      ...waiting.addToMessage(undefined, due, now),
      revision: 0,
      shownRevision: 0,
    }
  }

  /** Returns the due calls, which no other sender gets for a while. */
  async #reserve(messageId: string, open: OpenMessage): Promise<records.CallList> {
    let due = records.noCalls
    await this.#change((state) => {
      due = waiting.getDueCalls(state, this.#context, open)
      if (due.calls.length === 0) return undefined
      return { ...state, messageId, sendingUntil: this.#services.now() + SENDING_MS }
    })
    return due
  }

  /** Creates the rows of the calls. A conversation shows a call once, whichever alert found it. */
  async #leaveOutShown(due: records.CallList, messageId: string): Promise<records.CallList> {
    const { missedCalls } = this.#services.store
    const shown = new Set<records.MissedCall>()
    await inBatches(due.calls, async (call) => {
      const id = missedCallId(call)
      const row = await missedCalls.get(this.#tenant, id)
      if (!row) await missedCalls.insert(this.#tenant, id, { ...call, shownIn: [] }, records.ALERTS_KEPT_MS)
      for (const { channel, message } of row?.shownIn ?? [])
        if (channel === this.#alert.channel && message !== messageId) shown.add(call)
    })
    if (shown.size === 0) return due
    const calls = due.calls.filter((call) => !shown.has(call))
    const isOver = calls.length === 0
    // Without a message, nothing counts the older calls.
    const removed = { calls: [...shown], older: isOver ? due.older : 0 }
    await this.#change((state) => ({
      ...state,
      sendingUntil: isOver ? undefined : state.sendingUntil,
      waiting: waiting.removeFrom(state.waiting, removed),
    }))
    return { calls, older: due.older }
  }

  /** Stores where the calls are shown, and removes them from those that wait. */
  async #confirm(message: string, channel: string, shown: records.CallList, reminder?: records.Reminder) {
    const { missedCalls } = this.#services.store
    const at = this.#services.now()
    await inBatches(shown.calls, (call) =>
      missedCalls.change(this.#tenant, missedCallId(call), (record) => {
        if (record.shownIn.some((place) => place.message === message)) return undefined
        return { ...record, shownIn: [...record.shownIn, { message, channel, at }] }
      }),
    )
    return this.#change((state) => {
      const reminders = [...(state.reminders ?? [])]
      if (reminder) reminders.push(reminder)
      const left = waiting.removeFrom(state.waiting, shown)
      return { ...state, failing: undefined, sendingUntil: undefined, waiting: left, postedAt: at, reminders }
    })
  }

  /** Tells the channel once how many calls were missed during a mute or a long gap. */
  async tellSkipped({ skipped, failing: failure }: records.AlertState): Promise<void> {
    const { alert, now } = this.#context
    if (!skipped || waiting.isQuiet(this.#context) || failing.isUpcoming(failure?.retryAt, now)) return
    const admitted = await this.#messages.admit(alert, alert.channel)
    if ('why' in admitted) return this.#fail(admitted)
    const id = records.alertMessageId(now, `${alert.id}-skipped`)
    const message = this.#createMessage(admitted, id, skipped)
    const failed = await this.#messages.post(admitted, { ...message, isNotPosted: true })
    if (failed) return this.#fail(failed)
    await this.#change((state) => ({ ...state, skipped: undefined }))
  }

  async #fail(failure: SubscriptionFailure): Promise<void> {
    const { notices, log, now } = this.#services
    const { id, channel } = this.#alert
    let { why } = failure
    if (!failure.isPermanent) {
      why = transientText
      log.info({ tenant: this.#tenant, alert: id }, 'alert could not be posted')
    }
    await this.#change(async (state) => {
      const failed = failing.afterFailure(state.failing, { ...failure, why }, now())
      const text = `Missed-call alerts in ${conversationText(channel)} have stopped.`
      const told = await failing.notifyOnce(failed, now(), text, (noticeId, notice) =>
        notices.notifyOwner(this.#alert, `alerts${this.#tenant}/${id}/${noticeId}`, notice, failure),
      )
      return { ...state, sendingUntil: undefined, failing: told }
    })
  }

  #change(change: Parameters<typeof records.changeState>[2]): Promise<records.AlertState | undefined> {
    return records.changeState(this.#services.store.alertStates, this.#alert, change)
  }
}
