import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../../src/util/units.ts'
import { type Figures, median, quantile } from './figures.ts'
import type { Bench } from './harness.ts'
import type { MeasuredProcess } from './measured-process.ts'
import type { Interaction, Sample } from './slack-stub.ts'

// What a process does in its turn, and what is found then.

export const kinds = ['command', 'click'] as const

/** The same 200 pages over and over. */
const interaction = (n: number, kind: Interaction['kind'], teams: number): Interaction => ({
  kind,
  team: n % teams,
  page: 1 + (n % 200),
})

interface Load {
  /** As many commands as clicks unless it is said. */
  readonly kind?: Interaction['kind']
  readonly teams?: number
  readonly ms?: Milliseconds
}

/** Keeps a process as busy as it can be. The moments after a change of sides belong to neither. */
export async function saturate(bench: Bench, measured: MeasuredProcess, load: Load = {}): Promise<Figures> {
  const { slack, services, sizes } = bench
  const { kind, teams = Math.min(50, sizes.workspaces), ms = sizes.sliceMs } = load
  let [sent, done, isOver] = [0, 0, false]
  const work = async () => {
    while (!isOver) {
      sent += 1
      await slack.measure(measured.url, interaction(sent, kind ?? kinds[sent % 2] ?? 'click', teams))
      done += 1
    }
  }
  const read = async () => ({ cpuMs: (await measured.usage()).cpuMs, done, at: performance.now() })
  const earlier = await services.fast.count()
  const workers = Promise.all(Array.from({ length: 24 }, work))
  // Whoever fails first ends it.
  const after = (wait: Milliseconds) => Promise.race([sleep(wait), workers])
  const found: Record<string, number> = {}
  try {
    await after(Math.min(200, ms / 4))
    const before = await read()
    await after(ms)
    const end = await read()
    const count = end.done - before.done
    found['perSecond'] = (count / (end.at - before.at)) * 1000
    found['cpuMs'] = (end.cpuMs - before.cpuMs) / count
  } finally {
    isOver = true
    await workers
  }
  // Of all of them, with those that were begun before the slice or ended after it.
  found['requests'] = ((await services.fast.count()).requests - earlier.requests) / done
  return found
}

export const warmUp = (bench: Bench, measured: MeasuredProcess) =>
  saturate(bench, measured, { ms: bench.sizes.warmUpMs })

export async function equalWork(bench: Bench, measured: MeasuredProcess): Promise<Figures> {
  const command = await saturate(bench, measured, { kind: 'command' })
  const click = await saturate(bench, measured, { kind: 'click' })
  const figures: Record<string, number> = {}
  for (const [kind, found] of Object.entries({ command, click }))
    for (const [name, value] of Object.entries(found)) figures[`${name} ${kind}`] = value
  for (const name of ['perSecond', 'cpuMs'])
    figures[name] = ((command[name] ?? Number.NaN) + (click[name] ?? Number.NaN)) / 2
  return figures
}

/** 100 interactions a second whether they are answered or not, as people do. */
export async function sendSteadily({ slack, sizes }: Bench, { url }: MeasuredProcess): Promise<Figures> {
  const samples: Promise<Sample>[] = []
  const start = performance.now()
  // Long slices: one in a hundred of too few is nothing but the greatest.
  for (let elapsed = 0; elapsed < 5 * sizes.sliceMs; elapsed = performance.now() - start) {
    for (let n = samples.length; n <= elapsed / 10; n += 1)
      samples.push(
        slack.measure(url, interaction(n, kinds[n % 2] ?? 'click', Math.min(50, sizes.workspaces))),
      )
    await sleep(1)
  }
  const all = await Promise.all(samples)
  const acknowledged = (kind: Sample['kind']) =>
    quantile(
      all.filter((sample) => sample.kind === kind).map(({ ackMs }) => ackMs),
      0.99,
    )
  const messages = all.map(({ messageMs }) => messageMs)
  return {
    p50: quantile(messages, 0.5),
    p95: quantile(messages, 0.95),
    p99: quantile(messages, 0.99),
    click: acknowledged('click'),
    command: acknowledged('command'),
  }
}

/** One person who reads each page for a while and turns to the next. */
export async function turnPages(
  { slack, sizes }: Bench,
  { url }: MeasuredProcess,
  round: number,
): Promise<Figures> {
  const team = round % sizes.workspaces
  const times: number[] = []
  await slack.measure(url, { kind: 'command', team, page: 1 })
  for (let page = 2; page <= (sizes.sliceMs < 500 ? 3 : 12); page += 1) {
    await sleep(150)
    times.push((await slack.measure(url, { kind: 'click', team, page })).messageMs)
  }
  return { turnMs: median(times), serviceMs: 50 }
}

/** What a process holds more once every workspace was used. */
export async function useAll({ slack, sizes }: Bench, measured: MeasuredProcess): Promise<Figures> {
  const useOnce = (n: number) => slack.measure(measured.url, interaction(n, 'command', sizes.workspaces))
  await useOnce(0)
  const idle = await measured.usage('collect')
  let n = 0
  const work = async () => {
    for (n += 1; n < sizes.workspaces; n += 1) await useOnce(n)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  // What is kept for a second or two, such as a deadline's timer, is not what a workspace costs.
  await sleep(Math.min(2000, sizes.warmUpMs))
  const used = await measured.usage('collect')
  return { heapMb: used.heapMb - idle.heapMb, rssMb: used.rssMb }
}

export async function manyAndOne(bench: Bench, measured: MeasuredProcess, round: number): Promise<Figures> {
  const figures: Record<string, number> = {}
  const loads = [
    { name: 'many', teams: bench.sizes.workspaces },
    { name: 'one', teams: 1 },
  ]
  // By turns: whichever comes second finds warmer caches.
  for (const { name, teams } of round % 2 === 0 ? loads : loads.toReversed())
    figures[name] = (await saturate(bench, measured, { teams }))['cpuMs'] ?? Number.NaN
  return figures
}

/** An export of all incoming calls, while two people of the same workspace turn pages; then these alone. */
export async function readRange(
  { slack, services, sizes }: Bench,
  measured: MeasuredProcess,
): Promise<Figures> {
  let page = 0
  const turnUntil = async (isOver: () => boolean): Promise<number[]> => {
    const times: number[] = []
    const read = async () => {
      while (!isOver()) {
        page = 1 + (page % Math.floor(sizes.records / 25))
        times.push((await slack.measure(measured.url, { kind: 'click', team: 0, page })).messageMs)
        await sleep(150)
      }
    }
    await Promise.all([read(), read()])
    return times
  }
  const until = performance.now() + sizes.warmUpMs
  await turnUntil(() => performance.now() > until)
  const before = { ...(await measured.usage('collect')), ...(await services.slow.count()) }
  const start = performance.now()
  let exportMs: Milliseconds | undefined
  const exported = slack.exportCalls(measured.url, 0).then(() => {
    exportMs = performance.now() - start
  })
  const meanwhile = await turnUntil(() => exportMs !== undefined)
  await exported
  const after = { ...(await measured.usage('collect')), ...(await services.slow.count()) }
  const alone = performance.now() + Math.min(exportMs ?? 0, 10_000)
  const otherwise = await turnUntil(() => performance.now() > alone)
  // Of the four requests that a workspace may have in flight, one is left for people.
  const requests = after.requests - before.requests - meanwhile.length
  return {
    seconds: (exportMs ?? Number.NaN) / 1000,
    requestsAlone: (requests * 0.05) / 3,
    heapMb: after.heapMb,
    heapBefore: before.heapMb,
    gainedMb: after.rssMb - before.rssMb,
    allowedMb: 20,
    meanwhile: quantile(meanwhile, 0.95),
    otherwise: quantile(otherwise, 0.95),
  }
}

export const POLL_EVERY_S = 30

export async function pollAll({ sizes }: Bench, measured: MeasuredProcess): Promise<Figures> {
  const before = await measured.usage()
  await sleep(POLL_EVERY_S * 1000)
  return { cpuMs: ((await measured.usage()).cpuMs - before.cpuMs) / sizes.workspaces }
}
