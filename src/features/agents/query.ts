import { z } from 'zod'
import { readValue } from '../../slack/blocks/values.ts'

/** What an `/agents` message shows; it rides whole in each of its buttons. */
export interface AgentsQuery {
  /** A part of the name, or an id; empty for every agent. */
  readonly name: string
  /** Counts from 1. */
  readonly page: number
}

export const AGENTS_PER_PAGE = 10

/** The whole query has to fit a block's id, each character escaped at the worst. */
export const LONGEST_NAME = 90

const query = z.strictObject({ name: z.string().max(LONGEST_NAME), page: z.int().min(1).max(1_000_000) })
const agentId = z.strictObject({ id: z.string().min(1).max(200) })

export const writeAgentsQuery = (given: AgentsQuery): string => JSON.stringify(given)

/** @throws {ForgedValueError} */
export const readAgentsQuery = (value: string | undefined): AgentsQuery => readValue(query, value, 'a query')

export const writeAgentId = (id: string): string => JSON.stringify({ id })

/** @throws {ForgedValueError} */
export const readAgentId = (value: string | undefined): string =>
  readValue(agentId, value, "an agent's id").id
