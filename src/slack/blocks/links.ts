import type { types } from '@slack/bolt'
import { z } from 'zod'
import { AGENT_LENGTHS, agent, localDaySchema } from '../../grammar/filters.ts'
import { action, MenuAction, menuEntry, overflow } from './action.ts'

// Actions whose buttons one feature shows, and another one handles.

/** Range of the missed calls in an alert's message. */
const missedCallsSchema = z.strictObject({
  from: localDaySchema,
  to: localDaySchema,
  number: z
    .string()
    .regex(/^\d{4,}$/)
    .optional(),
  ...agent.fields,
})

const agentMenu = new MenuAction('agents.row', z.string().min(1).max(AGENT_LENGTHS.id))

export const callLinks = {
  find: action('calls.find'),
  missed: action('alert.show', missedCallsSchema),
  ofAgent: agentMenu.entry('calls'),
}

export const agentLinks = { details: agentMenu.entry('details') }

/** Returns the part of an agent's id that fits into the menu's `block_id`. */
export const menuAgentId = ({ id }: { readonly id: string }): string => id.slice(0, AGENT_LENGTHS.id)

export const withAgentMenu = (
  agent: { readonly id: string },
  nonce: string,
): { readonly block_id: string; readonly accessory: types.Overflow } => ({
  block_id: agentMenu.blockId(menuAgentId(agent), nonce),
  accessory: overflow([callLinks.ofAgent, 'Calls'], [agentLinks.details, 'Details']),
})

export const settingsAction = action('billing.settings')

export const setupLinks = {
  /** `replace`: whether the workspace is connected or not. */
  connect: action('setup.connect', z.enum(['connect', 'replace'])),
  replaceKey: menuEntry('setup.connection', 'replace-key'),
  askDisconnect: menuEntry('setup.connection', 'disconnect'),
  disconnect: action('setup.disconnect'),
}

/** Opens the modal that asks for key and secret, unless the workspace was connected in the meantime. */
export const connectButton = (text: string, style?: 'primary'): types.Button =>
  setupLinks.connect.button(text, 'connect', style)

export const replaceKeyButton = (style?: 'primary'): types.Button =>
  setupLinks.connect.button('Replace key…', 'replace', style)

/** Both options open a modal, because a menu's confirmation would apply to both. */
export const connectionMenu = (): types.Overflow =>
  overflow([setupLinks.replaceKey, 'Replace key…'], [setupLinks.askDisconnect, 'Disconnect…'])

export const disconnectQuestion = {
  title: 'Disconnect the phone account?',
  text: 'Nobody can look up calls, and scheduled posts and missed-call alerts stop, until an administrator reconnects.',
}
