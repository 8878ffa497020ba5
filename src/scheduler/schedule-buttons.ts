import type { types } from '@slack/bolt'
import { button } from '../slack/blocks/blocks.ts'
import { deleteMenu } from '../slack/blocks/delete-menu.ts'
import type { Schedule } from '../store/schedules.ts'
import type { KindInfo } from './kinds.ts'

/** What a button carries of the schedule that it is for. @param page of the list; 1 where it is in none */
export const scheduleValue = ({ id }: Pick<Schedule, 'id'>, page = 1): string => JSON.stringify({ id, page })

/** What can be done about a schedule, in the list and on the home tab. @param page of the list; 1 where it is in none */
export function scheduleButtons(info: KindInfo, schedule: Schedule, page = 1): types.ActionsBlock {
  const { actions } = info
  const value = scheduleValue(schedule, page)
  const elements = [
    button(actions.edit, 'Edit', value),
    schedule.paused ? button(actions.resume, 'Resume', value) : button(actions.pause, 'Pause', value),
    deleteMenu({
      action: actions.delete,
      value,
      what: 'schedule',
      consequence: `No more ${info.posts} come from it.`,
    }),
  ]
  return { type: 'actions', elements }
}
