import type { types } from '@slack/bolt'
import { z } from 'zod'
import { MenuAction, overflow } from '../slack/blocks/actions.ts'
import { takeStart } from '../util/text.ts'
import { AGENT_LENGTHS } from './fields.ts'
import { type ListQuery, listQuerySchema } from './query.ts'

// Menus whose entries more than one feature handles.

/** Drops the agent's name, then the way back to the agents, if the block id is too short for them. */
export const callsMenu = new MenuAction<ListQuery>('calls.more', listQuerySchema, (query) => [
  { ...query, agentName: undefined },
  { ...query, agentName: undefined, openedFrom: undefined },
])

const agentMenu = new MenuAction('agents.row', z.string().min(1).max(AGENT_LENGTHS.id))

/** Returns the part of an agent's id that fits a button or a menu's `block_id`. */
export const menuAgentId = ({ id }: { id: string }): string => takeStart(id, AGENT_LENGTHS.id)

export const agentEntries = { calls: agentMenu.entry('calls'), details: agentMenu.entry('details') }

export const withAgentMenu = (
  agent: { id: string },
  nonce: string,
): Pick<types.SectionBlock, 'block_id' | 'accessory'> => ({
  block_id: agentMenu.blockId(menuAgentId(agent), nonce),
  accessory: overflow([agentEntries.calls, 'Calls'], [agentEntries.details, 'Details']),
})
