import { z } from 'zod'
import { readValue } from '../../slack/blocks/values.ts'

export const AGENTS_PER_PAGE = 10

/** The whole query has to fit a block's id, each character escaped at the worst. */
export const LONGEST_NAME = 90

/** What an `/agents` message shows; it rides whole in each of its buttons. */
const agentsQuery = z.strictObject({
  /** A part of the name, or an id; empty for every agent. */
  name: z.string().max(LONGEST_NAME),
  /** Counts from 1. */
  page: z.int().min(1).max(1_000_000),
})
export type AgentsQuery = Readonly<z.infer<typeof agentsQuery>>
const agentId = z.strictObject({ id: z.string().min(1).max(200) })

export const writeAgentsQuery = (query: AgentsQuery): string => JSON.stringify(query)

/** @throws {ForgedValueError} */
export const readAgentsQuery = (value: string | undefined): AgentsQuery =>
  readValue(agentsQuery, value, 'a query')

export const writeAgentId = (id: string): string => JSON.stringify({ id })

/** @throws {ForgedValueError} */
export const readAgentId = (value: string | undefined): string =>
  readValue(agentId, value, "an agent's id").id
