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

/** For the modal, whose buttons can't be clicked. @param beside whether a message offers the next steps */
export const connectedText = (beside: boolean): string =>
  beside ? 'Connected.' : 'Connected. `/calls` shows the calls.'

export const disconnectedText = 'Disconnected. The API key and secret are deleted.'

/** `Asia/Tokyo`, `UTC+05:30`. Not escaped: a time zone's name holds nothing that would have to be. */
export const zoneName = (zone: Zone): string => (isUtcOffset(zone) ? `UTC${zone}` : zone)

export const zoneSources: Readonly<Record<ZoneSource, string>> = {
  channel: "It's set for everyone here.",
  workspace: "That's the workspace's time zone.",
  person: "That's the time zone of your Slack profile.",
  none: 'No time zone is set.',
}
