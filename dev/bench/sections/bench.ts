import type { Environment } from '../environment.ts'
import type { MeasuredProcess } from '../measured-process.ts'

/** What every section of the bench measures with. */
export interface Bench {
  readonly environment: Environment
  /** The service that answers at once, and the one that takes its 50 ms. */
  readonly fast: MeasuredProcess
  readonly slow: MeasuredProcess
  readonly rounds: number
  /** Of a slice, without the moments before it. */
  readonly sliceMs: number
  readonly warmUpMs: number
  readonly workspaces: number
  /** That a scan reads. */
  readonly records: number
}

/** How long a process is at work before a slice counts. */
export const leadMs = (sliceMs: number): number => Math.min(200, sliceMs / 4)

/** The workspaces among which the everyday work is. */
export const everydayTeams = ({ workspaces }: Bench): number => Math.min(50, workspaces)

/** The processes in the order of a round: each comes first, and follows each of the others, as often as any. */
export function inRotation<T>(all: readonly T[], round: number): readonly T[] {
  const start = round % all.length
  return [...all.slice(start), ...all.slice(0, start)]
}
