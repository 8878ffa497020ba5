import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import { postMessage } from '../../slack/api/web-api.ts'
import { isPersonId, textMessage } from '../../slack/blocks/blocks.ts'
import * as records from '../../store/alerts.ts'
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
  { channel, remind }: records.AlertRecord,
  message: string,
  now: EpochMs,
): records.Reminder | undefined {
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

/** Reminds in the threads of messages whose calls nobody has taken. */
export async function sendReminders(
  services: Services,
  messages: AlertMessages,
  context: AlertContext,
  { reminders = [] }: records.AlertState,
): Promise<void> {
  if (isQuiet(context)) return
  for (const due of reminders) {
    if (due.at > context.now) continue
    const isClaimed = await claimReminder(services, context, due)
    if (isClaimed) await sendReminder(services, messages, context, due)
  }
}

/** Stores that the reminder is sent, and when the next one is due: each is sent at most once, by one process. */
async function claimReminder(
  { store }: Services,
  { alert, now }: AlertContext,
  due: records.Reminder,
): Promise<boolean> {
  const { afterMinutes = 0 } = alert.remind ?? {}
  const next = { ...due, at: now + afterMinutes * minuteMs, sent: due.sent + 1 }
  const claimed = await records.changeState(store.alertStates, alert, (state) => {
    const before = state.reminders ?? []
    const reminders = before.filter((reminder) => !isDeepStrictEqual(reminder, due))
    if (reminders.length === before.length) return undefined
    if (alert.remind && next.sent < MAX_REMINDERS) reminders.push(next)
    return { ...state, reminders }
  })
  return claimed !== undefined
}

async function sendReminder(
  { store, backgroundWebApi, log }: Services,
  messages: AlertMessages,
  { alert, now }: AlertContext,
  due: records.Reminder,
): Promise<void> {
  const message = await store.alertMessages.get(tenantKey(alert.workspace), due.message)
  if (!alert.remind || message?.ts === undefined) return
  const calls = await messages.readCalls(message)
  const waiting = calls.filter(isWaiting)
  if (waiting.length === 0) return
  const { channel, conversation = channel, ts } = message
  const actor = await messages.admit(alert, channel)
  if ('why' in actor) return
  const text = formatReminder(waiting, alert.remind.people, now)
  const thread = { ts, isBroadcast: due.sent === 0 && alert.remind.isBroadcast === true }
  const { botToken } = actor.installation
  const result = await postMessage(backgroundWebApi, botToken, conversation, textMessage(text), thread)
  if (result.kind !== 'sent') log.info({ tenant: actor.tenant, outcome: result.kind }, 'reminder not sent')
}
