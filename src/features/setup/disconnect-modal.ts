import type { types } from '@slack/bolt'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { actionRow, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { disconnectQuestion, setupLinks } from '../../slack/blocks/links.ts'
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
      ...actionRow([setupLinks.disconnect.button('Disconnect', 'danger')]),
    ],
  })
