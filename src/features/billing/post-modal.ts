import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { ClickPlace } from '../../slack/answers/clicks.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { section } from '../../slack/blocks/blocks.ts'
import { input, modal } from '../../slack/blocks/inputs.ts'
import { readMetadata, writeOrigin } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'

/** The message that the modal was opened from: the preview comes below it. */
const metadata = z.object({ responseUrl: z.string().optional(), message: z.string(), actionTs: z.string() })

/** Asks for the channel of a post. Pure. @param channel chosen to begin with; empty: none is */
export const postModal = (
  team: Tenant,
  channel: string,
  { responseUrl, message, actionTs }: ClickPlace,
): types.ModalView =>
  modal({
    id: VIEWS.billingPost,
    metadata: writeOrigin(team, channel, { responseUrl, message, actionTs }),
    title: 'Post billing',
    submit: 'Preview',
    blocks: [
      section('You see a preview first. Nothing is posted until you confirm it.'),
      input(
        'channel',
        'Channel',
        {
          type: 'conversations_select',
          action_id: 'channel',
          filter: { include: ['public', 'private'], exclude_external_shared_channels: true },
          ...(channel === '' ? {} : { initial_conversation: channel }),
        },
        { hint: 'Callboard has to be in it. To add it there: /invite @Callboard' },
      ),
    ],
  })

/** Slack would show the preview no longer. */
export const outdatedModalText =
  'This form was opened about half an hour ago, so Slack no longer shows what comes of it. Close it and open it again.'

/** @throws {ForgedValueError} */
export const readPost = (view: ViewPayload): { place: ClickPlace; channel: string } => ({
  place: readMetadata(view, metadata),
  ...readForm(view, z.object({ channel: z.string().regex(/^[A-Z0-9]{2,40}$/) })),
})
