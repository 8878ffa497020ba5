import { waitText } from '../../slack/deliver/failures.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  type TelephonyError,
  TooManyWaitingError,
} from '../../telephony/errors.ts'

/** Why an API key and secret that an administrator has just entered are not stored. */
export function refusedKeyText(error: TelephonyError): string {
  if (error instanceof CredentialsRejectedError) return 'The phone service rejected this key and secret.'
  if (error instanceof RequestRefusedError)
    return "The phone service refused our test request (400), so we can't tell whether this key and secret are right. Nothing was stored. Ask your phone provider."
  if (error instanceof TooManyWaitingError)
    return "Too many requests from this workspace are waiting, so we couldn't test the key and secret. Nothing was stored. Try again in a moment."
  if (error instanceof RateLimitedError)
    return `${waitText(error.retryAfterMs)}, so we couldn't test the key and secret. Nothing was stored. Try again then.`
  return "The phone service isn't responding, so we couldn't test the key and secret. Nothing was stored. Try again in a moment."
}
