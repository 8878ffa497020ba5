import type { types } from '@slack/bolt'
import { z } from 'zod'
import { numberText } from '../../util/text.ts'
import type { Audit } from '../access/audit.ts'
import type { Actor } from '../access/guards.ts'
import { type Channels, isDirectConversation } from '../api/channels.ts'
import { action } from '../blocks/action.ts'
import { type Block, confirmation } from '../blocks/blocks.ts'
import { type Answer, textAnswer } from './answer.ts'
import { channelRefusal } from './failures.ts'

interface Place {
  readonly actor: Actor
  readonly channel: string
  readonly channelName: string
  readonly isInView?: boolean
}

/** Where a list can be shared, as its button says it; `undefined` in direct messages, in views, and where it is in no channel. */
export function sharePlaceOf({ channel, channelName, isInView }: Omit<Place, 'actor'>): string | undefined {
  if (channel === '' || isInView || isDirectConversation(channel, channelName)) return undefined
  // A payload names private channels by what they are, and in the answer to a form none.
  return channelName === '' || channelName === 'privategroup' ? 'this channel' : `#${channelName}`
}

interface SharePage {
  readonly noun: 'call' | 'agent'
  readonly count: number
  readonly sharePlace: string | undefined
}

export const countText = ({ noun, count }: Pick<SharePage, 'noun' | 'count'>): string =>
  count === 1 ? `1 ${noun}` : `${numberText(count)} ${noun}s`

/** Shows the page to everyone in the channel, and asks first. @param share the page's button */
export function shareButtons(share: (text: string) => types.Button, page: SharePage): types.Button[] {
  const { noun, count, sharePlace } = page
  if (sharePlace === undefined) return []
  const what = count === 1 ? `this ${noun}` : `these ${countText(page)}`
  const consequence = `Everyone here, guests included, will see ${what}. Your share is recorded.`
  const confirm = confirmation(`Share in ${sharePlace}?`, consequence, 'Share', 'Cancel')
  return [{ ...share('Share…'), confirm }]
}

/** The way back from what was shared: who shared it rides in it. */
export const shareActions = { remove: action('share.remove', z.strictObject({ by: z.string().min(1) })) }

export interface Sharer {
  readonly id: string
  readonly name: string
}

/** Below what a person shared: for them, and for administrators. */
export function removeRow(user: string): Block {
  const [title, consequence] = ['Remove from this channel?', 'This removes it for everyone here.']
  const confirm = confirmation(title, consequence, 'Remove', 'Cancel')
  return {
    type: 'actions',
    elements: [{ ...shareActions.remove.button('Remove', { by: user }), confirm }],
  }
}

/** What everyone sees, and what it is in words: `15 calls`. */
export interface SharedPage {
  readonly answer: Answer
  readonly what: string
}

/**
 * Shares a page with everyone in a channel.
 * @param page is not asked for where the channel takes none
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
