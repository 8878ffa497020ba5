import { fileURLToPath } from 'node:url'
import { Pairs, type Section } from '../figures.ts'
import { type MeasuredProcess, startProcess } from '../measured-process.ts'
import { type Bench, inRotation } from './bench.ts'

/** Fifty a shard: what a shard costs is shared by its accounts. */
const WATCHED = 3200

/** Of CPU, in ms. */
async function cpuOf(one: MeasuredProcess, what: 'look' | 'ask', ms: number): Promise<number> {
  const before = await one.usage()
  const { looks } = await one.look(what, ms)
  const after = await one.usage()
  return (after.cpuMs - before.cpuMs) / looks
}

/** A watcher's look at an account of which nothing is new, against its one request by bare undici. */
export async function look(bench: Bench): Promise<Section> {
  const { environment, rounds, sliceMs, warmUpMs } = bench
  const teams = Math.min(WATCHED, bench.workspaces)
  const program = fileURLToPath(new URL('../load/watch/service.ts', import.meta.url))
  const lines: Pairs[] = []
  for (const missed of [0, 20]) {
    const service = await startProcess(program, { ANSWER_MS: '0' })
    const ids = Array.from({ length: missed }, (_, n) => `missed-${n}`)
    service.send(JSON.stringify({ key: environment.serviceKey, ids }))
    const sides = {
      sqlite: await environment.startLookingApp(service, { teams, store: 'sqlite' }),
      postgres: await environment.startLookingApp(service, { teams, store: 'postgres' }),
      bare: await environment.startLookingApp(service, { teams, store: 'sqlite' }),
    }
    const aim = { is: '<=', ratio: 1.5 } as const
    const pairs = {
      sqlite: new Pairs(`CPU, an idle look with ${missed} missed today, SQLite`, 'ms', aim),
      postgres: new Pairs(`CPU, an idle look with ${missed} missed today, PostgreSQL`, 'ms', aim),
    }
    const names = ['sqlite', 'postgres', 'bare'] as const
    const askedBy = (name: (typeof names)[number]) => (name === 'bare' ? 'ask' : 'look')
    for (const name of names) await sides[name].look(askedBy(name), warmUpMs)
    for (let round = 0; round < rounds; round += 1) {
      const cpu = { sqlite: 0, postgres: 0, bare: 0 }
      for (const name of inRotation(names, round))
        cpu[name] = await cpuOf(sides[name], askedBy(name), sliceMs)
      pairs.sqlite.add(cpu.sqlite, cpu.bare)
      pairs.postgres.add(cpu.postgres, cpu.bare)
    }
    lines.push(pairs.sqlite, pairs.postgres)
    for (const name of names) await sides[name].stop()
    await service.stop()
  }
  const comparisons = lines.map(({ comparison }) => comparison)
  return { title: 'Watching', columns: ['look', 'its request'], lines: comparisons }
}
