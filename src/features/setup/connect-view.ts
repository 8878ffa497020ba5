import type { types } from '@slack/bolt'
import { z } from 'zod'
import { action, menuEntry, overflow } from '../../slack/blocks/action.ts'
import { actionRow, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton, showCallsButton } from '../../slack/blocks/command-button.ts'
import { modal, modalWithMetadata, noticeId, option } from '../../slack/blocks/inputs.ts'
import { connectAction, connectButton } from '../../slack/blocks/links.ts'
import type { ViewOrigin } from '../../slack/blocks/values.ts'
import { type ClickPlace, clickPlace } from '../../slack/deliver/clicks.ts'
import { text } from '../../slack/forms/fields.ts'
import { Field, Form } from '../../slack/forms/form.ts'
import { disconnectedText } from './words.ts'

/** Action id of the time zone menu, whose options are loaded while the person types. */
export const zoneMenuId = 'setup.zone'

export const setupActions = {
  connect: connectAction,
  replaceKey: menuEntry('setup.connection', 'replace-key'),
  askDisconnect: menuEntry('setup.connection', 'disconnect'),
  disconnect: action('setup.disconnect'),
}

/** Both options open a modal, because a menu's confirmation would apply to both. */
export const connectionMenu = (): types.Overflow =>
  overflow([setupActions.replaceKey, 'Replace key…'], [setupActions.askDisconnect, 'Disconnect…'])

export const connectForm = 'setup.connect'
/** The message whose button opened the modal; commands and the home tab have none. */
export const connectMetadataSchema = z.object({ message: clickPlace.optional() })

/** Key, secret and default time zone. The secret is never prefilled and never shown again. */
export const connectFields = (zone: string) =>
  new Form({
    key: text('API key', { hint: "Find it in your phone account's API settings.", longest: 500 }),
    secret: text('API secret', {
      hint: 'Slack shows it while you type, so make sure no one can see your screen. Callboard never shows it again.',
      longest: 500,
    }),
    zone: new Field({
      label: 'Time zone',
      hint: 'Used for your whole workspace. A channel can have its own: `/calls timezone`.',
      schema: z.string(),
      element: (): types.ExternalSelect => ({
        type: 'external_select',
        action_id: zoneMenuId,
        min_query_length: 0,
        initial_option: option(zone, zone),
      }),
    }),
  })

/** @param view.zone initial value: the workspace's, or the administrator's own @param view.place of the clicked button */
export function connectModal(
  origin: ViewOrigin,
  view: { readonly zone: string; readonly isConnected: boolean; readonly place?: ClickPlace | undefined },
): types.ModalView {
  const { zone, isConnected, place } = view
  const test = 'Callboard tests the key and secret, then stores them encrypted.'
  const message = place?.responseUrl === undefined ? undefined : place
  const intro = isConnected
    ? `The phone account is connected. What you enter replaces its key and secret. ${test}`
    : test
  return modalWithMetadata(connectMetadataSchema, {
    id: connectForm,
    origin,
    metadata: { message },
    title: isConnected ? 'Replace key and secret' : 'Connect phone account',
    submit: isConnected ? 'Replace' : 'Connect',
    blocks: [section(intro), ...connectFields(zone).inputs()],
  })
}

const nextSteps = [
  commandButton('new-alert', 'Alert a channel…', '/calls alert'),
  commandButton('lines', 'Name your lines…', '/calls lines'),
  showCallsButton,
]

/** Replaces the message whose button opened the modal. */
export const connectedMessage: Message = {
  text: 'Connected.',
  blocks: [section('Connected.'), ...actionRow(nextSteps)],
}

const disconnectQuestion =
  '*Disconnect the phone account?*\nNobody can look up calls, and scheduled posts and missed-call alerts stop, until an administrator reconnects.'

/** Asks once; its button disconnects. */
export const disconnectModal = (origin: ViewOrigin): types.ModalView =>
  modal({
    id: noticeId,
    origin,
    title: 'Disconnect',
    close: 'Cancel',
    blocks: [
      section(disconnectQuestion),
      ...actionRow([setupActions.disconnect.button('Disconnect', undefined, 'danger')]),
    ],
  })

export const disconnectedMessage: Message = {
  text: disconnectedText,
  blocks: [section(disconnectedText), ...actionRow([connectButton('Connect…')])],
}
