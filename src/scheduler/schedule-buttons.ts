import type { types } from '@slack/bolt'
import { deleteMenu } from '../slack/blocks/action.ts'
import type { Schedule } from '../store/schedules.ts'
import type { KindInfo } from './kinds.ts'

/** What can be done about a schedule, in the list and on the home tab. @param page of the list; 1 where it is in none */
export function scheduleButtons(
  { actions, posts }: KindInfo,
  { id, paused }: Schedule,
  page = 1,
): types.ActionsBlock {
  const value = { id, page }
  const elements = [
    actions.edit.button('Edit', value),
    paused ? actions.resume.button('Resume', value) : actions.pause.button('Pause', value),
    deleteMenu(actions.delete, value, {
      what: 'schedule',
      consequence: `No more ${posts} come from it.`,
    }),
  ]
  return { type: 'actions', elements }
}
