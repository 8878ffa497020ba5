import { type Aim, Pairs, type Section } from '../figures.ts'
import { mixOf } from '../interactions.ts'
import type { Slice } from '../loads.ts'
import type { MeasuredProcess } from '../measured-process.ts'
import { type Bench, everydayTeams } from './bench.ts'
import { everydayMix, slicesOf, warmUp } from './slices.ts'

const figuresOf = (cpuAim?: Aim, throughputAim?: Aim) => (of: string) => ({
  throughput: new Pairs(`throughput, ${of}`, '1/s', throughputAim),
  cpu: new Pairs(`CPU, ${of}`, 'ms', cpuAim),
  core: new Pairs(`share of a core, ${of}`, ''),
  requests: new Pairs(`requests to the service, ${of}`, ''),
})

function add(figures: ReturnType<ReturnType<typeof figuresOf>>, measured: Slice, against: Slice): void {
  figures.throughput.add(measured.perSecond, against.perSecond)
  figures.cpu.add(measured.cpuMs, against.cpuMs)
  figures.core.add(measured.core, against.core)
  figures.requests.add(measured.requests, against.requests)
}

const linesOf = (all: readonly ReturnType<ReturnType<typeof figuresOf>>[]) =>
  all.flatMap(({ throughput, cpu, core, requests }) =>
    [throughput, cpu, core, requests].map(({ comparison }) => comparison),
  )

/** Nothing is kept and nothing fetched ahead: each interaction of either side asks the service once, and shows as many bytes. */
export async function equalWork(bench: Bench): Promise<readonly Section[]> {
  const { environment, fast } = bench
  const pair = { teams: everydayTeams(bench), pages: 200 }
  const kinds = ['command', 'click'] as const
  const apps = [await environment.startApp(fast), await environment.startApp(fast)]
  const bares = [await environment.startBare(fast), await environment.startBare(fast)]
  await warmUp(bench, [...apps, ...bares])
  const mixes = kinds.map((kind) => mixOf({ ...pair, kind }))
  const slices = await slicesOf(bench, [...apps, ...bares], mixes)
  const aimed = figuresOf({ is: '<=', ratio: 0.55 }, { is: '>=', ratio: 1.8 })
  const figures = [aimed('an interaction'), ...kinds.map((kind) => figuresOf()(`a ${kind}`))]
  const noise = [figuresOf()('an interaction')]
  for (const [index, rounds] of slices.entries()) {
    for (const [one, other, bareOne, bareOther] of rounds) {
      if (!one || !other || !bareOne || !bareOther) continue
      for (const group of [figures[0], figures[index + 1]]) {
        if (!group) continue
        add(group, one, bareOne)
        add(group, other, bareOther)
      }
      if (noise[0]) add(noise[0], one, other)
    }
  }
  await stopAll([...apps, ...bares])
  return [
    { title: 'Equal work', columns: ['app', 'bare Bolt'], lines: linesOf(figures) },
    { title: 'Noise: the app against itself', columns: ['app', 'app'], lines: linesOf(noise) },
  ]
}

const stopAll = async (processes: readonly MeasuredProcess[]) => {
  for (const one of processes) await one.stop()
}

/** The app as it is configured otherwise, against the app at equal work. */
async function variant(
  bench: Bench,
  [title, name]: readonly [title: string, name: string],
  start: () => Promise<MeasuredProcess>,
  cpuAim?: Aim,
): Promise<Section> {
  const plain = [await bench.environment.startApp(bench.fast), await bench.environment.startApp(bench.fast)]
  const others = [await start(), await start()]
  await warmUp(bench, [...others, ...plain])
  const [rounds = []] = await slicesOf(bench, [...others, ...plain], [everydayMix(bench)])
  const figures = figuresOf(cpuAim)('an interaction')
  for (const [one, other, plainOne, plainOther] of rounds) {
    if (one && plainOne) add(figures, one, plainOne)
    if (other && plainOther) add(figures, other, plainOther)
  }
  await stopAll([...plain, ...others])
  return { title, columns: [name, 'app'], lines: linesOf([figures]) }
}

/** What keeping pages and fetching ahead saves, where people look at the same 200 pages over and over. */
export const keptPages = (bench: Bench): Promise<Section> =>
  variant(bench, ['Pages kept for a minute, and fetched ahead', 'kept'], () =>
    bench.environment.startApp(bench.fast, { fetchAhead: true }),
  )

export const overPostgres = (bench: Bench): Promise<Section> =>
  variant(
    bench,
    ['Over PostgreSQL on loopback', 'PostgreSQL'],
    () => bench.environment.startApp(bench.fast, { store: 'postgres' }),
    { is: '<=', ratio: 1.3 },
  )
