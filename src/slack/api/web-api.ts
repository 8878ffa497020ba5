import * as sdk from '@slack/web-api'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import { getErrorCode, type HttpResponse, isUnsent, sendRequest, TimeLimit } from '../../util/send-request.ts'
import { limitWait, type Milliseconds } from '../../util/units.ts'
import type { Message } from '../blocks/blocks.ts'
import { isSlackCode, parseSlackResponse } from './slack-json.ts'

export const flag = z.boolean().default(false)

/** Slack did not carry out a call, or did not say whether it did. */
export class SlackFailure extends Error {
  override readonly name = 'SlackFailure'
  /** Slack would refuse the same call again. Without a code, it may succeed later. */
  readonly code: string | undefined
  readonly retryAfterMs: Milliseconds | undefined

  constructor(message: string, result: Unsent = { kind: 'unknown' }, options?: ErrorOptions) {
    super(`Slack: ${message} (${result.kind === 'refused' ? result.code : result.kind})`, options)
    if (result.kind === 'refused') this.code = result.code
    if (result.kind === 'not-now') this.retryAfterMs = result.retryAfterMs
  }

  /** The app was removed from the workspace, or its token revoked. */
  get isTokenRefused(): boolean {
    return isUselessToken(this.code)
  }
}

export const interactiveTimeoutMs: Milliseconds = 2500
export const backgroundTimeoutMs: Milliseconds = 10_000

/** Replaces Node's own `fetch`, which needs four times the CPU. Refuses bodies that aren't Slack's. */
export function createFetch(dispatcher: Dispatcher): sdk.FetchFunction {
  return async (url, { headers = {}, body = '', signal } = {}) => {
    if (typeof body !== 'string') throw new TypeError('files are uploaded elsewhere')
    const response = await postTo(dispatcher, String(url), { headers, body }, backgroundTimeoutMs, signal)
    if (response.status !== 200) return toFetchResponse(String(url), response)
    // The SDK would take any text for the code of a refusal, and read pages without end if their cursor is null.
    const result = parseSlackResponse(response.text)
    if (!result) throw Object.assign(new Error("not Slack's JSON"), { code: 'NOT_SLACK_JSON' })
    return toFetchResponse(String(url), { ...response, text: JSON.stringify(result) })
  }
}

/** The global `Response` would load Node's own undici: 30 ms and 5 MB at the start. */
function toFetchResponse(url: string, { status, headers, text }: HttpResponse) {
  const received = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return {
    ok: status === 200,
    status,
    statusText: '',
    url,
    headers: { get: (name: string) => received.get(name) ?? null, entries: () => received.entries() },
    text: async () => text,
    json: async (): Promise<unknown> => JSON.parse(text),
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  }
}

/**
 * Serves all workspaces: Bolt would keep a client for each (255 MB of heap for 10,000). Never retries, because a person
 * is waiting, or a job has its own policy. Never pass `headers`: the client mutates them.
 */
export class SlackWebApi extends sdk.WebClient {
  readonly #log: sdk.Logger

  constructor(
    slackApiUrl: string,
    options: { timeout: Milliseconds; logger: sdk.Logger; fetch: sdk.FetchFunction },
  ) {
    super(undefined, {
      ...options,
      slackApiUrl,
      // All workspaces would share the SDK's 100 slots, also while Slack hangs for one. Every request has a timeout.
      maxRequestConcurrency: Number.POSITIVE_INFINITY,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
    })
    this.#log = options.logger
  }

  /** Logs Slack's code for each failed call, under the id of the interaction that made it. */
  override async apiCall(method: string, options?: Record<string, unknown>): Promise<sdk.WebAPICallResult> {
    try {
      return await super.apiCall(method, options)
    } catch (error) {
      this.#log.info(`${method} failed: ${toFailureCode(error)}`)
      throw error
    }
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

export const isUselessToken = (code: string | undefined): boolean => USELESS_TOKEN_CODES.includes(code ?? '')

export const slackFailure = (method: string, cause: unknown): SlackFailure =>
  new SlackFailure(`${method} failed`, toUnsent(cause), { cause })

export async function askSlack<T>(method: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (cause) {
    throw slackFailure(method, cause)
  }
}

export const slackRetryAfterMs = (error: unknown): Milliseconds | undefined =>
  error instanceof sdk.WebAPIRateLimitedError ? limitWait(error.retryAfter * 1000) : undefined

/** Returns the error code of a Web API call, such as `user_not_found`. */
export const slackErrorCode = (error: unknown): string | undefined =>
  error instanceof sdk.WebAPIPlatformError && isSlackCode(error.data.error) ? error.data.error : undefined

/** Returns Slack's code, or the status or network error for which there is none. */
function toFailureCode(error: unknown): string {
  if (error instanceof sdk.WebAPIHTTPError) return `http_${error.statusCode}`
  if (error instanceof sdk.WebAPIRateLimitedError) return 'ratelimited'
  return slackErrorCode(error) ?? getErrorCode(error)
}

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
  const limit = new TimeLimit(timeoutMs, signal)
  try {
    return await sendRequest(dispatcher, request, limit.signal)
  } finally {
    limit.clear()
  }
}

export type PostResult =
  /** `channel` is the conversation's id, which differs from a person's id. */
  ({ readonly kind: 'sent' } & MessageRef) | Unsent

export type Unsent =
  /** Trying again would fail, too. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Trying later may work. */
  | { readonly kind: 'not-now'; readonly retryAfterMs: Milliseconds | undefined }
  /** Perhaps posted: Slack offers no way to find out, or to post the same message once. */
  | { readonly kind: 'unknown' }

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

/** The SDK throws a plain error for a 429 without a readable `Retry-After`. */
const isRateLimited = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('header did not contain a valid timeout')

export function toUnsent(error: unknown): Unsent {
  const retryAfterMs = slackRetryAfterMs(error)
  const code = slackErrorCode(error) ?? ''
  const isUnavailable = error instanceof sdk.WebAPIHTTPError && error.statusCode === 503
  const isTransient =
    TRANSIENT_CODES.includes(code) || isUnsent(error) || isUnavailable || isRateLimited(error)
  if (retryAfterMs !== undefined || isTransient) return { kind: 'not-now', retryAfterMs }
  if (code === '' || AMBIGUOUS_CODES.includes(code)) return { kind: 'unknown' }
  return { kind: 'refused', code }
}

interface MessageRef {
  readonly channel: string
  readonly ts: string
}

async function toPostResult(
  call: Promise<{ readonly channel?: string; readonly ts?: string }>,
  ref: MessageRef,
): Promise<PostResult> {
  try {
    const { channel = ref.channel, ts = ref.ts } = await call
    return { kind: 'sent', channel, ts }
  } catch (error) {
    return toUnsent(error)
  }
}

const PLAIN_MENTION = /(?<![<\w])@(?=(?:channel|here|everyone|group)\b)/gi

/** Breaks plain mentions apart with a zero-width space: a message's `text` has no `verbatim`. */
const withoutMentions = (text: string): string => text.replaceAll(PLAIN_MENTION, '$&\u200b')

/** https://docs.slack.dev/messaging/unfurling-links-in-messages */
export const fallbackText = (text: string) => ({
  text: withoutMentions(text),
  unfurl_links: false,
  unfurl_media: false,
})

/** Never retries. @param channel a person's id for a direct message @param thread shows a broadcast reply in the channel, too */
export function postMessage(
  webApi: sdk.WebClient,
  token: string,
  channel: string,
  { text, blocks = [] }: Message,
  thread?: { readonly ts: string; readonly isBroadcast: boolean },
): Promise<PostResult> {
  const ref = { channel, ts: '' }
  const message = { token, channel, blocks, ...fallbackText(text) }
  if (!thread) return toPostResult(webApi.chat.postMessage(message), ref)
  const reply = { ...message, thread_ts: thread.ts, reply_broadcast: thread.isBroadcast }
  return toPostResult(webApi.chat.postMessage(reply), ref)
}

/** After `unknown`, the same update may be repeated. */
export function updateMessage(
  webApi: sdk.WebClient,
  token: string,
  { channel, ts }: MessageRef,
  { text, blocks = [] }: Message,
): Promise<PostResult> {
  const ref = { channel, ts }
  return toPostResult(webApi.chat.update({ token, ...ref, blocks, text: withoutMentions(text) }), ref)
}

/** @throws {SlackFailure} */
export async function postDirectMessage(
  webApi: sdk.WebClient,
  token: string,
  person: string,
  message: Message,
): Promise<MessageRef> {
  const posted = await postMessage(webApi, token, person, message)
  if (posted.kind !== 'sent') throw new SlackFailure('a direct message failed', posted)
  return { channel: posted.channel, ts: posted.ts }
}

export async function findPermalink(
  { webApi, log }: { readonly webApi: sdk.WebClient; readonly log: Pick<Log, 'info'> },
  token: string,
  { channel, ts }: MessageRef,
): Promise<string | undefined> {
  try {
    return (await webApi.chat.getPermalink({ token, channel, message_ts: ts })).permalink
  } catch (error) {
    log.info({ err: error }, 'Slack returned no permalink')
    return undefined
  }
}
