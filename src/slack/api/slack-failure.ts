import * as sdk from '@slack/web-api'
import { getErrorCode, isUnsent } from '../../util/send-request.ts'
import { limitWait, type Milliseconds } from '../../util/units.ts'
import { isSlackCode } from './slack-json.ts'

export type RequestFailure =
  /** Trying again would fail, too. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Trying later may work. */
  | { readonly kind: 'not-now'; readonly retryAfterMs: Milliseconds | undefined }
  /** Perhaps carried out: Slack offers no way to find out, or to post the same message once. */
  | { readonly kind: 'unknown' }

/** Slack did not carry out a request, or did not say whether it did. */
export class SlackFailure extends Error {
  override readonly name = 'SlackFailure'
  /** Set if Slack refused: it would refuse the same request again. Without a code, it may succeed later. */
  readonly code: string | undefined
  readonly retryAfterMs: Milliseconds | undefined

  constructor(message: string, failure: RequestFailure = { kind: 'unknown' }, options?: ErrorOptions) {
    super(`Slack: ${message} (${failure.kind === 'refused' ? failure.code : failure.kind})`, options)
    if (failure.kind === 'refused') this.code = failure.code
    if (failure.kind === 'not-now') this.retryAfterMs = failure.retryAfterMs
  }
}

/** https://docs.slack.dev/reference/methods/auth.test#errors */
const USELESS_TOKEN_CODES = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'team_access_not_granted',
]

/** True if the app was removed from the workspace, or its token revoked. */
export const isUselessToken = (code: string | undefined): boolean => USELESS_TOKEN_CODES.includes(code ?? '')

/** Waits for a request of the Web API. @throws {SlackFailure} */
export async function askSlack<T>(method: string, asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (cause) {
    throw toSlackFailure(method, cause)
  }
}

export const toSlackFailure = (method: string, cause: unknown): SlackFailure =>
  new SlackFailure(`${method} failed`, toRequestFailure(cause), { cause })

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors, …/chat.update#errors, …/views.open#errors */
const TRANSIENT_CODES = [
  'ratelimited',
  'rate_limited',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'message_limit_exceeded',
  'external_channel_migrating',
  'org_login_required',
  'expired_trigger_id',
  'exchanged_trigger_id',
  'invalid_trigger_id',
  'fetch_members_failed',
]
/** With these codes, the message may have been posted. */
const AMBIGUOUS_CODES = ['fatal_error', 'internal_error', 'update_failed']

export function toRequestFailure(error: unknown): RequestFailure {
  const retryAfterMs = findRetryAfterMs(error)
  if (retryAfterMs !== undefined) return { kind: 'not-now', retryAfterMs }
  if (isUnsent(error) || isUnavailable(error)) return { kind: 'not-now', retryAfterMs: undefined }
  const code = findSlackCode(error)
  if (code === undefined || AMBIGUOUS_CODES.includes(code)) return { kind: 'unknown' }
  if (TRANSIENT_CODES.includes(code)) return { kind: 'not-now', retryAfterMs: undefined }
  return { kind: 'refused', code }
}

export const findRetryAfterMs = (error: unknown): Milliseconds | undefined =>
  error instanceof sdk.WebAPIRateLimitedError ? limitWait(error.retryAfter * 1000) : undefined

function isUnavailable(error: unknown): boolean {
  if (error instanceof sdk.WebAPIHTTPError) return error.statusCode === 503
  // The SDK throws a plain error for a 429 without a readable `Retry-After`.
  return error instanceof Error && error.message.includes('header did not contain a valid timeout')
}

/** Returns the code with which Slack refused a request, such as `user_not_found`. */
export const findSlackCode = (error: unknown): string | undefined =>
  error instanceof sdk.WebAPIPlatformError && isSlackCode(error.data.error) ? error.data.error : undefined

/** Returns Slack's code, or the status or network error for which there is none. */
export function getCodeForLog(error: unknown): string {
  if (error instanceof sdk.WebAPIHTTPError) return `http_${error.statusCode}`
  if (error instanceof sdk.WebAPIRateLimitedError) return 'ratelimited'
  return findSlackCode(error) ?? getErrorCode(error)
}
