import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../../src/util/units.ts'
import type { Bench } from './bench.ts'
import type { MeasuredProcess } from './process.ts'
import type { Interaction, Sample } from './slack-stub.ts'

/** The n-th interaction, from 0. */
export type Mix = (n: number) => Interaction

export const kinds = ['command', 'click'] as const

/** The same 200 pages over and over. @param kind as many commands as clicks unless it is said @param teams over so many workspaces */
export function mixOf(
  { sizes }: Bench,
  { kind, teams = Math.min(50, sizes.workspaces) }: { kind?: Interaction['kind']; teams?: number } = {},
): Mix {
  return (n) => ({ kind: kind ?? (n % 2 === 0 ? 'command' : 'click'), team: n % teams, page: 1 + (n % 200) })
}

/** What a process did in a slice of time in which it had as much to do as it can. */
export interface Slice {
  readonly perSecond: number
  /** Of CPU, for one interaction. */
  readonly cpuMs: Milliseconds
  /** What it took of a core. */
  readonly core: number
  /** Asked of the service, for one interaction. */
  readonly requests: number
}

/** Keeps a process at work, and measures once `leadMs` have gone by: the moments after a change of sides belong to neither. */
export async function saturate(
  { slack, fast, sizes: { sliceMs } }: Bench,
  measured: MeasuredProcess,
  {
    mix,
    leadMs = Math.min(200, sliceMs / 4),
    ms = sliceMs,
    underWay = 24,
  }: { mix: Mix; leadMs?: Milliseconds; ms?: Milliseconds; underWay?: number },
): Promise<Slice> {
  let sent = 0
  let done = 0
  let isOver = false
  const work = async () => {
    while (!isOver) {
      await slack.measure(measured.url, mix(sent++))
      done += 1
    }
  }
  const read = async () => {
    const [{ cpuMs }, { requests }] = await Promise.all([measured.usage(), fast.count()])
    return { cpuMs, requests, done, at: performance.now() }
  }
  const workers = Promise.all(Array.from({ length: underWay }, work))
  // Whoever fails first ends it.
  const after = (wait: Milliseconds) => Promise.race([sleep(wait), workers])
  try {
    await after(leadMs)
    const before = await read()
    await after(ms)
    const end = await read()
    const count = end.done - before.done
    const seconds = (end.at - before.at) / 1000
    const cpuMs = end.cpuMs - before.cpuMs
    return {
      perSecond: count / seconds,
      cpuMs: cpuMs / count,
      core: cpuMs / seconds / 1000,
      requests: (end.requests - before.requests) / count,
    }
  } finally {
    isOver = true
    await workers
  }
}

export async function warmUp(bench: Bench, processes: readonly MeasuredProcess[]): Promise<void> {
  const load = { mix: mixOf(bench), leadMs: 0, ms: bench.sizes.warmUpMs }
  for (const one of processes) await saturate(bench, one, load)
}

/** So many a second whether they are answered or not, as people do. */
export async function sendSteadily(
  { slack }: Bench,
  { url }: MeasuredProcess,
  { mix, perSecond, ms }: { mix: Mix; perSecond: number; ms: Milliseconds },
): Promise<readonly Sample[]> {
  const samples: Promise<Sample>[] = []
  const start = performance.now()
  while (performance.now() - start < ms) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond)
    while (samples.length <= due) samples.push(slack.measure(url, mix(samples.length)))
    await sleep(1)
  }
  return Promise.all(samples)
}

/** One person who reads each page for a while and turns to the next. */
export async function turnPages(
  { slack }: Bench,
  { url }: MeasuredProcess,
  { pages, readMs, team }: { pages: number; readMs: Milliseconds; team: number },
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  await slack.measure(url, { kind: 'command', team, page: 1 })
  for (let page = 2; page <= pages; page += 1) {
    await sleep(readMs)
    samples.push(await slack.measure(url, { kind: 'click', team, page }))
  }
  return samples
}
