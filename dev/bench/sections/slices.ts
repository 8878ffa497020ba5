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

/** A round: what the two processes of each side did, one slice each. */
export interface Round {
  readonly measured: readonly [Slice, Slice]
  readonly against: readonly [Slice, Slice]
}

/**
 * Starts two processes of each side and has them take turns.
 * @returns the rounds of each mix
 */
export async function takeTurns(
  bench: Bench,
  sides: {
    readonly measured: () => Promise<MeasuredProcess>
    readonly against: () => Promise<MeasuredProcess>
  },
  mixes: readonly Mix[],
): Promise<readonly (readonly Round[])[]> {
  const { environment, fast, rounds, sliceMs } = bench
  const measured = [await sides.measured(), await sides.measured()] as const
  const against = [await sides.against(), await sides.against()] as const
  const all = [...measured, ...against]
  await warmUp(bench, all)
  const options = { leadMs: leadMs(sliceMs), ms: sliceMs }
  const turns: Round[][] = mixes.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, mix] of mixes.entries()) {
      const slices = new Map<MeasuredProcess, Slice>()
      for (const one of inRotation(all, round))
        slices.set(one, await saturate(environment.slack, one, fast, { mix, ...options }))
      const sliceOf = (one: MeasuredProcess): Slice => {
        const slice = slices.get(one)
        if (!slice) throw new Error('a process had no turn')
        return slice
      }
      turns[index]?.push({
        measured: [sliceOf(measured[0]), sliceOf(measured[1])],
        against: [sliceOf(against[0]), sliceOf(against[1])],
      })
    }
  }
  for (const one of all) await one.stop()
  return turns
}
