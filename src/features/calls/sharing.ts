import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Audit } from '../../slack/access/audit.ts'
import type { Actor } from '../../slack/access/guards.ts'
import type { Channels } from '../../slack/api/channels.ts'
import { action } from '../../slack/blocks/action.ts'
import { type Block, confirmation, isDirectConversation } from '../../slack/blocks/blocks.ts'
import { channelRefusal } from '../../slack/deliver/failures.ts'
import { type Answer, textAnswer } from '../../slack/deliver/replies.ts'
import { formatNumber } from '../../util/text.ts'

interface ShareOrigin {
  readonly actor: Actor
  readonly channel: string
  readonly channelName: string
  readonly isInView?: boolean
}

/** Names the place where a list can be shared. Returns undefined in direct messages, in views and outside of channels. */
export function getSharePlace({
  channel,
  channelName,
  isInView,
}: Omit<ShareOrigin, 'actor'>): string | undefined {
  if (channel === '' || isInView || isDirectConversation(channel, channelName)) return undefined
  // Payloads call a private channel `privategroup`, and name none after a form.
  return channelName === '' || channelName === 'privategroup' ? 'this channel' : `#${channelName}`
}

interface SharePage {
  readonly noun: 'call' | 'agent' | 'report'
  readonly count: number
  readonly sharePlace: string | undefined
}

export const countText = ({ noun, count }: Pick<SharePage, 'noun' | 'count'>): string =>
  count === 1 ? `1 ${noun}` : `${formatNumber(count)} ${noun}s`

/** Builds a button that asks before it shows the page to everyone in the channel. */
export function shareButtons(share: (text: string) => types.Button, page: SharePage): types.Button[] {
  const { noun, count, sharePlace } = page
  if (sharePlace === undefined) return []
  const what = count === 1 ? `this ${noun}` : `these ${countText(page)}`
  const consequence = `Everyone here, guests included, will see ${what}. The audit log records who shared it.`
  const confirm = confirmation(`Share in ${sharePlace}?`, consequence, 'Share', 'Cancel')
  return [{ ...share('Share…'), confirm }]
}

/** Removes a shared page; carries who shared it. */
export const shareActions = { remove: action('share.remove', z.strictObject({ by: z.string().min(1) })) }

export interface Sharer {
  readonly id: string
  readonly name: string
}

/** Builds the row below a shared page, for the person who shared it and for administrators. */
export function removeRow(user: string): Block {
  const [title, consequence] = ['Remove from this channel?', 'This removes it for everyone here.']
  const confirm = confirmation(title, consequence, 'Remove', 'Cancel')
  return { type: 'actions', elements: [{ ...shareActions.remove.button('Remove', { by: user }), confirm }] }
}

export interface SharedPage {
  readonly answer: Answer
  /** Describes the page: `15 calls`. */
  readonly what: string
}

/**
 * Shares a page with everyone in a channel.
 * @param page not loaded if the channel accepts none
 */
export async function share(
  { channels, audit }: { readonly channels: Channels; readonly audit: Audit },
  { actor, channel, channelName }: ShareOrigin,
  page: () => Promise<SharedPage>,
): Promise<Answer> {
  const state = await channels.state(actor, channel, channelName)
  // A `response_url` works without an invitation, but the channel must be known not to be shared with another company.
  if (state !== 'ok' && state !== 'not-in') return textAnswer(channelRefusal(state, channel))
  const { answer, what } = await page()
  // Recorded first, so that no share is missing in the log.
  await audit.record(actor, 'share', { channel, detail: what })
  return { ...answer, isPublic: true }
}
