import type { Audit } from '../access/audit.ts'
import type { Actor } from '../access/guards.ts'
import { type Channels, isDirectConversation } from '../api/channels.ts'
import { type Answer, textAnswer } from './answer.ts'
import { channelRefusal } from './failures.ts'

interface Place {
  readonly actor: Actor
  readonly channel: string
  readonly channelName: string
}

/** What everyone sees, and what it is in words: `15 calls`. */
export interface SharedPage {
  readonly answer: Answer
  readonly what: string
}

/**
 * The name under which a list's share button knows the channel; `undefined` where it is unknown, as in the answer
 * to a form, and `directmessage` on the home tab too, whose answers go there.
 */
export function channelNameOf({ channel, channelName }: Omit<Place, 'actor'>): string | undefined {
  if (channel === '' || isDirectConversation(channel, channelName)) return 'directmessage'
  return channelName === '' ? undefined : channelName
}

/**
 * Shows a page to everyone in a channel.
 * @param page makes what everyone sees; it is not asked where the channel takes none
 */
export async function share(
  { channels, audit }: { readonly channels: Channels; readonly audit: Audit },
  { actor, channel, channelName }: Place,
  page: () => Promise<SharedPage>,
): Promise<Answer> {
  const state = await channels.state(actor, channel, channelName)
  // A `response_url` needs no invitation, but the channel has to be known not to be another company's too.
  if (state !== 'ok' && state !== 'not-in') return textAnswer(channelRefusal(state, channel))
  const { answer, what } = await page()
  // Noted before it is shown: whoever shared it is in the log.
  await audit.record(actor, 'share', { channel, detail: what })
  return { ...answer, isPublic: true }
}
