import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../../src/util/units.ts'
import { type Figures, median, quantile } from './figures.ts'
import type { Bench } from './harness.ts'
import type { MeasuredProcess } from './measured-process.ts'
import type { Interaction, Sample } from './slack-stub.ts'

// The work of a process in its turn.

const kinds = ['command', 'click'] as const

const makeInteraction = (n: number, kind: Interaction['kind'], teams: number): Interaction => ({
  kind,
  team: n % teams,
  page: 1 + (n % 200),
})

interface Load {
  /** Alternates by default. */
  readonly kind?: Interaction['kind']
  readonly ms?: Milliseconds
}

/** Keeps a process as busy as it can be. The first moments after a change of sides aren't measured. */
export async function saturate(bench: Bench, measured: MeasuredProcess, load: Load = {}): Promise<Figures> {
  const { slack, services, sizes } = bench
  const { kind, ms = sizes.sliceMs } = load
  const teams = Math.min(50, sizes.workspaces)
  let [sent, done, isOver] = [0, 0, false]
  const work = async () => {
    while (!isOver) {
      sent += 1
      await slack.measure(measured.url, makeInteraction(sent, kind ?? kinds[sent % 2] ?? 'click', teams))
      done += 1
    }
  }
  const read = async () => ({ cpuMs: (await measured.usage()).cpuMs, done, at: performance.now() })
  const earlier = await services.fast.count()
  const workers = Promise.all(Array.from({ length: 24 }, work))
  // Fails as soon as one of the workers fails.
  const wait = (delay: Milliseconds) => Promise.race([sleep(delay), workers])
  let figures: Figures
  try {
    await wait(Math.min(200, ms / 4))
    const before = await read()
    await wait(ms)
    const end = await read()
    const count = end.done - before.done
    figures = { perSecond: (count / (end.at - before.at)) * 1000, cpuMs: (end.cpuMs - before.cpuMs) / count }
  } finally {
    isOver = true
    await workers
  }
  return { ...figures, requests: ((await services.fast.count()).requests - earlier.requests) / done }
}

export const warmUp = (bench: Bench, measured: MeasuredProcess) =>
  saturate(bench, measured, { ms: bench.sizes.warmUpMs })

/** Measures commands, then clicks; figures without a kind are their mean. */
export async function equalWork(bench: Bench, measured: MeasuredProcess): Promise<Figures> {
  const command = await saturate(bench, measured, { kind: 'command' })
  const click = await saturate(bench, measured, { kind: 'click' })
  const figures: Record<string, number> = {}
  for (const [name, value = Number.NaN] of Object.entries(command)) {
    const other = click[name] ?? Number.NaN
    figures[`${name} command`] = value
    figures[`${name} click`] = other
    figures[name] = (value + other) / 2
  }
  return figures
}

/** Sends 100 interactions a second, whether they are answered or not, as people do. */
export async function sendSteadily({ slack, sizes }: Bench, { url }: MeasuredProcess): Promise<Figures> {
  const samples: Promise<Sample>[] = []
  const teams = Math.min(50, sizes.workspaces)
  const start = performance.now()
  // Five times longer than other slices, so that p99 is more than the maximum.
  for (let elapsed = 0; elapsed < 5 * sizes.sliceMs; elapsed = performance.now() - start) {
    for (let n = samples.length; n <= elapsed / 10; n += 1)
      samples.push(slack.measure(url, makeInteraction(n, kinds[n % 2] ?? 'click', teams)))
    await sleep(1)
  }
  const all = await Promise.all(samples)
  const ackTimes = (kind: Sample['kind']) =>
    all.filter((sample) => sample.kind === kind).map(({ ackMs }) => ackMs)
  const messages = all.map(({ messageMs }) => messageMs)
  return {
    p50: quantile(messages, 0.5),
    p95: quantile(messages, 0.95),
    p99: quantile(messages, 0.99),
    click: quantile(ackTimes('click'), 0.99),
    command: quantile(ackTimes('command'), 0.99),
  }
}

/** Turns pages like a person who reads each of them for a moment. */
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

/** Measures the memory that is still used after an interaction in every workspace. */
export async function useAll({ slack, sizes }: Bench, measured: MeasuredProcess): Promise<Figures> {
  const useOnce = (n: number) => slack.measure(measured.url, makeInteraction(n, 'command', sizes.workspaces))
  await useOnce(0)
  const idle = await measured.usage('collect')
  let n = 0
  const work = async () => {
    for (n += 1; n < sizes.workspaces; n += 1) await useOnce(n)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  // Lets short-lived objects such as deadline timers go.
  await sleep(Math.min(2000, sizes.warmUpMs))
  const used = await measured.usage('collect')
  return { heapMb: used.heapMb - idle.heapMb, rssMb: used.rssMb }
}

/** Exports all incoming calls. */
export async function readRange({ slack, services }: Bench, measured: MeasuredProcess): Promise<Figures> {
  await slack.measure(measured.url, { kind: 'command', team: 0, page: 1 })
  const before = { ...(await measured.usage('collect')), ...(await services.slow.count()) }
  const start = performance.now()
  await slack.exportCalls(measured.url, 0)
  const exportMs = performance.now() - start
  const after = { ...(await measured.usage('collect')), ...(await services.slow.count()) }
  return {
    seconds: exportMs / 1000,
    // A workspace has four requests in flight, one of them reserved for people.
    requestsAlone: ((after.requests - before.requests) * 0.05) / 3,
    heapMb: after.heapMb,
    heapBefore: before.heapMb,
  }
}

export const POLL_INTERVAL_S = 30

export async function pollAll({ sizes }: Bench, measured: MeasuredProcess): Promise<Figures> {
  const before = await measured.usage()
  await sleep(POLL_INTERVAL_S * 1000)
  return { cpuMs: ((await measured.usage()).cpuMs - before.cpuMs) / sizes.workspaces }
}
