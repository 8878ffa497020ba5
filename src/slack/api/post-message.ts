import { WebAPIHTTPError, type WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import { isUnsent } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Message } from '../blocks/blocks.ts'
import {
  isUselessToken,
  SlackUnavailableError,
  slackErrorCode,
  slackRetryAfterMs,
  TokenRefusedError,
} from './web-api.ts'

export type PostResult =
  /** `channel` is the conversation's id, which differs from a person's id. */
  { readonly kind: 'sent'; readonly channel: string; readonly ts: string | undefined } | Unsent

export type Unsent =
  /** Not posted; trying again would fail, too. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Not posted; trying later may work. */
  | { readonly kind: 'not-now'; readonly retryAfterMs: Milliseconds | undefined }
  /** Perhaps posted: Slack offers no way to find out, or to post the same message once. */
  | { readonly kind: 'unknown' }

/** Slack refuses direct messages from the app; trying again would fail, too. */
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
/** Codes that leave open whether the message was posted. */
const AMBIGUOUS_CODES = ['fatal_error', 'internal_error', 'update_failed']

/** True for a 429 without a readable `Retry-After`: the SDK throws a plain error for it. */
const isRateLimited = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('header did not contain a valid timeout')

export function toResult(error: unknown): Unsent {
  const retryAfterMs = slackRetryAfterMs(error)
  if (retryAfterMs !== undefined) return { kind: 'not-now', retryAfterMs }
  const code = slackErrorCode(error)
  if (code !== undefined && TRANSIENT_CODES.includes(code))
    return { kind: 'not-now', retryAfterMs: undefined }
  if (code !== undefined)
    return AMBIGUOUS_CODES.includes(code) ? { kind: 'unknown' } : { kind: 'refused', code }
  const isUnavailable = error instanceof WebAPIHTTPError && error.statusCode === 503
  return isUnsent(error) || isUnavailable || isRateLimited(error)
    ? { kind: 'not-now', retryAfterMs: undefined }
    : { kind: 'unknown' }
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
  place: { readonly channel: string; readonly ts?: string },
): Promise<PostResult> {
  try {
    const { channel = place.channel, ts = place.ts } = await call
    return { kind: 'sent', channel, ts }
  } catch (error) {
    return toResult(error)
  }
}

/** Matches mentions of many people in data; Callboard makes none. */
const PLAIN_MENTION = /(?<![<\w])@(?=(?:channel|here|everyone|group)\b)/gi

/** Breaks plain mentions apart with a zero-width space: a message's `text` has no `verbatim`. */
const withoutMentions = (text: string): string =>
  text.includes('@') ? text.replaceAll(PLAIN_MENTION, '$&\u200b') : text

/**
 * Returns the fields of a message's fallback text, for which Slack unfurls no links.
 * https://docs.slack.dev/messaging/unfurling-links-in-messages
 */
export const fallbackText = (text: string) => ({
  text: withoutMentions(text),
  unfurl_links: false,
  unfurl_media: false,
})

/** Posts once; retrying is up to the caller. @param channel a person's id for a direct message */
export const postMessage = (
  webApi: WebClient,
  token: string,
  channel: string,
  { text, blocks = [] }: Message,
): Promise<PostResult> =>
  toPostResult(webApi.chat.postMessage({ token, channel, blocks, ...fallbackText(text) }), { channel })

/** Updates a message of this app once. After `unknown`, the same update may be repeated. */
export const updateMessage = (
  webApi: WebClient,
  token: string,
  { channel, ts }: MessagePlace,
  { text, blocks = [] }: Message,
): Promise<PostResult> =>
  toPostResult(webApi.chat.update({ token, channel, ts, blocks, text: withoutMentions(text) }), {
    channel,
    ts,
  })

/**
 * Sends a direct message once. Returns its place.
 * @throws {DirectMessageRefusedError | SlackUnavailableError | TokenRefusedError}
 */
export async function postDirectMessage(
  webApi: WebClient,
  token: string,
  person: string,
  message: Message,
): Promise<MessagePlace> {
  const posted = await postMessage(webApi, token, person, message)
  if (posted.kind !== 'sent') throw directMessageFailure(posted)
  return { channel: posted.channel, ts: posted.ts ?? '' }
}

/** Returns the address of a message, unless Slack doesn't give it. */
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
