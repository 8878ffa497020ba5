import type { types } from '@slack/bolt'
import { button, confirmation } from '../slack/blocks/blocks.ts'
import { option } from '../slack/blocks/inputs.ts'
import type { Schedule } from '../store/schedules.ts'
import type { KindInfo } from './kinds.ts'

/** What a button carries of the schedule that it is for. @param page of the list; 1 where it is in none */
export const scheduleValue = ({ id }: Pick<Schedule, 'id'>, page = 1): string => JSON.stringify({ id, page })

/** Asks first: what an overflow menu asks holds for each of its options, so that this one has no other. */
const deleteMenu = ({ actions, posts }: KindInfo, value: string): types.Overflow => ({
  type: 'overflow',
  action_id: actions.delete,
  options: [option('Delete schedule…', value)],
  confirm: {
    ...confirmation(
      'Delete this schedule?',
      `No more ${posts} come from it. This can't be undone.`,
      'Delete schedule',
      'Cancel',
    ),
    style: 'danger',
  },
})

/** What can be done about a schedule, in the list and on the home tab. @param page of the list; 1 where it is in none */
export function scheduleButtons(info: KindInfo, schedule: Schedule, page = 1): types.ActionsBlock {
  const { actions } = info
  const value = scheduleValue(schedule, page)
  const elements = [
    button(actions.edit, 'Edit', value),
    schedule.paused ? button(actions.resume, 'Resume', value) : button(actions.pause, 'Pause', value),
    deleteMenu(info, value),
  ]
  return { type: 'actions', elements }
}
