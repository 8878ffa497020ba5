import type { types } from '@slack/bolt'
import { actionRow, section } from '../../slack/blocks/blocks.ts'
import { modal, noticeId } from '../../slack/blocks/inputs.ts'
import { disconnectQuestion, setupLinks } from '../../slack/blocks/links.ts'
import type { Tenant } from '../../store/tenant.ts'

/** Asks before the account is disconnected, where a menu can't. Pure. */
export const disconnectModal = (team: Tenant, channel: string): types.ModalView =>
  modal({
    id: noticeId,
    origin: { team, channel },
    title: 'Disconnect',
    close: 'Cancel',
    blocks: [
      section(`*${disconnectQuestion.title}*\n${disconnectQuestion.text}`),
      ...actionRow([setupLinks.disconnect.button('Disconnect', 'danger')]),
    ],
  })
