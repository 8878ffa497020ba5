import { type Logger, WebAPIRateLimitedError } from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { Deadline, type HttpResponse, sendRequest } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type CallBudgets, WebApi } from './call-budgets.ts'

/** Slack did not answer, or answered with an error that the person can't mend. */
export class SlackUnavailableError extends Error {
  override readonly name = 'SlackUnavailableError'
  readonly retryAfterMs: Milliseconds | undefined

  /** @param options.retryAfterMs where the cause does not say it */
  constructor(
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { readonly retryAfterMs?: Milliseconds | undefined } = {},
  ) {
    super(message, options)
    this.retryAfterMs = retryAfterMs ?? slackRetryAfterMs(options.cause)
  }
}

/** Slack takes the workspace's token no longer: the app was taken out, or its token revoked. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError'
}

export const interactiveTimeoutMs: Milliseconds = 2500
export const backgroundTimeoutMs: Milliseconds = 10_000

/**
 * One Web API client without a token, for every workspace: the token is given with each call. (Bolt keeps one client
 * per workspace and never lets go of it: 255 MB of heap for 10,000 workspaces, against 0.1 MB.) No
 * retries: behind a call a person waits, or a job that has its own way of trying again. Never give it `headers`: the client mutates them.
 */
export const createWebApi = (
  slackApiUrl: string,
  { timeout, logger, budgets }: { timeout: Milliseconds; logger: Logger; budgets: CallBudgets },
): WebApi =>
  new WebApi(
    {
      slackApiUrl,
      logger,
      timeout,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    },
    budgets,
  )

/** https://docs.slack.dev/reference/methods/auth.test#errors: the token is of no use any more. */
const uselessToken = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'team_access_not_granted',
]

export const isUselessToken = (code: string | undefined): boolean => uselessToken.includes(code ?? '')

/** The error that a failed Web API call stands for. @param what for the log */
export function slackFailure(what: string, cause: unknown): SlackUnavailableError | TokenRefusedError {
  const SlackError = isUselessToken(slackErrorCode(cause)) ? TokenRefusedError : SlackUnavailableError
  return new SlackError(`Slack: ${what}`, { cause })
}

export async function askSlack<T>(method: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    throw slackFailure(`${method} failed`, cause)
  }
}

export function slackRetryAfterMs(error: unknown): Milliseconds | undefined {
  return error instanceof WebAPIRateLimitedError ? error.retryAfter * 1000 : undefined
}

/** A 429 with no wait that can be read, for which the SDK has no class: it throws a plain error. */
export const isRateLimited = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('header did not contain a valid timeout')

/** Slack's error code of a failed Web API call (`invalid_auth`, `user_not_found`), where Slack answered with one. */
export function slackErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('data' in error)) return undefined
  const { data } = error
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined
  return typeof data.error === 'string' ? data.error : undefined
}

/**
 * POSTs once to an address that Slack gave. It is a secret of its own: whoever catches what this throws keeps the address
 * out of errors and logs.
 */
export async function postTo(
  dispatcher: Dispatcher,
  address: string,
  {
    timeoutMs,
    signal,
    ...request
  }: Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> & {
    timeoutMs: Milliseconds
    signal?: AbortSignal | undefined
  },
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(address)
  const deadline = new Deadline(timeoutMs, signal)
  try {
    return await sendRequest(
      dispatcher,
      { ...request, origin, path: pathname + search, method: 'POST' },
      { deadline },
    )
  } finally {
    deadline.clear()
  }
}
