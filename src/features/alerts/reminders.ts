import type { Services } from '../../services.ts'
import { postMessage } from '../../slack/api/web-api.ts'
import { textMessage } from '../../slack/blocks/blocks.ts'
import { toSubscriptionFailure } from '../../slack/deliver/failures.ts'
import {
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  changeState,
  type Remind,
  type Reminder,
} from '../../store/alerts.ts'
import { getPostedAt, isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import { tenantKey } from '../../store/tenant.ts'
import { durationText } from '../../time/zones.ts'
import { formatNumber } from '../../util/text.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'
import type { AlertMessages } from './messages.ts'
import { type AlertContext, isQuiet } from './waiting.ts'

const MAX_REMINDERS = 3

/** Returns mrkdwn: `3 calls have been waiting for 15 min. @Ada` */
export function formatReminder(
  waiting: readonly MissedCallRecord[],
  people: readonly string[],
  now: EpochMs,
): string {
  const postedAt = Math.min(...waiting.map((call) => getPostedAt(call) ?? now))
  const count = waiting.length
  const what = count === 1 ? 'A call has' : `${formatNumber(count)} calls have`
  const mentions = people.map((person) => ` <@${person}>`)
  return `${what} been waiting for ${durationText(Math.max(0, now - postedAt))}.${mentions.join('')}`
}

const replaceReminder = (state: AlertState, before: Reminder, after?: Reminder): AlertState => {
  const reminders: Reminder[] = []
  for (const one of state.reminders ?? []) {
    if (one.message !== before.message) reminders.push(one)
    else if (after) reminders.push(after)
  }
  const { reminders: _, ...rest } = state
  return reminders.length > 0 ? { ...rest, reminders } : rest
}

/** Sends what is due in the threads of an alert's messages. Each reminder is stored before it is sent: at most once. */
export async function sendReminders(
  services: Services,
  messages: AlertMessages,
  context: AlertContext,
  reminders: readonly Reminder[] = [],
): Promise<void> {
  const { alert, now } = context
  const { remind } = alert
  const { alertStates } = services.store
  if (reminders.length === 0) return
  if (!remind) {
    await changeState(alertStates, alert, ({ reminders: _, ...state }) => state)
    return
  }
  if (isQuiet(context)) return
  const run = new ReminderRun(services, messages, { ...alert, remind }, now)
  for (const due of reminders.filter(({ at }) => at <= now)) await run.send(due)
}

type RemindingAlert = AlertRecord & { readonly remind: Remind }

class ReminderRun {
  readonly #services
  readonly #messages
  readonly #alert
  readonly #now

  constructor(services: Services, messages: AlertMessages, alert: RemindingAlert, now: EpochMs) {
    this.#services = services
    this.#messages = messages
    this.#alert = alert
    this.#now = now
  }

  async send(due: Reminder): Promise<void> {
    const { store } = this.#services
    const message = await store.alertMessages.get(tenantKey(this.#alert.workspace), due.message)
    const calls = message ? await this.#messages.readCalls(message.workspace, message.calls) : []
    const waiting = calls.filter(isWaiting)
    if (message?.ts === undefined || waiting.length === 0) {
      await changeState(store.alertStates, this.#alert, (state) => replaceReminder(state, due))
      return
    }
    if (await this.#claim(due)) await this.#post(message, message.ts, waiting, due.sent === 0)
  }

  /** Returns true to one process. */
  async #claim(due: Reminder): Promise<boolean> {
    const { afterMinutes } = this.#alert.remind
    const sent = due.sent + 1
    const next = { ...due, at: this.#now + afterMinutes * minuteMs, sent }
    const claimed = await changeState(this.#services.store.alertStates, this.#alert, (state) => {
      const isUnsent = state.reminders?.some((one) => one.message === due.message && one.sent === due.sent)
      return isUnsent ? replaceReminder(state, due, sent < MAX_REMINDERS ? next : undefined) : undefined
    })
    return claimed !== undefined
  }

  async #post(
    { channel, conversation = channel }: AlertMessageRecord,
    ts: string,
    waiting: readonly MissedCallRecord[],
    isFirst: boolean,
  ): Promise<void> {
    const { background, backgroundWebApi, log } = this.#services
    const { workspace, owner, remind } = this.#alert
    try {
      const actor = await background.guards.admit(workspace, owner, 'calls')
      const refusal = await this.#messages.refuseChannel(actor, channel)
      if (refusal) return
      const text = formatReminder(waiting, remind.people, this.#now)
      const thread = { ts, isBroadcast: isFirst && remind.isBroadcast === true }
      const { botToken } = actor.installation
      const result = await postMessage(backgroundWebApi, botToken, conversation, textMessage(text), thread)
      if (result.kind !== 'sent')
        log.info({ tenant: actor.tenant, outcome: result.kind }, 'reminder not sent')
    } catch (error) {
      if (!toSubscriptionFailure(error)) throw error
      log.info({ err: error }, 'reminder not sent')
    }
  }
}
