import { mixOf } from '../interactions.ts'
import { type Mix, type Slice, saturate } from '../loads.ts'
import type { MeasuredProcess } from '../measured-process.ts'
import { type Bench, everydayTeams, inRotation, leadMs } from './bench.ts'

/** The same 200 pages over and over. */
export const everydayMix = (bench: Bench): Mix => mixOf({ teams: everydayTeams(bench), pages: 200 })

export async function warmUp(bench: Bench, processes: readonly MeasuredProcess[]): Promise<void> {
  const { environment, fast, warmUpMs } = bench
  for (const one of processes)
    await saturate(environment.slack, one, fast, { mix: everydayMix(bench), leadMs: 0, ms: warmUpMs })
}

/**
 * What each process did with each mix, a slice a round.
 * @returns by mix, by round, by process, as they were given
 */
export async function slicesOf(
  { environment, fast, rounds, sliceMs }: Bench,
  processes: readonly MeasuredProcess[],
  mixes: readonly Mix[],
): Promise<readonly (readonly (readonly Slice[])[])[]> {
  const all: Slice[][][] = mixes.map(() => [])
  const options = { leadMs: leadMs(sliceMs), ms: sliceMs }
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, mix] of mixes.entries()) {
      const slices = new Map<MeasuredProcess, Slice>()
      for (const one of inRotation(processes, round))
        slices.set(one, await saturate(environment.slack, one, fast, { mix, ...options }))
      all[index]?.push(processes.flatMap((one) => slices.get(one) ?? []))
    }
  }
  return all
}
