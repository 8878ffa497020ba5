import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import type { Message } from '../blocks/blocks.ts'
import { type RequestFailure, SlackFailure, toRequestFailure } from './slack-failure.ts'

interface MessageRef {
  /** Id of the conversation: for a direct message, not the person's. */
  readonly channel: string
  readonly ts: string
}

export type PostResult = (MessageRef & { readonly kind: 'sent' }) | RequestFailure

/** @param fallback for fields that Slack's types, but no responses, leave out */
async function toPostResult(
  asking: Promise<{ readonly channel?: string; readonly ts?: string }>,
  fallback: MessageRef,
): Promise<PostResult> {
  try {
    const { channel = fallback.channel, ts = fallback.ts } = await asking
    return { kind: 'sent', channel, ts }
  } catch (error) {
    return toRequestFailure(error)
  }
}

const PLAIN_MENTION = /(?<![<\w])@(?=(?:channel|here|everyone|group)\b)/gi

/** Breaks plain mentions apart with a zero-width space: a message's `text` has no `verbatim`. */
const withoutMentions = (text: string): string => text.replaceAll(PLAIN_MENTION, '$&\u200b')

/** Fields of a new message whose text notifies no group and shows no previews of links. */
export const toTextFields = (text: string) => ({
  text: withoutMentions(text),
  // https://docs.slack.dev/messaging/unfurling-links-in-messages
  unfurl_links: false,
  unfurl_media: false,
})

/** Never retries. @param channel a person's id for a direct message @param thread shows a broadcast reply in the channel, too */
export function postMessage(
  webApi: WebClient,
  token: string,
  channel: string,
  { text, blocks = [] }: Message,
  thread?: { readonly ts: string; readonly isBroadcast: boolean },
): Promise<PostResult> {
  const fallback = { channel, ts: '' }
  const message = { token, channel, blocks, ...toTextFields(text) }
  if (!thread) return toPostResult(webApi.chat.postMessage(message), fallback)
  const reply = { ...message, thread_ts: thread.ts, reply_broadcast: thread.isBroadcast }
  return toPostResult(webApi.chat.postMessage(reply), fallback)
}

/** After `unknown`, the same update may be repeated. */
export function updateMessage(
  webApi: WebClient,
  token: string,
  { channel, ts }: MessageRef,
  { text, blocks = [] }: Message,
): Promise<PostResult> {
  const ref = { channel, ts }
  return toPostResult(webApi.chat.update({ token, ...ref, blocks, text: withoutMentions(text) }), ref)
}

/** @throws {SlackFailure} */
export async function postDirectMessage(
  webApi: WebClient,
  token: string,
  person: string,
  message: Message,
): Promise<MessageRef> {
  const posted = await postMessage(webApi, token, person, message)
  if (posted.kind !== 'sent') throw new SlackFailure('a direct message failed', posted)
  return posted
}

/** Returns undefined, and logs why, if Slack returns none. */
export async function findPermalink(
  { webApi, log }: { readonly webApi: WebClient; readonly log: Pick<Log, 'info'> },
  token: string,
  { channel, ts }: MessageRef,
): Promise<string | undefined> {
  try {
    const response = await webApi.chat.getPermalink({ token, channel, message_ts: ts })
    return response.permalink
  } catch (error) {
    log.info({ err: error }, 'Slack returned no permalink')
    return undefined
  }
}
