import { WebAPIHTTPError, type WebClient } from '@slack/web-api'
import { isUnsent } from '../../util/send-request.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Message } from '../blocks/blocks.ts'
import {
  isRateLimited,
  isUselessToken,
  SlackUnavailableError,
  slackErrorCode,
  slackRetryAfterMs,
  TokenRefusedError,
} from './web-api.ts'

export type PostResult =
  /** With the id of the conversation, since a person's is another than the person's, and of the message. */
  { readonly kind: 'sent'; readonly channel: string; readonly ts: string | undefined } | Unsent

export type Unsent =
  /** It was not posted, and would not be another time. */
  | { readonly kind: 'refused'; readonly code: string }
  /** It was not posted; another time it may be. */
  | { readonly kind: 'not-now'; readonly retryAfterMs: Milliseconds | undefined }
  /** It may have been posted: there is no telling, and Slack has no way to ask for the same post once. */
  | { readonly kind: 'unknown' }

/** Slack takes no direct message from the app, and would not another time. */
export class DirectMessageRefusedError extends Error {
  override readonly name = 'DirectMessageRefusedError'
  readonly code: string

  constructor(code: string) {
    super(`Slack refused a direct message: ${code}`)
    this.code = code
  }
}

/**
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors, …/chat.update#errors: those that pass, and those that
 * leave open whether it is there.
 */
const transientCodes = [
  'ratelimited',
  'rate_limited',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'message_limit_exceeded',
  'external_channel_migrating',
  'org_login_required',
]
const ambiguousCodes = ['fatal_error', 'internal_error', 'update_failed']

export function toResult(error: unknown): Unsent {
  const retryAfterMs = slackRetryAfterMs(error)
  if (retryAfterMs !== undefined) return { kind: 'not-now', retryAfterMs }
  const code = slackErrorCode(error)
  if (code !== undefined && transientCodes.includes(code)) return { kind: 'not-now', retryAfterMs: undefined }
  if (code !== undefined)
    return ambiguousCodes.includes(code) ? { kind: 'unknown' } : { kind: 'refused', code }
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

async function resultOf(
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

/** A mention of many that somebody's data hold; Callboard makes none. */
const plainMention = /(?<![<\w])@(?=(?:channel|here|everyone|group)\b)/gi

/** The `text` of a message has no `verbatim`: a zero-width space breaks plain mentions apart. */
const withoutMentions = (text: string): string =>
  text.includes('@') ? text.replaceAll(plainMention, '$&\u200b') : text

/**
 * The text that stands for a message's blocks, of which Slack is to make nothing else: nothing is fetched for a link.
 * https://docs.slack.dev/messaging/unfurling-links-in-messages
 */
export const fallbackText = (text: string) => ({
  text: withoutMentions(text),
  unfurl_links: false,
  unfurl_media: false,
})

/** Once: whether to try again is the caller's to say. @param channel its id, or a person's for a direct message */
export const postMessage = (
  webApi: WebClient,
  token: string,
  channel: string,
  { text, blocks = [] }: Message,
): Promise<PostResult> =>
  resultOf(webApi.chat.postMessage({ token, channel, blocks, ...fallbackText(text) }), { channel })

/** Changes a message of this app's, once. What is `unknown` may be sent again as it is. */
export const updateMessage = (
  webApi: WebClient,
  token: string,
  { channel, ts }: MessagePlace,
  { text, blocks = [] }: Message,
): Promise<PostResult> =>
  resultOf(webApi.chat.update({ token, channel, ts, blocks, text: withoutMentions(text) }), { channel, ts })

/**
 * Sends a person a direct message, once. @returns where it is
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
