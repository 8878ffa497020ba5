import { type Aim, type Comparison, Pairs, type Section } from '../figures.ts'
import { mixOf } from '../interactions.ts'
import type { Slice } from '../loads.ts'
import { type Bench, everydayTeams } from './bench.ts'
import { everydayMix, type Round, takeTurns } from './slices.ts'

interface Aims {
  readonly cpu?: Aim
  readonly throughput?: Aim
}

/** What is told of slices that were measured side by side. @param of such as `a click` */
function compare(of: string, pairs: readonly (readonly [Slice, Slice])[], aims: Aims = {}): Comparison[] {
  const figures = [
    { pairs: new Pairs(`throughput, ${of}`, '1/s', aims.throughput), of: (one: Slice) => one.perSecond },
    { pairs: new Pairs(`CPU, ${of}`, 'ms', aims.cpu), of: (one: Slice) => one.cpuMs },
    { pairs: new Pairs(`share of a core, ${of}`, ''), of: (one: Slice) => one.core },
    { pairs: new Pairs(`requests to the service, ${of}`, ''), of: (one: Slice) => one.requests },
  ]
  for (const [one, other] of pairs)
    for (const figure of figures) figure.pairs.add(figure.of(one), figure.of(other))
  return figures.map((figure) => figure.pairs.comparison)
}

const sideBySide = (rounds: readonly Round[]) =>
  rounds.flatMap(({ measured, against }): (readonly [Slice, Slice])[] => [
    [measured[0], against[0]],
    [measured[1], against[1]],
  ])

const kinds = ['command', 'click'] as const
const byKind = (bench: Bench) => kinds.map((kind) => mixOf({ teams: everydayTeams(bench), pages: 200, kind }))

/** Nothing is kept and nothing fetched ahead: each interaction of either side asks the service once, and shows as many bytes. */
export async function equalWork(bench: Bench): Promise<readonly Section[]> {
  const { environment, fast } = bench
  const sides = { measured: () => environment.startApp(fast), against: () => environment.startBare(fast) }
  const turns = await takeTurns(bench, sides, byKind(bench))
  const aims = { cpu: { is: '<=', ratio: 0.55 }, throughput: { is: '>=', ratio: 1.8 } } as const
  const lines = kinds.flatMap((kind, index) => compare(`a ${kind}`, sideBySide(turns[index] ?? [])))
  return [
    {
      title: 'Equal work',
      columns: ['app', 'bare Bolt'],
      lines: [...compare('an interaction', sideBySide(turns.flat()), aims), ...lines],
    },
    {
      title: 'Noise: the app against itself',
      columns: ['app', 'app'],
      lines: compare(
        'an interaction',
        turns.flat().map(({ measured }) => measured),
      ),
    },
  ]
}

/** What keeping pages and fetching ahead saves, where people look at the same 200 pages over and over. */
export async function keptPages(bench: Bench): Promise<Section> {
  const { environment, fast } = bench
  const sides = {
    measured: () => environment.startApp(fast, { fetchAhead: true }),
    against: () => environment.startApp(fast),
  }
  const turns = await takeTurns(bench, sides, [everydayMix(bench)])
  const title = 'Pages kept for a minute, and fetched ahead'
  return { title, columns: ['kept', 'not'], lines: compare('an interaction', sideBySide(turns.flat())) }
}

export async function overPostgres(bench: Bench): Promise<Section> {
  const { environment, fast } = bench
  const sides = {
    measured: () => environment.startApp(fast, { store: 'postgres' }),
    against: () => environment.startApp(fast),
  }
  const turns = await takeTurns(bench, sides, [everydayMix(bench)])
  const lines = compare('an interaction', sideBySide(turns.flat()), { cpu: { is: '<=', ratio: 1.3 } })
  return { title: 'Over PostgreSQL on loopback', columns: ['PostgreSQL', 'SQLite'], lines }
}

/** The app against another checkout of it: what a change costs or saves. */
export async function againstCheckout(bench: Bench, checkout: string): Promise<Section> {
  const { environment, fast } = bench
  const sides = {
    measured: () => environment.startApp(fast),
    against: () => environment.startApp(fast, { checkout }),
  }
  const turns = await takeTurns(bench, sides, byKind(bench))
  const lines = kinds.flatMap((kind, index) => compare(`a ${kind}`, sideBySide(turns[index] ?? [])))
  return { title: 'This checkout against another', columns: ['this', 'other'], lines }
}
