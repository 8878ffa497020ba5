import type { types } from '@slack/bolt'
import { confirmation } from './blocks.ts'
import { option } from './inputs.ts'

/**
 * Deletes what it stands beside. Asks first: what an overflow menu asks holds for each of its options, so that this one has
 * no other.
 * @param menu.what in the middle of a sentence: `alert` @param menu.consequence what no longer happens then, a sentence
 */
export const deleteMenu = (menu: {
  readonly action: string
  readonly value: string
  readonly what: string
  readonly consequence: string
}): types.Overflow => ({
  type: 'overflow',
  action_id: menu.action,
  options: [option(`Delete ${menu.what}…`, menu.value)],
  confirm: {
    ...confirmation(
      `Delete this ${menu.what}?`,
      `${menu.consequence} This can't be undone.`,
      `Delete ${menu.what}`,
      'Cancel',
    ),
    style: 'danger',
  },
})
