import {
  type FetchFunction,
  type Logger,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebClient,
} from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { Deadline, type HttpResponse, sendRequest } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'

/** Slack did not respond, or responded with an error that the person can't fix. */
export class SlackUnavailableError extends Error {
  override readonly name = 'SlackUnavailableError'
  readonly retryAfterMs: Milliseconds | undefined

  /** @param options.retryAfterMs if the cause doesn't state it */
  constructor(
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { readonly retryAfterMs?: Milliseconds | undefined } = {},
  ) {
    super(message, options)
    this.retryAfterMs = retryAfterMs ?? slackRetryAfterMs(options.cause)
  }
}

/** Slack no longer accepts the workspace's token: the app was removed, or its token revoked. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError'
}

export const interactiveTimeoutMs: Milliseconds = 2500
export const backgroundTimeoutMs: Milliseconds = 10_000

/** Calls Slack over our keep-alive connections: Node's own `fetch` needs four times the CPU. */
export function createFetch(dispatcher: Dispatcher): FetchFunction {
  return async (url, { headers = {}, body = '', signal } = {}) => {
    if (typeof body !== 'string') throw new TypeError('files are uploaded elsewhere')
    const response = await postTo(dispatcher, String(url), { headers, body }, backgroundTimeoutMs, signal)
    const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return new Response(response.text, { status: response.status, headers: Object.fromEntries(received) })
  }
}

/**
 * Creates a client without a token, for every workspace: each call passes its token. (Bolt keeps a client per workspace
 * forever: 255 MB of heap for 10,000 workspaces, compared with 0.1 MB.) The client never retries: a person is waiting, or a
 * job has its own policy. Never pass `headers`: the client mutates them.
 */
export const createWebApi = (
  slackApiUrl: string,
  options: { readonly timeout: Milliseconds; readonly logger: Logger; readonly fetch: FetchFunction },
): WebClient =>
  new WebClient(undefined, {
    ...options,
    slackApiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  })

/** https://docs.slack.dev/reference/methods/auth.test#errors: the token can't be used any more. */
const USELESS_TOKEN_CODES = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'team_access_not_granted',
]

export const isUselessToken = (code: string | undefined): boolean => USELESS_TOKEN_CODES.includes(code ?? '')

/** Returns the error that a failed Web API call stands for. @param summary for the log */
export function slackFailure(summary: string, cause: unknown): SlackUnavailableError | TokenRefusedError {
  const SlackError = isUselessToken(slackErrorCode(cause)) ? TokenRefusedError : SlackUnavailableError
  return new SlackError(`Slack: ${summary}`, { cause })
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

/** Returns Slack's error code of a failed Web API call (`user_not_found`), if Slack responded with one. */
export const slackErrorCode = (error: unknown): string | undefined =>
  error instanceof WebAPIPlatformError ? error.data.error : undefined

/**
 * POSTs once to an address that Slack gave. Some of these addresses are secrets: callers keep the address out of errors and
 * logs.
 */
export async function postTo(
  dispatcher: Dispatcher,
  address: string,
  content: Pick<Dispatcher.DispatchOptions, 'headers' | 'body'>,
  timeoutMs: Milliseconds,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(address)
  const request = { ...content, origin, path: pathname + search, method: 'POST' } as const
  const deadline = new Deadline(timeoutMs, signal)
  try {
    return await sendRequest(dispatcher, request, { deadline })
  } finally {
    deadline.clear()
  }
}
