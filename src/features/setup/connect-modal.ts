import type { types } from '@slack/bolt'
import { z } from 'zod'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, escapeText, section } from '../../slack/blocks/blocks.ts'
import { input, modal, option } from '../../slack/blocks/inputs.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'

const textInput = (id: string, label: string, hint: string): types.InputBlock =>
  input(id, label, { type: 'plain_text_input', action_id: id, max_length: 500 }, { hint })

/** Key, secret and default zone. The secret is never prefilled and never shown again. */
export function connectModal(view: {
  readonly team: Tenant
  readonly channel: string
  /** The workspace's default zone so far, or the admin's own. */
  readonly zone: string
  readonly isConnected: boolean
}): types.ModalView {
  const intro = view.isConnected
    ? 'This workspace is connected already. A new key and secret replace the ones that are kept.'
    : 'Enter the key and secret of your telephony account. They are tried against the service before they are kept, encrypted.'
  return modal({
    id: VIEWS.connect,
    metadata: writeOrigin(view.team, view.channel),
    title: 'Connect Callboard',
    submit: 'Connect',
    blocks: [
      section(escapeText(intro)),
      textInput('key', 'Key', "From your telephony account's API settings."),
      textInput(
        'secret',
        'Secret',
        'Slack shows it while you type: make sure that nobody looks on. It is never shown again.',
      ),
      input(
        'zone',
        "The workspace's time zone",
        {
          type: 'external_select',
          action_id: ACTIONS.zone,
          min_query_length: 0,
          initial_option: option(view.zone, view.zone),
        },
        { hint: 'For channels that have no zone of their own (/calls timezone).' },
      ),
      context('Only those who manage Callboard in this workspace can connect it.'),
    ],
  })
}

const form = z.object({
  key: z.string().trim().min(1),
  secret: z.string().trim().min(1),
  zone: z.string(),
})

/** @throws {ForgedValueError} */
export const readConnect = (view: ViewPayload) => readForm(view, form)
