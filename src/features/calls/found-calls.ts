import { PAGE_SIZE } from '../../telephony/paging.ts'
import type { Call, CallPage } from '../../telephony/types.ts'

/** What a search for a number came to. */
export interface FoundCalls {
  /** Newest first. */
  readonly calls: readonly Call[]
  /** How many calls were looked at, and how many there were to look at; `undefined` where the service's figure is no number. */
  readonly read: number
  readonly total: number | undefined
  /** Whether the time ran out before all of them were looked at. */
  readonly isCut: boolean
}

const timeOf = ({ at }: Call) => (at instanceof Date ? at.getTime() : Number.NEGATIVE_INFINITY)

/** Calls whose time can't be understood come last. */
export const newestFirst = (calls: readonly Call[]): readonly Call[] =>
  calls.toSorted((a, b) => timeOf(b) - timeOf(a) || 0)

/** A page of what was found, as the service would list it. */
export const pageOf = ({ calls }: FoundCalls, page: number): CallPage => ({
  calls: calls.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  page,
  total: calls.length,
})
