import { z } from 'zod'
import { ButtonAction, MenuAction } from '../slack/blocks/actions.ts'
import { ForgedValueError } from '../slack/blocks/written-values.ts'
import { takeStart } from '../util/text.ts'
import { AGENT_LENGTHS } from './fields.ts'
import { type ListQuery, listQuerySchema } from './query.ts'

// Menus whose entries more than one feature handles.

/** Menu of a report. Drops the agent's name if the block id is too short for it. */
export const callsMenu = new MenuAction<ListQuery>('calls.more', listQuerySchema, (query) => [
  { ...query, agentName: undefined },
])

const agentIdSchema = z.string().min(1).max(AGENT_LENGTHS.id)

const agentAction = (id: string) =>
  new ButtonAction(id, ({ value, selected_option: option }) => {
    const { data } = agentIdSchema.safeParse(value ?? option?.value)
    if (data === undefined) throw new ForgedValueError(id)
    return data
  })

export const agentActions = { calls: agentAction('agents.calls'), details: agentAction('agents.details') }

/** Returns the part of an agent's id that fits a button or an option. */
export const menuAgentId = ({ id }: { id: string }): string => takeStart(id, AGENT_LENGTHS.id)
