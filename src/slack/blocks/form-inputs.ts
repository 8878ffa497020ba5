import type { types } from '@slack/bolt'
import { weekdayNames } from '../../time/days.ts'
import { option } from './inputs.ts'

// What several forms ask for alike.

/** Channels of the workspace's own, which a post may go to. @param initial empty where none is chosen */
export const channelSelect = (actionId: string, initial: string): types.ConversationsSelect => ({
  type: 'conversations_select',
  action_id: actionId,
  filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
  ...(initial === '' ? {} : { initial_conversation: initial }),
})

export const inviteHint = 'Callboard has to be in it. To add it, type /invite @Callboard there.'

/** @param chosen from 1 for Monday, as their values are */
export function weekdayCheckboxes(chosen: readonly number[]): types.Checkboxes {
  const options = weekdayNames.map((name, index) => option(name, String(index + 1)))
  return {
    type: 'checkboxes',
    action_id: 'weekdays',
    options,
    initial_options: options.filter(({ value }) => chosen.includes(Number(value))),
  }
}
