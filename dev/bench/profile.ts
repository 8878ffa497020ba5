import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './harness.ts'
import type { CpuProfile } from './measured-process.ts'
import { kinds, saturate } from './turns.ts'

type Frame = CpuProfile['nodes'][number]['callFrame']

const root = fileURLToPath(new URL('../../', import.meta.url))

/** `src/http/bodies.ts`, `undici`, `node:net`, `(garbage collector)`. */
function placeOf({ functionName, url }: Frame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)'
  const path = url.replace(`file://${root}`, '')
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path
}

/** Microseconds of an interaction, by a name of their nodes, the most first. Idle time is left out. */
export function timesBy(
  { nodes, samples, timeDeltas }: CpuProfile,
  interactions: number,
  nameOf: (frame: Frame) => string,
): readonly (readonly [name: string, us: number])[] {
  // The profiler's own work is none of the app's.
  const isWork = ({ functionName, url }: Frame) =>
    functionName !== '(idle)' && url !== 'node:inspector/promises' && url !== 'node:inspector'
  const work = nodes.filter(({ callFrame }) => isWork(callFrame))
  const names = new Map(work.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [n, id] of samples.entries()) {
    const name = names.get(id)
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + (timeDeltas[n] ?? 0) / interactions)
  }
  return [...times].sort(([, a], [, b]) => b - a)
}

const table = (times: readonly (readonly [string, number])[]) =>
  times.map(([name, us]) => `${us.toFixed(1).padStart(8)}  ${name}`).join('\n')

/** Where the CPU goes at equal work, as text; the profiles themselves go to the folder, for the DevTools of a browser. */
export async function profile(bench: Bench, folder: string): Promise<string> {
  const app = await bench.start({ program: 'app', env: { FETCH_AHEAD: 'off' } }, 'fast')
  await saturate(bench, app, { ms: bench.sizes.warmUpMs })
  const parts: string[] = []
  for (const kind of kinds) {
    const before = bench.slack.answered
    await app.startProfile()
    await saturate(bench, app, { kind, ms: 5 * bench.sizes.sliceMs })
    const found = await app.endProfile()
    const interactions = bench.slack.answered - before
    writeFileSync(join(folder, `${kind}.cpuprofile`), JSON.stringify(found))
    const places = timesBy(found, interactions, placeOf)
    const functions = timesBy(found, interactions, (frame) =>
      `${placeOf(frame)} ${frame.functionName || '(anonymous)'}:${frame.lineNumber + 1}`.trim(),
    )
    const all = places.reduce((sum, [, us]) => sum + us, 0)
    parts.push(
      `A ${kind}: ${all.toFixed(0)} µs of the main thread, by file or package`,
      table(places.slice(0, 30)),
      '',
      `A ${kind}, by function`,
      table(functions.slice(0, 40)),
      '',
    )
  }
  await app.stop()
  return parts.join('\n')
}
