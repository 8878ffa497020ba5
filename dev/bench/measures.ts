import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from './figures.ts'
import type { Measure, Side, Sizes } from './harness.ts'
import {
  equalWork,
  POLL_INTERVAL_S,
  pollAll,
  readRange,
  saturate,
  sendSteadily,
  turnPages,
  useAll,
  warmUp,
} from './turns.ts'

const atMost = (ratio: number) => ({ aim: { is: '<=', ratio } }) as const
const atLeast = (ratio: number) => ({ aim: { is: '>=', ratio } }) as const

const row = (
  what: string,
  unit: string,
  of: string,
  more: Pick<Row, 'aim' | 'against' | 'hasRange'> = {},
): Row => ({ what, unit, of, ...more })

/** Without page cache and prefetch, so that each interaction asks the service once. */
export const equalApp: Side = { program: 'app', env: { FETCH_AHEAD: 'off' } }
const app: Side = { program: 'app' }
const stock: Side = { program: 'bare-app' }
const tuned: Side = { program: 'bare-app', env: { TUNED: 'on' } }

const everyRound = ({ rounds }: Sizes) => rounds
const fewRounds = ({ rounds }: Sizes) => Math.ceil(rounds / 3)
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
    row('CPU, a command', 'ms', 'cpuMs command', atMost(aims.command)),
    row('throughput, a click', '1/s', 'perSecond click'),
    row('CPU, a click', 'ms', 'cpuMs click', atMost(aims.click)),
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
  prepare: warmUp,
  turn: sendSteadily,
  rows: () => [
    row('message p50', 'ms', 'p50'),
    row('message p95', 'ms', 'p95'),
    row('message p99', 'ms', 'p99'),
    row('click acknowledged p99', 'ms', 'click', atMost(0.7)),
    row('command acknowledged p99', 'ms', 'command'),
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

/** Start-up and memory. `npm start` runs the build, so the sources have no aims. */
const startUp = (title: string, side: Side, aims: { startMs?: number; rssMb?: number } = {}): Measure => ({
  name: 'start-up',
  title,
  columns: ['app', 'stock Bolt'],
  service: 'fast',
  app: side,
  against: stock,
  isFresh: true,
  getRounds: everyRound,
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
  equal('stock Bolt', stock, { command: 0.6, click: 0.7, throughput: 1.6 }),
  equal('tuned Bolt', tuned, { command: 1.4, click: 1.2, throughput: 0.75 }),
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
      row('CPU, an interaction', 'ms', 'cpuMs', atMost(1.12)),
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
    prepare: warmUp,
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
  startUp('Start of the build', { program: 'build' }, { startMs: 0.65, rssMb: 0.9 }),
]
