import { setTimeout as sleep } from 'node:timers/promises'
import { Pairs, type Section } from '../figures.ts'
import { mixOf } from '../interactions.ts'
import { saturate } from '../loads.ts'
import type { MeasuredProcess } from '../measured-process.ts'
import { type Bench, inRotation, leadMs } from './bench.ts'

/** What a process holds more once every workspace was used, in MB. */
async function useAll({ environment, workspaces, warmUpMs }: Bench, measured: MeasuredProcess) {
  const useOnce = (n: number) =>
    environment.slack.measure(measured.url, { kind: 'command', team: n % workspaces, page: 1 + (n % 200) })
  await useOnce(0)
  const idle = await measured.usage('collect')
  let n = 0
  const work = async () => {
    for (n += 1; n < workspaces; n += 1) await useOnce(n)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  // What is kept for a second or two, such as a deadline's timer, is not what a workspace costs.
  await sleep(Math.min(2000, warmUpMs))
  const used = await measured.usage('collect')
  return { heapMb: used.heapMb - idle.heapMb, rssMb: used.rssMb }
}

/** What many workspaces hold in memory, and whether so many make an interaction dearer. */
export async function manyWorkspaces(bench: Bench): Promise<readonly Section[]> {
  const { environment, fast, workspaces, rounds, sliceMs } = bench
  const bare = await environment.startBare(fast, { installationStore: true })
  const bareUse = await useAll(bench, bare)
  await bare.stop()
  const app = await environment.startApp(fast)
  const appUse = await useAll(bench, app)
  const heap = new Pairs(`heap for ${workspaces} used workspaces`, 'MB', { is: '<=', ratio: 0.08 })
  const rss = new Pairs(`resident memory after ${workspaces} workspaces`, 'MB')
  heap.add(appUse.heapMb, bareUse.heapMb)
  rss.add(appUse.rssMb, bareUse.rssMb)

  const cpu = new Pairs('CPU, an interaction', 'ms', { is: '<=', ratio: 1.05 })
  const mixes = { all: mixOf({ teams: workspaces, pages: 200 }), one: mixOf({ teams: 1, pages: 200 }) }
  for (let round = 0; round < rounds; round += 1) {
    const found = { all: 0, one: 0 }
    for (const name of inRotation(['all', 'one'] as const, round)) {
      const options = { mix: mixes[name], leadMs: leadMs(sliceMs), ms: sliceMs, underWay: 4 }
      found[name] = (await saturate(environment.slack, app, fast, options)).cpuMs
    }
    cpu.add(found.all, found.one)
  }
  await app.stop()
  return [
    {
      title: 'Memory',
      columns: ['app', 'bare Bolt'],
      lines: [heap, rss].map(({ comparison }) => comparison),
    },
    { title: 'Many workspaces', columns: [String(workspaces), 'one'], lines: [cpu.comparison] },
  ]
}
