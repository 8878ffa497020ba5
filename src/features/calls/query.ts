import { z } from 'zod'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { writeMenuBlockId } from '../../slack/blocks/list-buttons.ts'
import { readValue } from '../../slack/blocks/values.ts'
import type { CallQuery } from '../../telephony/types.ts'
import { parseDay } from '../../time/days.ts'
import { rangeOffset } from '../../time/ranges.ts'
import type { LocalDay, Zone } from '../../time/types.ts'

const localDay = z.string().transform((text, context): LocalDay => {
  const day = parseDay(text)
  if (day !== undefined) return day
  context.addIssue({ code: 'custom', message: 'no day' })
  return z.NEVER
})

/** What a `/calls` message shows; it rides whole in each of its buttons, so that paging goes on anywhere, any time. */
const listQuery = z.strictObject({
  direction: z.enum(['incoming', 'outgoing']),
  status: z.enum(['answered', 'missed']).optional(),
  from: localDay.optional(),
  to: localDay.optional(),
  agentId: z.string().min(1).max(LIMITS.agentId).optional(),
  agentName: z.string().max(LIMITS.optionText).optional(),
  /** What the list was opened from, where it leads back. */
  openedFrom: z.literal('agents').optional(),
  /** Counts from 1. */
  page: z.int().min(1).max(1_000_000),
})
export type ListQuery = Readonly<z.infer<typeof listQuery>>

const agentButton = listQuery.pick({ agentId: true }).required()

/** The incoming calls of an agent, from a list of agents, whose menu knows the agent alone. @throws {ForgedValueError} */
export const readAgentQuery = (value: string | undefined): ListQuery => ({
  direction: 'incoming',
  openedFrom: 'agents',
  page: 1,
  ...readValue(agentButton, value, 'an agent'),
})

/** JSON for a button's `value`. */
export const writeQuery = (query: ListQuery): string => JSON.stringify(query)

/** @throws {ForgedValueError} for anything that `writeQuery` did not write */
export const readQuery = (value: string | undefined): ListQuery => readValue(listQuery, value, 'a query')

/** For the id of the menu's block. Without the agent's name, which can be looked up, where it would be too long. */
export function writeMenuQuery(query: ListQuery, nonce: string): string {
  const whole = writeMenuBlockId(ACTIONS.callsMore, nonce, writeQuery(query))
  if (whole.length <= LIMITS.blockId) return whole
  return writeMenuBlockId(ACTIONS.callsMore, nonce, writeQuery({ ...query, agentName: undefined }))
}

/** What the service is asked for it; days are those of the zone. */
export function toCallQuery(query: ListQuery, zone: Zone, now: Date): CallQuery {
  const { direction, from, to, status, agentId, page } = query
  return { direction, offset: rangeOffset(zone, query, now), from, to, status, agentId, page }
}
