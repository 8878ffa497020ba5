import type { ScheduleInfo } from '../../planned/schedule-kind.ts'
import type { ZoneSource } from '../../slack/access/workspaces.ts'
import { waitText } from '../../slack/deliver/failures.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  type TelephonyError,
} from '../../telephony/errors.ts'
import { isUtcOffset } from '../../time/offsets.ts'
import type { Zone } from '../../time/types.ts'
import { numberText } from '../../util/text.ts'

export const title = 'Connect phone account'

export const testingText = 'Testing the key and secret… The phone service is taking its time.'

/** Why an API key and secret that an administrator has just entered are not stored. */
export function refusedKeyText(error: TelephonyError): string {
  if (error instanceof CredentialsRejectedError) return 'The phone service rejected this key and secret.'
  if (error instanceof RequestRefusedError)
    return "The phone service refused the test request (400), so this key and secret couldn't be tested. Nothing was stored. Ask your phone provider."
  if (error instanceof RateLimitedError)
    return `${waitText(error.retryAfterMs)}, so the key and secret weren't tested. Nothing was stored. Try again then.`
  return "The phone service isn't responding, so the key and secret weren't tested. Nothing was stored. Try again in a moment."
}

/** How many schedules of a kind are paused, where there are any. */
export type PausedSchedules = readonly { readonly kind: ScheduleInfo; readonly count: number }[]

export function pausedText(paused: PausedSchedules): string {
  const count = paused.reduce((sum, one) => sum + one.count, 0)
  return count === 1 ? '1 schedule is still paused' : `${numberText(count)} schedules are still paused`
}

/** In the modal, where no button answers. @param beside whether the message that it was opened from says the rest */
export function connectedText(paused: PausedSchedules, beside: boolean): string {
  const text = beside ? 'Connected.' : 'Connected. `/calls` shows the calls.'
  if (paused.length === 0) return text
  const commands = paused.map(({ kind }) => `\`/${kind.command} schedules\``)
  return `${text} ${pausedText(paused)}: see ${commands.join(' and ')}.`
}

export const disconnectedText = 'Disconnected. The API key and secret are deleted.'

/** `Asia/Tokyo`, `UTC+05:30`. Not escaped: a time zone's name holds nothing that would have to be. */
export const zoneName = (zone: Zone): string => (isUtcOffset(zone) ? `UTC${zone}` : zone)

export const zoneSources: Readonly<Record<ZoneSource, string>> = {
  channel: "It's set for everyone here.",
  workspace: "That's the workspace's time zone.",
  person: "That's the time zone of your Slack profile.",
  none: 'No time zone is set.',
}
