import type { types } from '@slack/bolt'
import type { LocalDay } from '../../time/types.ts'
import { cut, LIMITS, plain } from './blocks.ts'
import { input, option } from './inputs.ts'

// What the Filter… forms of calls and of reports ask for alike.

/** @param day that it shows at first */
export const dayInput = (
  id: string,
  label: string,
  day: LocalDay | undefined,
  { isOptional = false } = {},
): types.InputBlock =>
  input(
    id,
    label,
    { type: 'datepicker', action_id: id, ...(day === undefined ? {} : { initial_date: day }) },
    { isOptional },
  )

/** Agents are searched by it. */
export const agentMenuId = 'calls.agent'

/** A menu of agents, which the app is asked for as somebody types; none: all of them. */
export function agentInput({
  agentId,
  agentName,
}: {
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
}): types.InputBlock {
  const initial =
    agentId === undefined ? undefined : option(agentName || agentId, cut(agentId, LIMITS.optionValue))
  const element: types.ExternalSelect = {
    type: 'external_select',
    action_id: agentMenuId,
    min_query_length: 0,
    placeholder: plain('All agents', LIMITS.placeholder),
    ...(initial ? { initial_option: initial } : {}),
  }
  return input('agent', 'Agent', element, { isOptional: true })
}
