import { z } from 'zod'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { readValue } from '../../slack/blocks/values.ts'
import type { CallStatus, Direction } from '../../telephony/types.ts'
import { parseDay } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'

/** What a `/calls` message shows; it rides whole in each of its buttons, so that paging goes on anywhere, any time. */
export interface ListQuery {
  readonly direction: Direction
  readonly status?: CallStatus | undefined
  readonly from?: LocalDay | undefined
  readonly to?: LocalDay | undefined
  readonly agentId?: string | undefined
  readonly agentName?: string | undefined
  /** Counts from 1. */
  readonly page: number
}

const localDay = z.string().transform((text, context): LocalDay => {
  const day = parseDay(text)
  if (day !== undefined) return day
  context.addIssue({ code: 'custom', message: 'no day' })
  return z.NEVER
})

const schema = z.strictObject({
  direction: z.enum(['incoming', 'outgoing']),
  status: z.enum(['answered', 'missed']).optional(),
  from: localDay.optional(),
  to: localDay.optional(),
  agentId: z.string().min(1).max(40).optional(),
  agentName: z.string().max(75).optional(),
  page: z.int().min(1).max(1_000_000),
})

const ofAgent = z.strictObject({ agentId: z.string().min(1).max(40) })

/** The incoming calls of an agent, from a button that knows the agent alone. @throws {ForgedValueError} */
export const readAgentQuery = (value: string | undefined): ListQuery => ({
  direction: 'incoming',
  page: 1,
  ...readValue(ofAgent, value, 'an agent'),
})

/** JSON for a button's `value`. */
export const writeQuery = (query: ListQuery): string => JSON.stringify(query)

/** @throws {ForgedValueError} for anything that `writeQuery` did not write */
export const readQuery = (value: string | undefined): ListQuery => readValue(schema, value, 'a query')

const menuPrefix = 'calls.more|'

/** An option's value is too short for a query: the menu's block carries it. The ids are fresh on every replacement. */
export function writeMenuBlockId(query: ListQuery, nonce: string): string {
  const whole = `${menuPrefix}${nonce}|${writeQuery(query)}`
  return whole.length <= LIMITS.blockId
    ? whole
    : `${menuPrefix}${nonce}|${writeQuery({ ...query, agentName: undefined })}`
}

/** @throws {ForgedValueError} */
export const readMenuBlockId = (blockId: string): ListQuery =>
  readQuery(/^calls\.more\|[\w-]*\|(.*)$/s.exec(blockId)?.[1])
