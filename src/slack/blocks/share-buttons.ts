import type { types } from '@slack/bolt'
import { z } from 'zod'
import { numberText } from '../../util/text.ts'
import { ACTIONS } from './action-ids.ts'
import { type Block, button, confirmation } from './blocks.ts'
import { readValue } from './values.ts'

/** A page that may be shared, and where. */
export interface SharePage {
  readonly noun: 'call' | 'agent'
  readonly count: number
  /** As Slack's payload names the channel; `undefined` where it doesn't. */
  readonly channelName: string | undefined
}

/** `15 calls` */
export const countText = ({ noun, count }: Pick<SharePage, 'noun' | 'count'>): string =>
  count === 1 ? `1 ${noun}` : `${numberText(count)} ${noun}s`

/** A payload names private channels by what they are. */
const channelText = (name = 'unknown') =>
  /^(privategroup|unknown)$/.test(name) ? 'this channel' : `#${name}`

const consequence = (what: string) =>
  `Everyone here, guests included, will see ${what}. Your share is recorded.`

/** Direct messages: nothing is shared there. */
const isDirect = (name = '') => /^(directmessage|mpdm-.*)$/.test(name)

/** Shows the page to everyone in the channel, and asks first; none where there is no channel. @param value the page */
export function shareButtons(actionId: string, value: string, page: SharePage): types.Button[] {
  if (isDirect(page.channelName)) return []
  const what = page.count === 1 ? `this ${page.noun}` : `these ${countText(page)}`
  const title = `Share in ${channelText(page.channelName)}?`
  const confirm = confirmation(title, consequence(what), 'Share', 'Cancel')
  return [{ ...button(actionId, 'Share…', value), confirm }]
}

const shared = z.strictObject({ by: z.string().min(1) })

/** Who shares something: known by id, and named to the channel. */
export interface Sharer {
  readonly id: string
  readonly name: string
}

/** Below what a person shared: for them, and for administrators. */
export const removeRow = (user: string): Block => ({
  type: 'actions',
  elements: [
    {
      ...button(ACTIONS.shareRemove, 'Remove', JSON.stringify({ by: user })),
      confirm: confirmation(
        'Remove from this channel?',
        'Nobody here will see it any more.',
        'Remove',
        'Cancel',
      ),
    },
  ],
})

/** Who shared it. @throws {ForgedValueError} */
export const readShared = (value: string | undefined): string =>
  readValue(shared, value, 'what was shared').by
