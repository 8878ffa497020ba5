import type { SandboxCall } from '../types.ts'

/** Where an account's calls come from. The same arguments always give the same calls. */
export interface CallSource {
  /** The first day that `ofDay` is asked for. */
  readonly firstDay: number
  /** Calls apart from those of the days. */
  readonly others: readonly SandboxCall[]
  /** The calls of one day, in any order. */
  ofDay(day: number): readonly SandboxCall[]
}
