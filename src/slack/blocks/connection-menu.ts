import type { types } from '@slack/bolt'
import { ACTIONS } from './action-ids.ts'
import { option } from './inputs.ts'

/** What the menu at the connection's side leads to. */
export const CONNECTION_OPTIONS = { replaceKey: 'replace-key', disconnect: 'disconnect' } as const

/** Both options open a modal: a menu could ask first for all of its options alone. */
export const connectionMenu = (): types.Overflow => ({
  type: 'overflow',
  action_id: ACTIONS.connection,
  options: [
    option('Replace key…', CONNECTION_OPTIONS.replaceKey),
    option('Disconnect…', CONNECTION_OPTIONS.disconnect),
  ],
})
