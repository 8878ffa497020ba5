import { z } from 'zod'
import { ForgedValueError } from '../slack/errors.ts'

/** What an `/agents` message shows; it rides whole in each of its buttons. */
export interface AgentsQuery {
  /** A part of the name, or an id; empty for every agent. */
  readonly name: string
  /** Counts from 1. */
  readonly page: number
}

export const AGENTS_PER_PAGE = 10

const query = z.strictObject({ name: z.string().max(200), page: z.int().min(1).max(1_000_000) })
const agentId = z.strictObject({ id: z.string().min(1).max(200) })

function read<T>(schema: z.ZodType<T>, value: string | undefined, what: string): T {
  try {
    return schema.parse(JSON.parse(value ?? ''))
  } catch (cause) {
    throw new ForgedValueError(what, { cause })
  }
}

export const writeAgentsQuery = (given: AgentsQuery): string => JSON.stringify(given)

/** @throws {ForgedValueError} */
export const readAgentsQuery = (value: string | undefined): AgentsQuery => read(query, value, 'a query')

export const writeAgentId = (id: string): string => JSON.stringify({ id })

/** @throws {ForgedValueError} */
export const readAgentId = (value: string | undefined): string => read(agentId, value, "an agent's id").id
