import type { types } from '@slack/bolt'
import { z } from 'zod'
import { numberText } from '../../util/text.ts'
import { action } from './action.ts'
import { type Block, confirmation } from './blocks.ts'

export interface SharePage {
  readonly noun: 'call' | 'agent'
  readonly count: number
  /** As Slack's payload names the channel; `undefined` where it doesn't. */
  readonly channelName: string | undefined
}

export const countText = ({ noun, count }: Pick<SharePage, 'noun' | 'count'>): string =>
  count === 1 ? `1 ${noun}` : `${numberText(count)} ${noun}s`

/** A payload names private channels by what they are. */
const channelText = (name = 'unknown') =>
  /^(privategroup|unknown)$/.test(name) ? 'this channel' : `#${name}`

const consequence = (what: string) =>
  `Everyone here, guests included, will see ${what}. Your share is recorded.`

const isDirect = (name = '') => /^(directmessage|mpdm-.*)$/.test(name)

/** Shows the page to everyone in the channel, and asks first; none where there is no channel. @param share the page's button */
export function shareButtons(share: (text: string) => types.Button, page: SharePage): types.Button[] {
  if (isDirect(page.channelName)) return []
  const what = page.count === 1 ? `this ${page.noun}` : `these ${countText(page)}`
  const title = `Share in ${channelText(page.channelName)}?`
  const confirm = confirmation(title, consequence(what), 'Share', 'Cancel')
  return [{ ...share('Share…'), confirm }]
}

/** The way back from what was shared: who shared it rides in it. */
export const shareActions = { remove: action('share.remove', z.strictObject({ by: z.string().min(1) })) }

export interface Sharer {
  readonly id: string
  readonly name: string
}

/** Below what a person shared: for them, and for administrators. */
export const removeRow = (user: string): Block => ({
  type: 'actions',
  elements: [
    {
      ...shareActions.remove.button('Remove', { by: user }),
      confirm: confirmation(
        'Remove from this channel?',
        'Nobody here will see it any more.',
        'Remove',
        'Cancel',
      ),
    },
  ],
})
