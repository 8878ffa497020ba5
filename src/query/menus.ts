import { z } from 'zod'
import { ButtonAction } from '../slack/blocks/actions.ts'
import { ForgedValueError } from '../slack/blocks/written-values.ts'
import { takeStart } from '../util/text.ts'
import { AGENT_LENGTHS } from './fields.ts'

// Buttons and menus that more than one feature shows.

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
