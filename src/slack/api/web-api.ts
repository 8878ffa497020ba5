import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FetchFunction,
  type Logger,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebClient,
} from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import { Deadline, type HttpResponse, isUnsent, sendRequest, withoutUrl } from '../../util/send-request.ts'
import { limitWait, type Milliseconds } from '../../util/units.ts'
import type { Message } from '../blocks/blocks.ts'

export const flag = z.boolean().default(false)

/** Slack did not respond, or responded with an error that the person can't fix. */
export class SlackUnavailableError extends Error {
  override readonly name = 'SlackUnavailableError'
  readonly retryAfterMs: Milliseconds | undefined

  constructor(
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: Milliseconds | undefined } = {},
  ) {
    super(message, options)
    this.retryAfterMs = retryAfterMs ?? slackRetryAfterMs(options.cause)
  }
}

/** The app was removed from the workspace, or its token revoked. */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError'
}

export const interactiveTimeoutMs: Milliseconds = 2500
export const backgroundTimeoutMs: Milliseconds = 10_000

/** Replaces Node's own `fetch`, which needs four times the CPU. */
export function createFetch(dispatcher: Dispatcher): FetchFunction {
  return async (url, { headers = {}, body = '', signal } = {}) => {
    if (typeof body !== 'string') throw new TypeError('files are uploaded elsewhere')
    const response = await postTo(dispatcher, String(url), { headers, body }, backgroundTimeoutMs, signal)
    const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return new Response(response.text, { status: response.status, headers: Object.fromEntries(received) })
  }
}

/**
 * Serves all workspaces: Bolt would keep a client for each (255 MB of heap for 10,000). Never retries, because a person
 * is waiting, or a job has its own policy. Never pass `headers`: the client mutates them.
 */
export const createWebApi = (
  slackApiUrl: string,
  options: { timeout: Milliseconds; logger: Logger; fetch: FetchFunction },
): WebClient =>
  new WebClient(undefined, {
    ...options,
    slackApiUrl,
    // All workspaces would share the SDK's 100 slots, also while Slack hangs for one. Every request has a timeout.
    maxRequestConcurrency: Number.POSITIVE_INFINITY,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  })

/** https://docs.slack.dev/reference/methods/auth.test#errors */
const USELESS_TOKEN_CODES = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'team_access_not_granted',
]

export const isUselessToken = (code: string | undefined): boolean => USELESS_TOKEN_CODES.includes(code ?? '')

/** @param summary for the log */
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

export const slackRetryAfterMs = (error: unknown): Milliseconds | undefined =>
  error instanceof WebAPIRateLimitedError ? limitWait(error.retryAfter * 1000) : undefined

/** Returns the error code of a Web API call, such as `user_not_found`. */
export const slackErrorCode = (error: unknown): string | undefined =>
  error instanceof WebAPIPlatformError ? error.data.error : undefined

/** @param address may be a secret: callers keep it out of errors and logs */
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
    return await sendRequest(dispatcher, request, deadline)
  } finally {
    deadline.clear()
  }
}

const refusalSchema = z.object({ error: z.string() })

const TIMEOUT_MS: Milliseconds = 5000
/** A longer `Retry-After` ends the attempts, because a person is waiting. */
const MAX_RETRY_WAIT_MS: Milliseconds = 3000

/** Slack sends `ok` or JSON, and errors under any status. */
function findErrorCode(status: number, text: string): string | undefined {
  if (status < 300 && !text.includes('"ok":false') && !text.includes('"error"')) return undefined
  try {
    const parsed = refusalSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data.error
  } catch {
    // Some refusals are a bare word instead of JSON.
  }
  return /^[a-z_]{3,60}$/.test(text.trim()) ? text.trim() : `http_${status}`
}

/** Unlike Bolt's `respond()`, `post` returns the code with which Slack refuses a message. */
export class ResponseUrls {
  readonly #dispatcher: Dispatcher

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  /** Retries once if Slack is unavailable; a public message only if it certainly didn't arrive. */
  async post(
    responseUrl: string,
    json: string,
    { isPublic = false, isRetry = false } = {},
  ): Promise<{ readonly kind: 'sent' } | Exclude<Unsent, { readonly kind: 'not-now' }>> {
    const content = { headers: { 'content-type': 'application/json; charset=utf-8' }, body: json }
    try {
      const { status, text, headers } = await postTo(this.#dispatcher, responseUrl, content, TIMEOUT_MS)
      if (isPublic && status >= 500) return { kind: 'unknown' }
      const waitMs = status === 429 ? Number(headers['retry-after'] ?? 1) * 1000 : 200
      const isTransient = status === 429 || status >= 500
      if (!isTransient || isRetry || !(waitMs <= MAX_RETRY_WAIT_MS)) {
        const code = findErrorCode(status, text)
        return code === undefined ? { kind: 'sent' } : { kind: 'refused', code }
      }
      await sleep(waitMs)
    } catch (error) {
      if (isPublic && !isUnsent(error)) return { kind: 'unknown' }
      if (isRetry) throw new SlackUnavailableError('Slack: response_url failed', { cause: withoutUrl(error) })
    }
    return this.post(responseUrl, json, { isPublic, isRetry: true })
  }

  /** Deletes the clicked message for everyone. @throws {SlackUnavailableError} */
  async remove(responseUrl: string): Promise<void> {
    // Slack accepts no other field beside it.
    const result = await this.post(responseUrl, JSON.stringify({ delete_original: true }))
    if (result.kind !== 'sent')
      throw new SlackUnavailableError(`Slack: a message's removal was ${result.kind}`)
  }
}

export type PostResult =
  /** `channel` is the conversation's id, which differs from a person's id. */
  ({ readonly kind: 'sent' } & MessagePlace) | Unsent

export type Unsent =
  /** Trying again would fail, too. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Trying later may work. */
  | { readonly kind: 'not-now'; readonly retryAfterMs: Milliseconds | undefined }
  /** Perhaps posted: Slack offers no way to find out, or to post the same message once. */
  | { readonly kind: 'unknown' }

export class DirectMessageRefusedError extends Error {
  override readonly name = 'DirectMessageRefusedError'
  readonly code: string

  constructor(code: string) {
    super(`Slack refused a direct message: ${code}`)
    this.code = code
  }
}

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors, …/chat.update#errors */
const TRANSIENT_CODES = [
  'ratelimited',
  'rate_limited',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'message_limit_exceeded',
  'external_channel_migrating',
  'org_login_required',
]
/** With these codes, the message may have been posted. */
const AMBIGUOUS_CODES = ['fatal_error', 'internal_error', 'update_failed']

/** The SDK throws a plain error for a 429 without a readable `Retry-After`. */
const isRateLimited = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('header did not contain a valid timeout')

export function toUnsent(error: unknown): Unsent {
  const retryAfterMs = slackRetryAfterMs(error)
  const code = slackErrorCode(error) ?? ''
  const isUnavailable = error instanceof WebAPIHTTPError && error.statusCode === 503
  const isTransient =
    TRANSIENT_CODES.includes(code) || isUnsent(error) || isUnavailable || isRateLimited(error)
  if (retryAfterMs !== undefined || isTransient) return { kind: 'not-now', retryAfterMs }
  return code === '' || AMBIGUOUS_CODES.includes(code) ? { kind: 'unknown' } : { kind: 'refused', code }
}

export function directMessageFailure(result: Unsent): Error {
  if (result.kind !== 'refused')
    return new SlackUnavailableError(`Slack: a direct message was ${result.kind}`, {
      retryAfterMs: result.kind === 'not-now' ? result.retryAfterMs : undefined,
    })
  if (isUselessToken(result.code)) return new TokenRefusedError(`Slack: a direct message: ${result.code}`)
  return new DirectMessageRefusedError(result.code)
}

interface MessagePlace {
  readonly channel: string
  readonly ts: string
}

async function toPostResult(
  call: Promise<{ readonly channel?: string; readonly ts?: string }>,
  place: MessagePlace,
): Promise<PostResult> {
  try {
    const { channel = place.channel, ts = place.ts } = await call
    return { kind: 'sent', channel, ts }
  } catch (error) {
    return toUnsent(error)
  }
}

const PLAIN_MENTION = /(?<![<\w])@(?=(?:channel|here|everyone|group)\b)/gi

/** Breaks plain mentions apart with a zero-width space: a message's `text` has no `verbatim`. */
const withoutMentions = (text: string): string =>
  text.includes('@') ? text.replaceAll(PLAIN_MENTION, '$&\u200b') : text

/** https://docs.slack.dev/messaging/unfurling-links-in-messages */
export const fallbackText = (text: string) => ({
  text: withoutMentions(text),
  unfurl_links: false,
  unfurl_media: false,
})

/** Never retries. @param channel a person's id for a direct message */
export const postMessage = (
  webApi: WebClient,
  token: string,
  channel: string,
  { text, blocks = [] }: Message,
): Promise<PostResult> =>
  toPostResult(webApi.chat.postMessage({ token, channel, blocks, ...fallbackText(text) }), {
    channel,
    ts: '',
  })

/** After `unknown`, the same update may be repeated. */
export const updateMessage = (
  webApi: WebClient,
  token: string,
  { channel, ts }: MessagePlace,
  { text, blocks = [] }: Message,
): Promise<PostResult> => {
  const place = { channel, ts }
  return toPostResult(webApi.chat.update({ token, ...place, blocks, text: withoutMentions(text) }), place)
}

/** @throws {DirectMessageRefusedError | SlackUnavailableError | TokenRefusedError} */
export async function postDirectMessage(
  webApi: WebClient,
  token: string,
  person: string,
  message: Message,
): Promise<MessagePlace> {
  const posted = await postMessage(webApi, token, person, message)
  if (posted.kind !== 'sent') throw directMessageFailure(posted)
  return { channel: posted.channel, ts: posted.ts }
}

export async function findPermalink(
  { webApi, log }: { readonly webApi: WebClient; readonly log: Pick<Log, 'info'> },
  token: string,
  { channel, ts }: MessagePlace,
): Promise<string | undefined> {
  try {
    return (await webApi.chat.getPermalink({ token, channel, message_ts: ts })).permalink
  } catch (error) {
    log.info({ err: error }, 'Slack returned no permalink')
    return undefined
  }
}
