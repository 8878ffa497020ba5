import type { types } from '@slack/bolt'
import { z } from 'zod'
import { section } from '../../slack/blocks/blocks.ts'
import { input, MetadataModal, option } from '../../slack/blocks/inputs.ts'
import type { ClickPlace } from '../../slack/deliver/clicks.ts'
import { clickPlace } from '../../slack/deliver/clicks.ts'
import { readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'

/** Time zones are searched by it. */
export const zoneMenuId = 'setup.zone'

export const connectForm = new MetadataModal(
  'setup.connect',
  // The message whose button opened the modal: none for a command, and on the home tab.
  z.object({ message: clickPlace.optional() }),
)

const textInput = (id: string, label: string, hint: string): types.InputBlock =>
  input(id, label, { type: 'plain_text_input', action_id: id, max_length: 500 }, { hint })

/** Key, secret and default time zone. The secret is never prefilled and never shown again. */
export function connectModal(view: {
  readonly team: Tenant
  readonly channel: string
  /** The workspace's time zone so far, or the administrator's own. */
  readonly zone: string
  readonly isConnected: boolean
  /** Where the button was, if it was one. */
  readonly place?: ClickPlace | undefined
}): types.ModalView {
  const { team, channel, zone, isConnected, place } = view
  const test = 'We test the key and secret, then store them encrypted.'
  const message = place?.responseUrl === undefined ? undefined : place
  return connectForm.view(
    { team, channel },
    { message },
    {
      title: isConnected ? 'Replace key and secret' : 'Connect phone account',
      submit: isConnected ? 'Replace' : 'Connect',
      blocks: [
        section(
          isConnected
            ? `The phone account is connected already. What you enter replaces its key and secret. ${test}`
            : test,
        ),
        textInput('key', 'API key', "You find it in your phone account's API settings."),
        textInput(
          'secret',
          'API secret',
          'Slack shows it while you type, so make sure nobody is watching. We never show it again.',
        ),
        input(
          'zone',
          "The workspace's time zone",
          {
            type: 'external_select',
            action_id: zoneMenuId,
            min_query_length: 0,
            initial_option: option(zone, zone),
          },
          { hint: 'For channels without a time zone of their own.' },
        ),
      ],
    },
  )
}

const form = z.object({
  key: z.string().trim().min(1),
  secret: z.string().trim().min(1),
  zone: z.string(),
})

/** What was entered, and the message whose button opened the modal. @throws {ForgedValueError} */
export const readConnect = (view: ViewPayload) => ({
  ...readForm(view, form),
  click: connectForm.read(view).message,
})
