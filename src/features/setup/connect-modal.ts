import type { types } from '@slack/bolt'
import { z } from 'zod'
import { context, escapeText, LIMITS, plain, section } from '../../slack/blocks/blocks.ts'
import { ForgedValueError } from '../../slack/blocks/errors.ts'
import { writeOrigin } from '../../slack/blocks/view-metadata.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'

export const CONNECT_VIEW = 'setup.connect'

const textInput = (id: string, label: string, hint: string): types.InputBlock => ({
  type: 'input',
  block_id: id,
  label: plain(label, 2000),
  hint: plain(hint, 2000),
  element: { type: 'plain_text_input', action_id: id, max_length: 500 },
})

export interface ConnectModal {
  readonly tenant: Tenant
  readonly channel: string
  /** The workspace's default zone so far, or the admin's own. */
  readonly zone: string
  readonly isConnected: boolean
}

/** Key, secret and default zone. The secret is never prefilled and never shown again. */
export function connectModal({ tenant, channel, zone, isConnected }: ConnectModal): types.ModalView {
  const intro = isConnected
    ? 'This workspace is connected already. A new key and secret replace the ones that are kept.'
    : 'Enter the key and secret of your telephony account. They are tried against the service before they are kept, encrypted.'
  return {
    type: 'modal',
    callback_id: CONNECT_VIEW,
    private_metadata: writeOrigin(tenant, channel, {}),
    title: plain('Connect Callboard', 24),
    submit: plain('Connect', 24),
    close: plain('Cancel', 24),
    blocks: [
      section(escapeText(intro)),
      textInput('key', 'Key', "From your telephony account's API settings."),
      textInput(
        'secret',
        'Secret',
        'Slack shows it while you type: make sure that nobody looks on. It is never shown again.',
      ),
      {
        type: 'input',
        block_id: 'zone',
        label: plain("The workspace's time zone", 2000),
        hint: plain('For channels that have no zone of their own (/calls timezone).', 2000),
        element: {
          type: 'external_select',
          action_id: 'setup.zone',
          min_query_length: 0,
          initial_option: { text: plain(zone, LIMITS.optionText), value: zone },
        },
      },
      context('Only admins and owners of this workspace can connect it.'),
    ],
  }
}

const submitted = z.object({
  key: z.object({ key: z.object({ value: z.string().trim().min(1) }) }),
  secret: z.object({ secret: z.object({ value: z.string().trim().min(1) }) }),
  zone: z.object({ 'setup.zone': z.object({ selected_option: z.object({ value: z.string() }) }) }),
})

/** @throws {ForgedValueError}; its cause holds no value */
export function readConnect(view: ViewPayload): { key: string; secret: string; zone: string } {
  const parsed = submitted.safeParse(view.state?.values)
  if (!parsed.success) throw new ForgedValueError('the values of the connect modal')
  const { key, secret, zone } = parsed.data
  return { key: key.key.value, secret: secret.secret.value, zone: zone['setup.zone'].selected_option.value }
}
