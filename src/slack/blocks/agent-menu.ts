import type { types } from '@slack/bolt'
import { ACTIONS } from './action-ids.ts'
import { LIMITS, plain } from './blocks.ts'
import { readMenuBlockId, writeMenuBlockId } from './list-buttons.ts'
import { ForgedValueError } from './values.ts'

/** What the menu at an agent's side leads to: features of their own. */
export const AGENT_OPTIONS = { calls: 'calls', details: 'details' } as const

/** As much of an agent's id as the menu's block holds. */
export const menuAgentId = ({ id }: { readonly id: string }): string => id.slice(0, LIMITS.agentId)

/** A section's block id, which says whose the menu at its side is, and that menu. @param nonce of its row */
export const agentMenu = (
  agent: { readonly id: string },
  nonce: string,
): { readonly block_id: string; readonly accessory: types.Overflow } => ({
  block_id: writeMenuBlockId(ACTIONS.agentsRow, nonce, menuAgentId(agent)),
  accessory: {
    type: 'overflow',
    action_id: ACTIONS.agentsRow,
    options: [
      { text: plain('Calls', LIMITS.optionText), value: AGENT_OPTIONS.calls },
      { text: plain('Details', LIMITS.optionText), value: AGENT_OPTIONS.details },
    ],
  },
})

/** @throws {ForgedValueError} */
export function readAgentMenu(blockId: string): string {
  const id = readMenuBlockId(ACTIONS.agentsRow, blockId)
  if (!id) throw new ForgedValueError("an agent's menu")
  return id
}
