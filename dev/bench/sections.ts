import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Bench, inTurns, startAccountService, startService, workingApp } from './bench.ts'
import {
  type Aim,
  compare,
  compareFigures,
  type Measure,
  median,
  type Pair,
  quantile,
  type Section,
} from './figures.ts'
import { kinds, type Mix, mixOf, type Slice, saturate, sendSteadily, turnPages, warmUp } from './loads.ts'
import type { MeasuredProcess } from './process.ts'
import type { Sample } from './slack-stub.ts'

const atMost = (ratio: number): Aim => ({ is: '<=', ratio })

type Start = () => Promise<MeasuredProcess>

/** What two of the turns found, side by side. */
function sideBySide<Found>(
  rounds: readonly (readonly Found[])[],
  measured: number,
  against: number,
): readonly Pair<Found>[] {
  return rounds.map((found) => {
    const [one, other] = [found[measured], found[against]]
    if (one === undefined || other === undefined) throw new Error('a process had no turn')
    return [one, other]
  })
}

const ofSlices = (of: string, aims: { cpu?: Aim; throughput?: Aim } = {}): readonly Measure<Slice>[] => [
  { what: `throughput, ${of}`, unit: '1/s', aim: aims.throughput, of: ({ perSecond }) => perSecond },
  { what: `CPU, ${of}`, unit: 'ms', aim: aims.cpu, of: ({ cpuMs }) => cpuMs },
  { what: `share of a core, ${of}`, unit: '', of: ({ core }) => core },
  { what: `requests to the service, ${of}`, unit: '', of: ({ requests }) => requests },
]

/** Two processes of each side take turns at the same work, as much as they can do. */
async function atWork(
  bench: Bench,
  { mixes, measured, against }: { mixes: readonly Mix[]; measured: Start; against: Start },
) {
  const processes = [await measured(), await measured(), await against(), await against()]
  await warmUp(bench, processes)
  const found = []
  for (const mix of mixes) {
    const turns = processes.map((one) => () => saturate(bench, one, { mix }))
    const rounds = await inTurns(bench.sizes.rounds, turns)
    const pairs = [...sideBySide(rounds, 0, 2), ...sideBySide(rounds, 1, 3)]
    found.push({ pairs, noise: sideBySide(rounds, 0, 1) })
  }
  for (const one of processes) await one.stop()
  return found
}

/** At commands, at clicks, and the noise of such a comparison. */
async function byKind(
  bench: Bench,
  about: Pick<Section, 'title' | 'columns'>,
  sides: { measured: Start; against: Start },
  aims?: { cpu: Aim; throughput: Aim },
): Promise<readonly Section[]> {
  const found = await atWork(bench, { ...sides, mixes: kinds.map((kind) => mixOf(bench, { kind })) })
  const pairs = found.flatMap((one) => one.pairs)
  const each = found.flatMap((one, index) => compare(one.pairs, ofSlices(`a ${kinds[index]}`)))
  const noise = found.flatMap((one) => one.noise)
  return [
    { ...about, lines: [...compare(pairs, ofSlices('an interaction', aims)), ...each] },
    {
      title: 'Noise: the app against itself',
      columns: ['app', 'app'],
      lines: compare(noise, ofSlices('an interaction')),
    },
  ]
}

/** Nothing is kept and nothing fetched ahead: each interaction of either side asks the service once, and shows as many bytes. */
const equalWork = (bench: Bench) =>
  byKind(
    bench,
    { title: 'Equal work', columns: ['app', 'bare Bolt'] },
    { measured: () => bench.startApp(bench.fast), against: () => bench.startBare(bench.fast) },
    { cpu: atMost(0.55), throughput: { is: '>=', ratio: 1.8 } },
  )

/** The app against another checkout of it: what a change costs or saves. @param checkout the other's folder */
export const againstCheckout = (bench: Bench, checkout: string) =>
  byKind(
    bench,
    { title: 'This checkout against another', columns: ['this', 'other'] },
    { measured: () => bench.startApp(bench.fast), against: () => bench.startApp(bench.fast, { checkout }) },
  )

/** The app with something else against the app as the other sections have it, where people look at the same pages. */
const variant =
  (
    about: Pick<Section, 'title' | 'columns'>,
    options: { fetchAhead?: boolean; store?: 'postgres' },
    aims: { cpu?: Aim } = {},
  ) =>
  async (bench: Bench): Promise<readonly Section[]> => {
    const measured = () => bench.startApp(bench.fast, options)
    const against = () => bench.startApp(bench.fast)
    const found = await atWork(bench, { mixes: [mixOf(bench)], measured, against })
    const pairs = found.flatMap((one) => one.pairs)
    return [{ ...about, lines: compare(pairs, ofSlices('an interaction', aims)) }]
  }

const messageTimes = (samples: readonly Sample[]) => samples.map(({ messageMs }) => messageMs)
const ackedP99 = (samples: readonly Sample[], kind: Sample['kind']) =>
  quantile(
    samples.filter((sample) => sample.kind === kind).map(({ ackMs }) => ackMs),
    0.99,
  )

/** As the app is configured unless an operator says otherwise, at 100 interactions a second. */
async function latency(bench: Bench): Promise<readonly Section[]> {
  const { rounds, sliceMs, workspaces } = bench.sizes
  const lines = []
  for (const [service, serviceMs] of [[bench.fast, 0] as const, [bench.slow, 50] as const]) {
    const at = `service at ${serviceMs} ms`
    const both = [await bench.startApp(service, { fetchAhead: true }), await bench.startBare(service)]
    await warmUp(bench, both)
    // Few and long: one in a hundred of too few is nothing but the greatest.
    const load = { mix: mixOf(bench), perSecond: 100, ms: 9 * sliceMs }
    const sent = await inTurns(
      Math.ceil(rounds / 3),
      both.map((one) => () => sendSteadily(bench, one, load)),
    )
    const messages = [50, 95, 99].map((share) => ({
      what: `message p${share}, ${at}`,
      unit: 'ms',
      of: (samples: readonly Sample[]) => quantile(messageTimes(samples), share / 100),
    }))
    lines.push(
      ...compare(sideBySide(sent, 0, 1), [
        ...messages,
        {
          what: `click acknowledged p99, ${at}`,
          unit: 'ms',
          aim: atMost(0.7),
          of: (all) => ackedP99(all, 'click'),
        },
        { what: `command acknowledged p99, ${at}`, unit: 'ms', of: (all) => ackedP99(all, 'command') },
      ]),
    )
    if (service === bench.slow) {
      const pages = sliceMs < 500 ? 3 : 12
      const turnTime = async (one: MeasuredProcess, team: number) =>
        median(messageTimes(await turnPages(bench, one, { pages, readMs: 150, team })))
      const turned = await inTurns(
        Math.min(rounds, 6),
        both.map((one) => (round: number) => turnTime(one, round % workspaces)),
      )
      const pairs = sideBySide(turned, 0, 1)
      lines.push(
        ...compareFigures(pairs, { what: 'page turn, service at 50 ms', unit: 'ms' }),
        ...compareFigures(
          pairs.map(([app]) => [app, serviceMs]),
          { what: 'page turn of the app / the 50 ms of the service', unit: 'ms', aim: atMost(0.1) },
        ),
      )
    }
    for (const one of both) await one.stop()
  }
  return [{ title: 'Latency at 100 a second', columns: ['app', 'bare Bolt'], lines }]
}

/** What a process holds more once every workspace was used, in MB. */
async function useAll({ slack, sizes: { workspaces, warmUpMs } }: Bench, measured: MeasuredProcess) {
  const useOnce = (n: number) =>
    slack.measure(measured.url, { kind: 'command', team: n % workspaces, page: 1 + (n % 200) })
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
async function manyWorkspaces(bench: Bench): Promise<readonly Section[]> {
  const { workspaces, rounds } = bench.sizes
  const bare = await bench.startBare(bench.fast, { installationStore: true })
  const bareUse = await useAll(bench, bare)
  await bare.stop()
  const app = await bench.startApp(bench.fast)
  const use = [[await useAll(bench, app), bareUse]] as const
  const turns = [workspaces, 1].map((teams) => async () => {
    return (await saturate(bench, app, { mix: mixOf(bench, { teams }), underWay: 4 })).cpuMs
  })
  const cpu = sideBySide(await inTurns(rounds, turns), 0, 1)
  await app.stop()
  return [
    {
      title: 'Memory',
      columns: ['app', 'bare Bolt'],
      lines: compare(use, [
        {
          what: `heap for ${workspaces} used workspaces`,
          unit: 'MB',
          aim: atMost(0.08),
          of: ({ heapMb }) => heapMb,
        },
        { what: `resident memory after ${workspaces} workspaces`, unit: 'MB', of: ({ rssMb }) => rssMb },
      ]),
    },
    {
      title: 'Many workspaces',
      columns: [String(workspaces), 'one'],
      lines: compareFigures(cpu, { what: 'CPU, an interaction', unit: 'ms', aim: atMost(1.05) }),
    },
  ]
}

/** People of one workspace. Each reads pages of their own, none of them twice within the minute for which it is kept. */
function startReaders({ slack, sizes }: Bench, app: MeasuredProcess) {
  const readers = 2
  // Somewhat less than half of the calls are of the direction that has fewer.
  const pagesEach = Math.max(1, Math.floor((0.4 * sizes.records) / 20 / readers))
  const turned = Array.from({ length: readers }, () => 0)
  /** @returns what each turn took until it was over */
  return async (isOver: () => boolean): Promise<readonly number[]> => {
    const times: number[] = []
    const read = async (reader: number) => {
      while (!isOver()) {
        const turn = turned[reader] ?? 0
        turned[reader] = turn + 1
        const page = 1 + reader * pagesEach + (turn % pagesEach)
        const { messageMs } = await slack.measure(app.url, { kind: 'click', team: 0, page })
        times.push(messageMs)
        await sleep(150)
      }
    }
    await Promise.all(turned.map((_, reader) => read(reader)))
    return times
  }
}

const scanned = z.object({ ms: z.number(), pages: z.number() })

/** Reading a whole range: how near it comes to what its requests take, what it holds, and what people notice. */
async function scan(bench: Bench): Promise<readonly Section[]> {
  const { records, rounds, warmUpMs } = bench.sizes
  const serviceMs = 50
  // Of the four slots of a workspace, one is left for people.
  const inFlight = 3
  // What may be held more at the end of a scan than at its start, however long it was.
  const mostGainedMb = 20
  const service = await startService(serviceMs, Math.ceil(records * 1.02) + 100)
  const lines = []
  for (const fetchAhead of [false, true]) {
    const app = await bench.startApp(service, { main: workingApp, fetchAhead })
    const scanOf = (count: number) => app.ask(`scan ${Math.ceil(count)}`, scanned)
    const turnPagesUntil = startReaders(bench, app)
    const warmUntil = performance.now() + warmUpMs
    await turnPagesUntil(() => performance.now() > warmUntil)
    await scanOf(records / 20)
    if (!fetchAhead) {
      const before = await app.usage('collect')
      const { ms, pages } = await scanOf(records)
      const after = await app.usage('collect')
      const figures = [
        {
          what: `${records} records, service at ${serviceMs} ms / the requests alone`,
          unit: 's',
          aim: atMost(1.1),
          pair: [ms / 1000, (pages * serviceMs) / inFlight / 1000],
        },
        { what: 'heap, end / start', unit: 'MB', pair: [after.heapMb, before.heapMb] },
        { what: 'resident memory, end / start', unit: 'MB', pair: [after.rssMb, before.rssMb] },
        {
          what: `resident memory gained / ${mostGainedMb} MB`,
          unit: 'MB',
          aim: atMost(1),
          pair: [after.rssMb - before.rssMb, mostGainedMb],
        },
      ] as const
      for (const { pair, ...measure } of figures) lines.push(...compareFigures([pair], measure))
    }
    const turns: Pair<number>[] = []
    // As many page turns in each as it takes for one in twenty to be more than the slowest.
    const slices = Math.min(rounds, 3)
    for (let slice = 0; slice < slices; slice += 1) {
      let isOver = false
      const scanning = scanOf(records / 6 / slices).finally(() => {
        isOver = true
      })
      const meanwhile = await turnPagesUntil(() => isOver)
      const until = performance.now() + (await scanning).ms
      const otherwise = await turnPagesUntil(() => performance.now() > until)
      turns.push([quantile(meanwhile, 0.95), quantile(otherwise, 0.95)])
    }
    const what = `page turn p95 meanwhile / otherwise, ${fetchAhead ? '' : 'nothing '}fetched ahead`
    lines.push(...compareFigures(turns, { what, unit: 'ms', aim: atMost(1.5) }))
    await app.stop()
  }
  await service.stop()
  return [{ title: 'Reading a whole range', columns: ['measured', 'against'], lines }]
}

const polled = z.object({ polls: z.number() })

/** A poll of an account of which nothing is new, against its one request by bare undici. */
async function poll(bench: Bench): Promise<readonly Section[]> {
  const { rounds, sliceMs, warmUpMs, workspaces } = bench.sizes
  // Fifty a shard: what a shard costs is shared by its accounts.
  const env = { POLLED: String(Math.min(3200, workspaces)) }
  const lines = []
  for (const missed of [0, 20]) {
    const service = await startAccountService({ ANSWERS: 'missed', ANSWER_MS: '0' })
    const ids = Array.from({ length: missed }, (_, n) => `missed-${n}`)
    service.send(JSON.stringify({ key: bench.account.key, ids }))
    const start = (store: 'sqlite' | 'postgres') => bench.startApp(service, { main: workingApp, store, env })
    const processes = [await start('sqlite'), await start('postgres'), await start('sqlite')]
    const questions = ['poll', 'poll', 'request']
    const workFor = (one: MeasuredProcess, n: number, ms: number) => one.ask(`${questions[n]} ${ms}`, polled)
    for (const [n, one] of processes.entries()) await workFor(one, n, warmUpMs)
    const cpuOf = async (one: MeasuredProcess, n: number) => {
      const before = await one.usage()
      const { polls } = await workFor(one, n, sliceMs)
      return ((await one.usage()).cpuMs - before.cpuMs) / polls
    }
    const found = await inTurns(
      rounds,
      processes.map((one, n) => () => cpuOf(one, n)),
    )
    for (const [n, store] of ['SQLite', 'PostgreSQL'].entries()) {
      const what = `CPU, an idle poll with ${missed} missed today, ${store}`
      lines.push(...compareFigures(sideBySide(found, n, 2), { what, unit: 'ms', aim: atMost(1.5) }))
    }
    for (const one of processes) await one.stop()
    await service.stop()
  }
  return [{ title: 'Watching', columns: ['poll', 'its request'], lines }]
}

/** From the start of the process to its first accepted connection, and what it holds then. */
async function startUp(bench: Bench): Promise<readonly Section[]> {
  const starts = [() => bench.startApp(bench.fast), () => bench.startBare(bench.fast)]
  const turns = starts.map((start) => async () => {
    const measured = await start()
    await bench.slack.measure(measured.url, { kind: 'command', team: 0, page: 1 })
    const { rssMb } = await measured.usage('collect')
    await measured.stop()
    return { ms: measured.startMs, rssMb }
  })
  // The first round fills the compile cache.
  const [, ...rounds] = await inTurns(bench.sizes.rounds + 1, turns)
  const lines = compare(sideBySide(rounds, 0, 1), [
    { what: 'start-up', unit: 'ms', aim: atMost(1.2), of: ({ ms }) => ms },
    { what: 'resident memory, idle', unit: 'MB', aim: atMost(1.1), of: ({ rssMb }) => rssMb },
  ])
  return [{ title: 'Start', columns: ['app', 'bare Bolt'], lines }]
}

/** All that is measured, by the names of `--only`. */
export const sections: Readonly<Record<string, (bench: Bench) => Promise<readonly Section[]>>> = {
  'equal-work': equalWork,
  'kept-pages': variant(
    { title: 'Pages kept for a minute, and fetched ahead', columns: ['kept', 'not'] },
    { fetchAhead: true },
  ),
  postgres: variant(
    { title: 'Over PostgreSQL on loopback', columns: ['PostgreSQL', 'SQLite'] },
    { store: 'postgres' },
    { cpu: atMost(1.3) },
  ),
  latency,
  workspaces: manyWorkspaces,
  scan,
  poll,
  'start-up': startUp,
}
