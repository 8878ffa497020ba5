import type { types } from '@slack/bolt'
import { z } from 'zod'
import { section } from '../../slack/blocks/blocks.ts'
import { MetadataModal, option } from '../../slack/blocks/inputs.ts'
import { type ClickPlace, clickPlace } from '../../slack/deliver/clicks.ts'
import { text } from '../../slack/forms/fields.ts'
import { Field, Form } from '../../slack/forms/form.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'

/** Time zones are searched by it. */
export const zoneMenuId = 'setup.zone'

export const connectForm = new MetadataModal(
  'setup.connect',
  // The message whose button opened the modal: none for a command, and on the home tab.
  z.object({ message: clickPlace.optional() }),
)

/** The secret is never prefilled and never shown again. */
const formOf = (zone: string) =>
  new Form({
    key: text('API key', { longest: 500, hint: "You find it in your phone account's API settings." }),
    secret: text('API secret', {
      longest: 500,
      hint: 'Slack shows it while you type, so make sure nobody is watching. We never show it again.',
    }),
    zone: new Field({
      label: "The workspace's time zone",
      hint: 'For channels without a time zone of their own.',
      schema: z.string(),
      element: (): types.ExternalSelect => ({
        type: 'external_select',
        action_id: zoneMenuId,
        min_query_length: 0,
        initial_option: option(zone, zone),
      }),
    }),
  })

/** Key, secret and default time zone. */
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
  const intro = isConnected
    ? `The phone account is connected already. What you enter replaces its key and secret. ${test}`
    : test
  const message = place?.responseUrl === undefined ? undefined : place
  return connectForm.view(
    { team, channel },
    { message },
    {
      title: isConnected ? 'Replace key and secret' : 'Connect phone account',
      submit: isConnected ? 'Replace' : 'Connect',
      blocks: [section(intro), ...formOf(zone).inputs()],
    },
  )
}

/** What was entered, and the message whose button opened the modal. @throws {ForgedValueError} */
export const readConnect = (view: ViewPayload) => ({
  filled: formOf('').read(view),
  click: connectForm.read(view).message,
})
