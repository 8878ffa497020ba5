import { setTimeout as sleep } from 'node:timers/promises'
import { mapConcurrent } from '../../src/util/promises.ts'
import { type Figures, median, quantile, type Row } from './figures.ts'
import type { Bench, Measure, Side, Sizes } from './harness.ts'
import type { MeasuredProcess } from './measured-process.ts'
import type { Interaction, Sample } from './slack-stub.ts'

// The work of a process in its turn.

const kinds = ['command', 'click'] as const

const makeInteraction = (n: number, kind: Interaction['kind'], teams: number): Interaction => ({
  kind,
  team: n % teams,
  page: 1 + (n % 200),
})

const IN_FLIGHT = 24
/** After a change of sides, the first interactions find cold caches and connections. */
const UNMEASURED = 100

/** Keeps a process as busy as it can be. @param kind alternates by default */
async function sendAll(
  { slack, sizes }: Bench,
  { url }: MeasuredProcess,
  count: number,
  kind?: Interaction['kind'],
): Promise<void> {
  const teams = Math.min(50, sizes.workspaces)
  await mapConcurrent([...Array(count).keys()], IN_FLIGHT, (n) =>
    slack.measure(url, makeInteraction(n, kind ?? kinds[n % 2] ?? 'click', teams)),
  )
}

async function saturate(
  bench: Bench,
  measured: MeasuredProcess,
  kind?: Interaction['kind'],
): Promise<Figures> {
  const { services, sizes } = bench
  const count = sizes.interactions
  await sendAll(bench, measured, UNMEASURED, kind)
  const earlier = await services.fast.count()
  const before = await measured.usage()
  const start = performance.now()
  await sendAll(bench, measured, count, kind)
  const ms = performance.now() - start
  const after = await measured.usage()
  const now = await services.fast.count()
  return {
    perSecond: (count / ms) * 1000,
    cpuMs: (after.cpuMs - before.cpuMs) / count,
    requests: (now.requests - earlier.requests) / count,
  }
}

/** Lets V8 compile: a command takes 0.81 ms after 1,000 interactions, and 0.55 ms after 20,000; 199 functions are optimized only after that. */
export const warmUp = (bench: Bench, measured: MeasuredProcess) =>
  sendAll(bench, measured, bench.sizes.warmUp)

/** Latencies consist of waiting, rather than of work. */
const warmUpBriefly = (bench: Bench, measured: MeasuredProcess) =>
  sendAll(bench, measured, Math.ceil(bench.sizes.warmUp / 4))

/** Measures commands, then clicks; figures without a kind are their mean. */
export async function equalWork(bench: Bench, measured: MeasuredProcess): Promise<Figures> {
  const command = await saturate(bench, measured, 'command')
  const click = await saturate(bench, measured, 'click')
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
async function sendSteadily({ slack, sizes }: Bench, { url }: MeasuredProcess): Promise<Figures> {
  const samples: Promise<Sample>[] = []
  const teams = Math.min(50, sizes.workspaces)
  const count = sizes.interactions
  const start = performance.now()
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, start + 10 * n - performance.now()))
    samples.push(slack.measure(url, makeInteraction(n, kinds[n % 2] ?? 'click', teams)))
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
async function turnPages({ slack, sizes }: Bench, { url }: MeasuredProcess, round: number): Promise<Figures> {
  const team = round % sizes.workspaces
  const times: number[] = []
  await slack.measure(url, { kind: 'command', team, page: 1 })
  for (let page = 2; page <= 12; page += 1) {
    await sleep(150)
    times.push((await slack.measure(url, { kind: 'click', team, page })).messageMs)
  }
  return { turnMs: median(times), serviceMs: 50 }
}

/** Measures the memory that is still used after an interaction in every workspace. */
async function useAll({ slack, sizes }: Bench, measured: MeasuredProcess): Promise<Figures> {
  const useOnce = (n: number) => slack.measure(measured.url, makeInteraction(n, 'command', sizes.workspaces))
  await useOnce(0)
  const idle = await measured.usage('collect')
  let n = 0
  const work = async () => {
    for (n += 1; n < sizes.workspaces; n += 1) await useOnce(n)
  }
  await Promise.all(Array.from({ length: 16 }, work))
  // Lets short-lived objects such as deadline timers go.
  await sleep(2000)
  const used = await measured.usage('collect')
  return { heapMb: used.heapMb - idle.heapMb, rssMb: used.rssMb }
}

/** Exports all incoming calls. */
async function readRange({ slack, services }: Bench, measured: MeasuredProcess): Promise<Figures> {
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

const POLL_INTERVAL_S = 30

async function pollAll({ sizes }: Bench, measured: MeasuredProcess): Promise<Figures> {
  const before = await measured.usage()
  await sleep(POLL_INTERVAL_S * 1000)
  return { cpuMs: ((await measured.usage()).cpuMs - before.cpuMs) / sizes.workspaces }
}

const atMost = (ratio: number) => ({ aim: { is: '<=', ratio } }) as const
const atLeast = (ratio: number) => ({ aim: { is: '>=', ratio } }) as const

const row = (
  what: string,
  unit: string,
  of: string,
  more: Pick<Row, 'aim' | 'against' | 'isDifference' | 'hasRange'> = {},
): Row => ({ what, unit, of, ...more })

/** Without page cache and prefetch, so that each interaction asks the service once. */
export const equalApp: Side = { program: 'app', env: { FETCH_AHEAD: 'off' } }
const app: Side = { program: 'app' }
const stock: Side = { program: 'bare-app' }
const tuned: Side = { program: 'bare-app', env: { TUNED: 'on' } }

/** A shared host changes its speed within seconds, so CPU is measured in many short turns. */
const everyRound = ({ rounds }: Sizes) => rounds
const fewRounds = ({ rounds }: Sizes) => Math.ceil(rounds / 4)
const once = () => 1

const equal = (
  name: 'stock Bolt' | 'tuned Bolt',
  against: Side,
  aims: { command: number; click: number; throughput: number },
): Measure => ({
  name: 'equal-work',
  title: `Equal work, ${name}`,
  columns: ['app', name],
  service: 'fast',
  app: equalApp,
  against,
  getRounds: everyRound,
  prepare: warmUp,
  turn: equalWork,
  rows: () => [
    row('throughput', '1/s', 'perSecond'),
    row('CPU, an interaction', 'ms', 'cpuMs'),
    row('throughput, a command', '1/s', 'perSecond command', atLeast(aims.throughput)),
    row('CPU, a command', 'ms', 'cpuMs command', { ...atMost(aims.command), hasRange: true }),
    row('throughput, a click', '1/s', 'perSecond click'),
    row('CPU, a click', 'ms', 'cpuMs click', { ...atMost(aims.click), hasRange: true }),
    row('requests to the service, a command', '', 'requests command'),
    row('requests to the service, a click', '', 'requests click'),
  ],
})

const latency = (service: 'fast' | 'slow', serviceMs: number): Measure => ({
  name: 'latency',
  title: `Latency at 100 a second, service at ${serviceMs} ms`,
  columns: ['app', 'stock Bolt'],
  service,
  app,
  against: stock,
  getRounds: fewRounds,
  prepare: warmUpBriefly,
  turn: async (bench, measured) => ({ ...(await sendSteadily(bench, measured)), serviceMs }),
  rows: () => [
    row('message p50', 'ms', 'p50'),
    row('message p95', 'ms', 'p95'),
    row('message p99', 'ms', 'p99'),
    row('click acknowledged p99', 'ms', 'click', atMost(0.7)),
    row('command acknowledged p99 beyond the service', 'ms', 'command', {
      against: 'serviceMs',
      isDifference: true,
      ...atMost(20),
    }),
  ],
})

const poll = (store: 'sqlite' | 'postgres', title: string, max: number): Measure => ({
  name: 'poll',
  title,
  columns: ['polls', 'requests'],
  service: 'polled',
  app: { program: 'app', store, env: { ALERT_EVERY_SECONDS: String(POLL_INTERVAL_S) } },
  against: { program: 'bare-poller', env: { EVERY_SECONDS: String(POLL_INTERVAL_S) } },
  isTogether: true,
  getRounds: once,
  // The first poll of each account isn't measured.
  prepare: () => sleep((POLL_INTERVAL_S + 10) * 1000),
  turn: pollAll,
  rows: () => [row('CPU, an idle poll', 'ms', 'cpuMs', atMost(max))],
})

/** Commands until V8 has compiled the code of an interaction. */
const COMMANDS_BEFORE_MEMORY = 20

/** Few, because a start reads each encrypted record, so its time depends on their number. */
const WORKSPACES_AT_START = 100

/** Start-up and memory. `npm start` runs the build, so the sources have no aims. */
const startUp = (title: string, side: Side, aims: { startMs?: number; rssMb?: number } = {}): Measure => ({
  name: 'start-up',
  title,
  columns: ['app', 'stock Bolt'],
  service: 'fast',
  app: { ...side, workspaces: WORKSPACES_AT_START },
  against: stock,
  isFresh: true,
  getRounds: fewRounds,
  turn: async ({ slack }, measured) => {
    for (let n = 0; n < COMMANDS_BEFORE_MEMORY; n += 1)
      await slack.measure(measured.url, { kind: 'command', team: 0, page: 1 })
    await sleep(3000)
    return { startMs: measured.startMs, rssMb: (await measured.usage()).rssMb }
  },
  rows: () => [
    row('start-up', 'ms', 'startMs', { ...(aims.startMs && atMost(aims.startMs)), hasRange: true }),
    row('resident memory after 20 commands and 3 s', 'MB', 'rssMb', {
      ...(aims.rssMb && atMost(aims.rssMb)),
      hasRange: true,
    }),
  ],
})

/** Compares this checkout with another one. @param checkout its folder */
export const againstCheckout = (measure: Measure, checkout: string): Measure => ({
  ...measure,
  columns: ['this', 'other'],
  against: { ...measure.app, checkout },
  rows: (sizes) => measure.rows(sizes).map(({ what, unit, of }) => ({ what, unit, of })),
})

/** All measures, in the order in which they run. */
export const measures: readonly Measure[] = [
  equal('stock Bolt', stock, { command: 0.9, click: 0.9, throughput: 1.1 }),
  equal('tuned Bolt', tuned, { command: 1.9, click: 1.7, throughput: 0.55 }),
  {
    name: 'postgres',
    title: 'Over PostgreSQL on loopback',
    columns: ['PostgreSQL', 'SQLite'],
    service: 'fast',
    app: { ...equalApp, store: 'postgres' },
    against: equalApp,
    getRounds: everyRound,
    prepare: warmUp,
    turn: (bench, measured) => saturate(bench, measured),
    rows: () => [
      row('throughput', '1/s', 'perSecond'),
      row('CPU that PostgreSQL adds to an interaction', 'ms', 'cpuMs', {
        ...atMost(0.12),
        isDifference: true,
      }),
    ],
  },
  latency('fast', 0),
  latency('slow', 50),
  {
    name: 'latency',
    title: 'Page turns, service at 50 ms',
    columns: ['app', 'stock Bolt'],
    service: 'slow',
    app,
    against: stock,
    getRounds: fewRounds,
    prepare: warmUpBriefly,
    turn: turnPages,
    rows: () => [
      row('page turn', 'ms', 'turnMs'),
      row('page turn / the 50 ms of the service', 'ms', 'turnMs', { against: 'serviceMs', ...atMost(0.1) }),
    ],
  },
  {
    name: 'workspaces',
    title: 'Memory',
    columns: ['app', 'stock Bolt'],
    service: 'fast',
    app: equalApp,
    against: { ...stock, env: { INSTALLATION_STORE: 'on' } },
    getRounds: once,
    turn: useAll,
    rows: ({ workspaces }) => [
      row(`heap for ${workspaces} used workspaces`, 'MB', 'heapMb', atMost(0.08)),
      row(`resident memory after ${workspaces} workspaces`, 'MB', 'rssMb'),
    ],
  },
  {
    name: 'range',
    title: 'Reading a whole range',
    columns: ['measured', 'against'],
    service: 'slow',
    app: equalApp,
    getRounds: once,
    turn: readRange,
    rows: ({ records }) => [
      row(`${records} records, service at 50 ms / the requests alone`, 's', 'seconds', {
        against: 'requestsAlone',
        ...atMost(1.1),
      }),
      row('heap, end / start', 'MB', 'heapMb', { against: 'heapBefore' }),
    ],
  },
  poll('sqlite', 'Polling, over SQLite', 1.4),
  poll('postgres', 'Polling, over PostgreSQL', 1.6),
  startUp('Start, from the sources', { program: 'app' }),
  startUp('Start of the build', { program: 'build' }, { startMs: 0.65, rssMb: 0.92 }),
]
