import { escapeText } from '../../slack/blocks/blocks.ts'
import { keyRefused, waitText } from '../../slack/deliver/failures.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  ServiceUnavailableError,
} from '../../telephony/errors.ts'

/**
 * What became of the invoice operation: above all whether it may have been carried out. `undefined` for an error that
 * says nothing of it.
 */
export function failedInvoicesText(error: unknown, customerId: string): string | undefined {
  const customer = `customer *${escapeText(customerId)}*`
  if (error instanceof CredentialsRejectedError) return `${keyRefused}, so nothing was done for ${customer}.`
  if (error instanceof RequestRefusedError) return `The phone service refused ${customer}. Nothing was done.`
  if (error instanceof RateLimitedError)
    return `${waitText(error.retryAfterMs)}, so nothing was done for ${customer}. Try again then.`
  if (!(error instanceof ServiceUnavailableError)) return undefined
  return error.sent
    ? `The answer was lost, so the deletion of ${customer} *may have been carried out*. It isn't tried again. Check with your phone provider before you try once more.`
    : `We couldn't reach the phone service, so nothing was sent for ${customer}. Try again in a moment.`
}
