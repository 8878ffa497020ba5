import type { types } from '@slack/bolt'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { actionRow, button, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { disconnectQuestion } from '../../slack/blocks/shared-blocks.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import type { Tenant } from '../../store/tenant.ts'

/** Asks before the account is disconnected, where a menu can't. Pure. */
export const disconnectModal = (team: Tenant, channel: string): types.ModalView =>
  modal({
    id: VIEWS.notice,
    metadata: writeOrigin(team, channel),
    title: 'Disconnect',
    close: 'Cancel',
    blocks: [
      section(`*${disconnectQuestion.title}*\n${disconnectQuestion.text}`),
      ...actionRow([button(ACTIONS.disconnect, 'Disconnect', 'disconnect', 'danger')]),
    ],
  })
