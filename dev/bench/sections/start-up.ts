import { Pairs, type Section } from '../figures.ts'
import { type Bench, inRotation } from './bench.ts'

/** From the start of the process to its first accepted connection, and what it holds then. */
export async function startUp({ environment, fast, rounds }: Bench): Promise<Section> {
  const start = { app: () => environment.startApp(fast), bare: () => environment.startBare(fast) }
  const times = new Pairs('start-up', 'ms', { is: '<=', ratio: 1.2 })
  const memory = new Pairs('resident memory, idle', 'MB', { is: '<=', ratio: 1.1 })
  for (let round = 0; round <= rounds; round += 1) {
    const found = { app: { ms: 0, mb: 0 }, bare: { ms: 0, mb: 0 } }
    for (const side of inRotation(['app', 'bare'] as const, round)) {
      const measured = await start[side]()
      await environment.slack.measure(measured.url, { kind: 'command', team: 0, page: 1 })
      found[side] = { ms: measured.startMs, mb: (await measured.usage('collect')).rssMb }
      await measured.stop()
    }
    // The first round fills the compile cache.
    if (round === 0) continue
    times.add(found.app.ms, found.bare.ms)
    memory.add(found.app.mb, found.bare.mb)
  }
  const lines = [times, memory].map(({ comparison }) => comparison)
  return { title: 'Start', columns: ['app', 'bare Bolt'], lines }
}
