import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from './figures.ts'
import type { Measure, Side, Sizes } from './harness.ts'
import {
  equalWork,
  manyAndOne,
  POLL_EVERY_S,
  pollAll,
  readRange,
  saturate,
  sendSteadily,
  turnPages,
  useAll,
  warmUp,
} from './turns.ts'

const atMost = (ratio: number) => ({ is: '<=', ratio }) as const
const atLeast = (ratio: number) => ({ is: '>=', ratio }) as const

type Aimed = Pick<Row, 'aim' | 'against' | 'hasRange'>
const row = (what: string, unit: string, of: string, more: Aimed = {}): Row => ({ what, unit, of, ...more })

/** No page is kept and none fetched ahead: each interaction asks the service once. */
const app: Side = { program: 'app', env: { FETCH_AHEAD: 'off' } }
const bare: Side = { program: 'bare-app' }
const tuned: Side = { program: 'bare-app', env: { TUNED: 'on' } }
const everyRound = ({ rounds }: Sizes) => rounds
/** Of what is measured besides, and of what takes long. */
const fewRounds = ({ rounds }: Sizes) => Math.ceil(rounds / 3)
const once = () => 1

const ofInteractions = (aims: { perSecond?: Aimed; cpuMs?: Aimed } = {}): readonly Row[] => [
  row('throughput', '1/s', 'perSecond', aims.perSecond),
  row('CPU, an interaction', 'ms', 'cpuMs', aims.cpuMs),
]

const latency = (service: 'fast' | 'slow', serviceMs: number): Measure => ({
  name: 'latency',
  title: `Latency at 100 a second, service at ${serviceMs} ms`,
  columns: ['app', 'stock Bolt'],
  service,
  // As the app is configured unless an operator says otherwise.
  app: { program: 'app' },
  against: bare,
  roundsOf: fewRounds,
  prepare: warmUp,
  turn: sendSteadily,
  rows: () => [
    row('message p50', 'ms', 'p50'),
    row('message p95', 'ms', 'p95'),
    row('message p99', 'ms', 'p99'),
    row('click acknowledged p99', 'ms', 'click', { aim: atMost(0.7) }),
    row('command acknowledged p99', 'ms', 'command'),
  ],
})

const poll = (store: 'sqlite' | 'postgres', title: string, most: number): Measure => ({
  name: 'poll',
  title,
  columns: ['polls', 'requests'],
  service: 'polled',
  app: { program: 'app', store, env: { ALERT_EVERY_SECONDS: String(POLL_EVERY_S) } },
  against: { program: 'bare-poller', env: { EVERY_SECONDS: String(POLL_EVERY_S) } },
  isTogether: true,
  roundsOf: once,
  // Until each account was polled for the first time.
  prepare: () => sleep((POLL_EVERY_S + 10) * 1000),
  turn: pollAll,
  rows: () => [row('CPU, an idle poll', 'ms', 'cpuMs', { aim: atMost(most) })],
})

/** @param aims none for the sources: `npm start` runs the build */
const startUp = (title: string, side: Side, aims: { startMs?: Aimed; rssMb?: Aimed } = {}): Measure => ({
  name: 'start-up',
  title,
  columns: ['app', 'stock Bolt'],
  service: 'fast',
  app: side,
  against: bare,
  isFresh: true,
  roundsOf: everyRound,
  turn: async ({ slack }, measured) => {
    for (let n = 0; n < COMMANDS_BEFORE_MEMORY; n += 1)
      await slack.measure(measured.url, { kind: 'command', team: 0, page: 1 })
    await sleep(3000)
    return { startMs: measured.startMs, rssMb: (await measured.usage()).rssMb }
  },
  rows: () => [
    row('start-up', 'ms', 'startMs', { ...aims.startMs, hasRange: true }),
    row('resident memory after 20 commands and 3 s', 'MB', 'rssMb', { ...aims.rssMb, hasRange: true }),
  ],
})

/** V8 has compiled by then what every interaction needs. */
const COMMANDS_BEFORE_MEMORY = 20

const equal = (
  other: 'stock Bolt' | 'tuned Bolt',
  against: Side,
  aims: { command: number; click: number; throughput: number },
): Measure => ({
  name: 'equal-work',
  title: `Equal work, ${other}`,
  columns: ['app', other],
  service: 'fast',
  app,
  against,
  roundsOf: everyRound,
  prepare: warmUp,
  turn: equalWork,
  rows: () => [
    ...ofInteractions(),
    row('throughput, a command', '1/s', 'perSecond command', { aim: atLeast(aims.throughput) }),
    row('CPU, a command', 'ms', 'cpuMs command', { aim: atMost(aims.command) }),
    row('throughput, a click', '1/s', 'perSecond click'),
    row('CPU, a click', 'ms', 'cpuMs click', { aim: atMost(aims.click) }),
    row('requests to the service, a command', '', 'requests command'),
    row('requests to the service, a click', '', 'requests click'),
  ],
})

/** The same of this checkout beside another one. @param checkout its folder */
export const againstCheckout = (measure: Measure, checkout: string): Measure => ({
  ...measure,
  columns: ['this', 'other'],
  against: { ...measure.app, checkout },
  rows: (sizes) => measure.rows(sizes).map(({ what, unit, of }) => ({ what, unit, of })),
})

/** All that is measured, in this order. */
export const measures: readonly Measure[] = [
  equal('stock Bolt', bare, { command: 0.6, click: 0.7, throughput: 1.6 }),
  equal('tuned Bolt', tuned, { command: 1.4, click: 1.2, throughput: 0.75 }),
  {
    name: 'kept-pages',
    title: 'Pages kept for a minute, and fetched ahead',
    columns: ['kept', 'not'],
    service: 'fast',
    app: { program: 'app' },
    against: app,
    roundsOf: fewRounds,
    prepare: warmUp,
    turn: (bench, measured) => saturate(bench, measured),
    rows: () => ofInteractions(),
  },
  {
    name: 'postgres',
    title: 'Over PostgreSQL on loopback',
    columns: ['PostgreSQL', 'SQLite'],
    service: 'fast',
    app: { ...app, store: 'postgres' },
    against: app,
    roundsOf: everyRound,
    prepare: warmUp,
    turn: (bench, measured) => saturate(bench, measured),
    rows: () => ofInteractions({ cpuMs: { aim: atMost(1.12) } }),
  },
  latency('fast', 0),
  latency('slow', 50),
  {
    name: 'latency',
    title: 'Page turns, service at 50 ms',
    columns: ['app', 'stock Bolt'],
    service: 'slow',
    app: { program: 'app' },
    against: bare,
    roundsOf: fewRounds,
    prepare: warmUp,
    turn: turnPages,
    rows: () => [
      row('page turn', 'ms', 'turnMs'),
      row('page turn / the 50 ms of the service', 'ms', 'turnMs', { against: 'serviceMs', aim: atMost(0.1) }),
    ],
  },
  {
    name: 'workspaces',
    title: 'Memory',
    columns: ['app', 'stock Bolt'],
    service: 'fast',
    app,
    // It looks up the token of each workspace.
    against: { ...bare, env: { INSTALLATION_STORE: 'on' } },
    roundsOf: once,
    turn: useAll,
    rows: ({ workspaces }) => [
      row(`heap for ${workspaces} used workspaces`, 'MB', 'heapMb', { aim: atMost(0.08) }),
      row(`resident memory after ${workspaces} workspaces`, 'MB', 'rssMb'),
    ],
  },
  {
    name: 'workspaces',
    title: 'Many workspaces',
    columns: ['all', 'one'],
    service: 'fast',
    app,
    roundsOf: fewRounds,
    prepare: useAll,
    turn: manyAndOne,
    rows: ({ workspaces }) => [
      row(`CPU, an interaction of ${workspaces} / of one`, 'ms', 'many', {
        against: 'one',
        aim: atMost(1.05),
      }),
    ],
  },
  {
    name: 'scan',
    title: 'Reading a whole range',
    columns: ['measured', 'against'],
    service: 'slow',
    app,
    roundsOf: once,
    turn: readRange,
    rows: ({ records }) => [
      row(`${records} records, service at 50 ms / the requests alone`, 's', 'seconds', {
        against: 'requestsAlone',
        aim: atMost(1.1),
      }),
      { what: 'heap, end / start', unit: 'MB', of: 'heapMb', against: 'heapBefore' },
      row('resident memory gained / 20 MB', 'MB', 'gainedMb', { against: 'allowedMb', aim: atMost(1) }),
      row('page turn p95 meanwhile / otherwise', 'ms', 'meanwhile', {
        against: 'otherwise',
        aim: atMost(1.5),
      }),
    ],
  },
  poll('sqlite', 'Polling, over SQLite', 1.4),
  poll('postgres', 'Polling, over PostgreSQL', 1.6),
  startUp('Start, from the sources', { program: 'app' }),
  startUp(
    'Start, as it is built',
    { program: 'build' },
    { startMs: { aim: atMost(0.65) }, rssMb: { aim: atMost(0.9) } },
  ),
]
