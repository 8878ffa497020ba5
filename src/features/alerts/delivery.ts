import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { postMessage } from '../../slack/api/messages.ts'
import { conversationText, isPersonId, textMessage } from '../../slack/blocks/blocks.ts'
import type { SubscriptionFailure } from '../../slack/deliver/failures.ts'
import * as records from '../../store/alerts.ts'
import * as missedCalls from '../../store/missed-calls.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import { durationText } from '../../time/lengths.ts'
import { formatNumber } from '../../util/text.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'
import * as failing from './failing.ts'
import type { AlertMessages } from './messages.ts'
import * as waiting from './waiting.ts'

const JOIN_WINDOW_MS: Milliseconds = 10 * minuteMs
/** Longer than it takes to send a message and to store that it was sent. */
const SENDING_MS: Milliseconds = 30_000
const MAX_REMINDERS = 3

/** Posts an alert's due calls, the number of its skipped ones, and its due reminders. */
export async function deliverAlert(services: Services, messages: AlertMessages, polled: records.AlertRecord) {
  const { store, workspaces, now } = services
  const tenant = tenantKey(polled.workspace)
  const alert = await store.alerts.get(tenant, polled.id)
  if (!alert) return
  const { zone } = await workspaces.findZone(tenant, alert.channel)
  const delivery = new AlertDelivery(services, messages, { alert, zone, now: now() })
  await delivery.postCalls(alert.state)
  const afterPosting = await store.alerts.get(tenant, polled.id)
  if (!afterPosting) return
  await delivery.tellSkipped(afterPosting.state)
  await delivery.sendReminders(afterPosting.state)
}

/** Posts calls at least once: a call waits until Slack has confirmed a message that shows it, even across restarts. */
export class AlertDelivery {
  readonly #services
  readonly #messages
  readonly #context
  readonly #tenant: TenantKey
  /** Due calls that other messages show. They count for a threshold until the calls beside them are posted. */
  readonly #shownElsewhere = new Set<records.MissedCall>()

  constructor(services: Services, messages: AlertMessages, context: waiting.AlertContext) {
    this.#services = services
    this.#messages = messages
    this.#context = context
    this.#tenant = tenantKey(context.alert.workspace)
  }

  async postCalls(stored: records.AlertState): Promise<void> {
    const { messageId } = stored
    const { alertMessages } = this.#services.store
    const lastMessage = messageId === undefined ? undefined : await alertMessages.get(this.#tenant, messageId)
    const state = lastMessage ? await this.#confirmAgain(stored, lastMessage) : stored
    const openMessage = lastMessage && this.#isOpen(lastMessage) ? lastMessage : undefined
    // Only a look: `#reserve` takes them if they are still due.
    const { calls } = waiting.getDueCalls(state, this.#context, openMessage)
    if (calls.length === 0) return
    const { alert, now } = this.#context
    const admitted = await this.#messages.admit(alert, alert.channel)
    if ('why' in admitted) return this.#fail(admitted)
    const hasRoom = openMessage && openMessage.calls.length + calls.length <= waiting.MAX_LISTED
    if (hasRoom) return this.#addTo(openMessage, admitted)
    // An unconfirmed message may have arrived: with the same id, both copies are one message.
    const isUnconfirmed = lastMessage && lastMessage.ts === undefined
    const id = isUnconfirmed ? lastMessage.id : records.toAlertMessageId(now, alert.id)
    return this.#postNew(id, admitted)
  }

  /** Whether the message takes more calls. */
  #isOpen({ openedAt, ts, isClosed, channel }: records.AlertMessageRecord): boolean {
    const isRecent = Math.abs(this.#context.now - openedAt) < JOIN_WINDOW_MS
    return ts !== undefined && isRecent && !isClosed && channel === this.#context.alert.channel
  }

  /** Repeats `#confirm` if the process ended in it: calls of a confirmed message still wait. */
  async #confirmAgain(state: records.AlertState, message: records.AlertMessageRecord) {
    if (message.ts === undefined) return state
    const shownIds = new Set(message.calls)
    const calls = state.waiting.calls.filter((call) => shownIds.has(missedCalls.toMissedCallId(call)))
    if (calls.length === 0) return state
    const olderOfMessage = message.count - message.calls.length
    const shown = { calls, older: Math.min(state.waiting.older, olderOfMessage) }
    // If only earlier messages were confirmed, this one's reminder isn't planned yet.
    const isNew = state.postedAt === undefined || state.postedAt < message.openedAt
    const confirmed = await this.#confirm(message.id, message.channel, shown, { isNew })
    return confirmed ?? state
  }

  async #addTo(openMessage: records.AlertMessageRecord, actor: Actor): Promise<void> {
    const due = await this.#reserve(openMessage.id, openMessage)
    if (due.calls.length === 0) return
    const failure = await this.#messages.add(actor, openMessage.id, due)
    if (failure === 'closed') {
      const state = await this.#change((current) => ({ ...current, sendingUntil: undefined }))
      // The message is no longer open, so the calls get a new one.
      if (state) await this.postCalls(state)
      return
    }
    if (failure) return this.#fail(failure)
    await this.#countAndConfirm(openMessage.id, due, { isNew: false })
  }

  async #postNew(id: string, actor: Actor): Promise<void> {
    const due = await this.#reserve(id)
    if (due.calls.length === 0) return
    const failure = await this.#messages.post(actor, this.#createMessage(actor, id, due))
    if (failure) return this.#fail(failure)
    await this.#countAndConfirm(id, due, { isNew: true })
  }

  /** Returns the due calls, which no other sender gets for a while; none if another process was faster. */
  async #reserve(messageId: string, openMessage?: records.AlertMessageRecord): Promise<records.CallList> {
    const { now } = this.#services
    // Due in the latest state: `#change` calls the function again if another process changed the state meanwhile.
    let due = records.noCalls
    const reserved = await this.#change((state) => {
      due = waiting.getDueCalls(state, this.#context, openMessage)
      if (due.calls.length === 0) return undefined
      return { ...state, messageId, sendingUntil: now() + SENDING_MS }
    })
    return reserved ? this.#dropShown(due, messageId) : records.noCalls
  }

  #createMessage(actor: Actor, id: string, due: records.CallList): records.AlertMessageRecord {
    const { alert, now } = this.#context
    return {
      id,
      workspace: actor.workspace,
      channel: alert.channel,
      ownerName: actor.person.name,
      openedAt: now,
      ...waiting.addToMessage(due),
      revision: 0,
      shownRevision: 0,
    }
  }

  /** Drops calls that another message in the conversation shows, whichever alert found them. Creates missing rows. */
  async #dropShown(due: records.CallList, messageId: string): Promise<records.CallList> {
    const rows = this.#services.store.missedCalls
    const { channel } = this.#context.alert
    await missedCalls.inBatches(due.calls, async (call) => {
      const id = missedCalls.toMissedCallId(call)
      const row = await rows.get(this.#tenant, id)
      if (!row) await rows.insert(this.#tenant, id, { ...call, shownIn: [] }, records.MISSED_CALLS_KEPT_MS)
      const isShown = row?.shownIn.some((place) => place.message !== messageId && place.channel === channel)
      if (isShown) this.#shownElsewhere.add(call)
    })
    const unshown = due.calls.filter((call) => !this.#shownElsewhere.has(call))
    // Without a call, there is no message to count the older ones, so they are dropped, too.
    if (unshown.length === 0)
      await this.#change((state) => {
        return { ...state, waiting: waiting.removeShown(state.waiting, due), sendingUntil: undefined }
      })
    return { calls: unshown, older: due.older }
  }

  async #countAndConfirm(messageId: string, posted: records.CallList, { isNew }: { isNew: boolean }) {
    const { metrics, now } = this.#services
    const newestAt = Math.max(...posted.calls.map(({ at }) => at))
    metrics.count('alert_calls_total', {}, posted.calls.length)
    metrics.time('alert_call_delay_seconds', {}, now() - newestAt)
    await this.#confirm(messageId, this.#context.alert.channel, posted, { isNew })
  }

  /** Stores where the calls are shown, removes them from those that wait, and plans the reminder of a new message. */
  async #confirm(messageId: string, channel: string, shown: records.CallList, { isNew }: { isNew: boolean }) {
    const at = this.#services.now()
    await missedCalls.inBatches(shown.calls, (call) =>
      this.#services.store.missedCalls.change(this.#tenant, missedCalls.toMissedCallId(call), (record) => {
        if (record.shownIn.some(({ message }) => message === messageId)) return undefined
        return { ...record, shownIn: [...record.shownIn, { message: messageId, channel, at }] }
      }),
    )
    const { remind } = this.#context.alert
    return this.#change((state) => {
      const reminders = [...(state.reminders ?? [])]
      // Reminders ask a channel to share the calls. A direct message has only one reader.
      if (isNew && remind && !isPersonId(channel))
        reminders.push({ message: messageId, at: at + remind.afterMinutes * minuteMs, sent: 0 })
      const calls = [...shown.calls, ...this.#shownElsewhere]
      const stillWaiting = waiting.removeShown(state.waiting, { calls, older: shown.older })
      const success = { failing: undefined, sendingUntil: undefined, postedAt: at }
      return { ...state, ...success, waiting: stillWaiting, reminders }
    })
  }

  /** Tells the channel once how many calls were missed during a mute or a long gap. */
  async tellSkipped(stored: records.AlertState): Promise<void> {
    const { skipped } = stored
    const { alert, now } = this.#context
    const mustWait = failing.isUpcoming(stored.failing?.retryAt, now)
    if (!skipped || mustWait || waiting.isQuiet(this.#context)) return
    const admitted = await this.#messages.admit(alert, alert.channel)
    if ('why' in admitted) return this.#fail(admitted)
    const id = records.toAlertMessageId(now, `${alert.id}-skipped`)
    const message = this.#createMessage(admitted, id, skipped)
    const failure = await this.#messages.post(admitted, { ...message, isNotPosted: true })
    if (failure) return this.#fail(failure)
    await this.#change((state) => ({ ...state, skipped: undefined }))
  }

  /** Sends due reminders to the threads of messages with waiting calls. */
  async sendReminders({ reminders = [] }: records.AlertState): Promise<void> {
    if (waiting.isQuiet(this.#context)) return
    for (const reminder of reminders) {
      if (reminder.at > this.#context.now) continue
      const isClaimed = await this.#claimReminder(reminder)
      if (isClaimed) await this.#sendReminder(reminder)
    }
  }

  /** Stores that the reminder is sent, and when the next one is due: each is sent at most once, by one process. */
  async #claimReminder(reminder: records.PlannedReminder): Promise<boolean> {
    const { alert, now } = this.#context
    const sent = reminder.sent + 1
    const claimed = await this.#change((state) => {
      const planned = state.reminders ?? []
      const reminders = planned.filter((other) => !isDeepStrictEqual(other, reminder))
      const isClaimedByOther = reminders.length === planned.length
      if (isClaimedByOther) return undefined
      if (alert.remind && sent < MAX_REMINDERS)
        reminders.push({ ...reminder, at: now + alert.remind.afterMinutes * minuteMs, sent })
      return { ...state, reminders }
    })
    return claimed !== undefined
  }

  async #sendReminder(reminder: records.PlannedReminder): Promise<void> {
    const { store, backgroundWebApi, log } = this.#services
    const { alert } = this.#context
    const message = await store.alertMessages.get(this.#tenant, reminder.message)
    if (!alert.remind || message?.ts === undefined) return
    const calls = await this.#messages.readCalls(message)
    const waitingCalls = calls.filter(missedCalls.isWaiting)
    if (waitingCalls.length === 0) return
    const { channel, ts } = message
    const admitted = await this.#messages.admit(alert, channel)
    if ('why' in admitted) return
    const text = formatReminder(waitingCalls, this.#context)
    const conversation = message.conversation ?? channel
    const thread = { ts, isBroadcast: reminder.sent === 0 && alert.remind.isBroadcast === true }
    const { botToken } = admitted.installation
    const result = await postMessage(backgroundWebApi, botToken, conversation, textMessage(text), thread)
    if (result.kind !== 'sent') log.info({ tenant: this.#tenant, outcome: result.kind }, 'reminder not sent')
  }

  async #fail(failure: SubscriptionFailure): Promise<void> {
    const { notices, log, now } = this.#services
    const { id, channel } = this.#context.alert
    if (!failure.isPermanent) log.info({ tenant: this.#tenant, alert: id }, 'alert could not be posted')
    await this.#change(async (state) => {
      const failingNow = failing.afterFailure(state.failing, failure, now())
      const text = `Missed-call alerts in ${conversationText(channel)} have stopped.`
      const failingAfterNotice = await failing.notifyOnce(failingNow, now(), text, (noticeId, notice) =>
        notices.notifyOwner(this.#context.alert, `alerts${this.#tenant}/${id}/${noticeId}`, notice, failure),
      )
      return { ...state, sendingUntil: undefined, failing: failingAfterNotice }
    })
  }

  /** @param update returns undefined to keep the state */
  async #change(
    update: (state: records.AlertState) => records.AlertState | undefined | Promise<records.AlertState>,
  ) {
    const { alerts } = this.#services.store
    const changed = await alerts.change(this.#tenant, this.#context.alert.id, async (alert) => {
      const state = await update(alert.state)
      return state && { ...alert, state }
    })
    return changed?.state
  }
}

/** Returns mrkdwn: `3 calls have been waiting for 15 min. @Ada` */
function formatReminder(calls: readonly missedCalls.MissedCallRecord[], context: waiting.AlertContext) {
  const { alert, now } = context
  const postedAt = Math.min(...calls.map((call) => missedCalls.getPostedAt(call) ?? now))
  const waitedFor = durationText(Math.max(0, now - postedAt))
  const callsHave = calls.length === 1 ? 'A call has' : `${formatNumber(calls.length)} calls have`
  const mentions = alert.remind?.people.map((person) => ` <@${person}>`) ?? []
  return `${callsHave} been waiting for ${waitedFor}.${mentions.join('')}`
}
