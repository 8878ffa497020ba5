import type { types } from '@slack/bolt'
import { z } from 'zod'
import { ACTIONS } from './action-ids.ts'
import { type Block, button, confirmation, type Message, section } from './blocks.ts'
import { readValue } from './values.ts'

const title = 'Share in this channel?'
const text = 'Everyone here sees this page then, with your name. You can remove it again.'

/** Shows the page to everyone in the channel, and asks first. @param value the page */
export const shareButton = (actionId: string, value: string): types.Button => ({
  ...button(actionId, 'Share…', value),
  confirm: confirmation(title, text, 'Share', 'Cancel'),
})

const questionId = 'share.question'

/** What the menu's entry asks, which can ask nothing by itself: lists of older versions have it. */
export const shareQuestion = (actionId: string, value: string): Message => ({
  text: `${title} ${text}`,
  blocks: [
    section(`*${title}*\n${text}`),
    {
      type: 'actions',
      block_id: questionId,
      elements: [
        button(actionId, 'Share', value, 'primary'),
        button(ACTIONS.shareCancel, 'Cancel', 'cancel'),
      ],
    },
  ],
})

/** Whether a click is on the question's buttons: it is done with once it is answered. */
export const isShareQuestion = (blockId: string): boolean => blockId === questionId

const shared = z.strictObject({ by: z.string().min(1) })

/** Who shares something: known by id, and named to the channel. */
export interface Sharer {
  readonly id: string
  readonly name: string
}

/** Below what a person shared: for them, and for admins. */
export const removeRow = (user: string): Block => ({
  type: 'actions',
  elements: [
    {
      ...button(ACTIONS.shareRemove, 'Remove', JSON.stringify({ by: user })),
      confirm: confirmation('Remove this?', 'Nobody in this channel sees it any more.', 'Remove', 'Keep'),
    },
  ],
})

/** Who shared it. @throws {ForgedValueError} */
export const readShared = (value: string | undefined): string =>
  readValue(shared, value, 'what was shared').by
