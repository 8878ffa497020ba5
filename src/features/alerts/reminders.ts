import type { Services } from '../../services.ts'
import { postMessage } from '../../slack/api/web-api.ts'
import { isPersonId, textMessage } from '../../slack/blocks/blocks.ts'
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

/** Plans none for a direct message: its one reader has nobody to share the calls with. */
export function planReminder(
  { channel, remind }: AlertRecord,
  message: string,
  now: EpochMs,
): Reminder | undefined {
  if (!remind || isPersonId(channel)) return undefined
  return { message, at: now + remind.afterMinutes * minuteMs, sent: 0 }
}

/** Returns mrkdwn: `3 calls have been waiting for 15 min. @Ada` */
function formatReminder(
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

/** @param after undefined to remove the reminder */
function replaceReminder(state: AlertState, before: Reminder, after?: Reminder): AlertState {
  const reminders: Reminder[] = []
  for (const reminder of state.reminders ?? []) {
    if (reminder.message !== before.message) reminders.push(reminder)
    else if (after) reminders.push(after)
  }
  return { ...state, reminders }
}

/** Reminds in the threads of messages whose calls nobody has taken. Each reminder is stored before it is sent: at most once. */
export class Reminders {
  readonly #services
  readonly #messages

  constructor(services: Services, messages: AlertMessages) {
    this.#services = services
    this.#messages = messages
  }

  async send(context: AlertContext, { reminders = [] }: AlertState): Promise<void> {
    const { alert, now } = context
    if (reminders.length === 0) return
    if (!alert.remind) {
      await this.#change(alert, (state) => ({ ...state, reminders: [] }))
      return
    }
    if (isQuiet(context)) return
    for (const due of reminders) if (due.at <= now) await this.#send(context, alert.remind, due)
  }

  async #send({ alert, now }: AlertContext, remind: Remind, due: Reminder): Promise<void> {
    const message = await this.#services.store.alertMessages.get(tenantKey(alert.workspace), due.message)
    const calls = message ? await this.#messages.readCalls(message.workspace, message.calls) : []
    const waiting = calls.filter(isWaiting)
    if (message?.ts === undefined || waiting.length === 0) {
      await this.#change(alert, (state) => replaceReminder(state, due))
      return
    }
    const sent = due.sent + 1
    const next = { ...due, at: now + remind.afterMinutes * minuteMs, sent }
    // Claims it: another process finds the next one.
    const isClaimed = await this.#change(alert, (state) => {
      const isUnsent = state.reminders?.some((one) => one.message === due.message && one.sent === due.sent)
      return isUnsent ? replaceReminder(state, due, sent < MAX_REMINDERS ? next : undefined) : undefined
    })
    if (!isClaimed) return
    const text = formatReminder(waiting, remind.people, now)
    const isBroadcast = due.sent === 0 && remind.isBroadcast === true
    await this.#post(alert, message, text, { ts: message.ts, isBroadcast })
  }

  async #change(
    alert: AlertRecord,
    change: (state: AlertState) => AlertState | undefined,
  ): Promise<AlertState | undefined> {
    return changeState(this.#services.store.alertStates, alert, change)
  }

  async #post(
    { workspace, owner }: AlertRecord,
    { channel, conversation = channel }: AlertMessageRecord,
    text: string,
    thread: Parameters<typeof postMessage>[4],
  ): Promise<void> {
    const { background, backgroundWebApi, log } = this.#services
    try {
      const actor = await background.guards.admit(workspace, owner, 'calls')
      if (await this.#messages.refuseChannel(actor, channel)) return
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
