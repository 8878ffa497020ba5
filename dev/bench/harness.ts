import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Postgres, startPostgres } from '../postgres.ts'
import { createSandbox } from '../service/app.ts'
import { compare, type Figures, type Round, type Row, type Section } from './figures.ts'
import { type MeasuredProcess, startProcess } from './measured-process.ts'
import { SlackStub } from './slack-stub.ts'
import { appEnv, connectWorkspaces } from './workspaces.ts'

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const ownCheckout = program('../../')

export interface Sizes {
  readonly rounds: number
  /** Measured in each turn, of each kind. */
  readonly interactions: number
  /** Interactions before the first round. */
  readonly warmUp: number
  readonly workspaces: number
  /** Calls in the range that is read. */
  readonly records: number
}

export interface Side {
  /** `app` runs from its sources; `bare-poller` sends only the requests of polls. */
  readonly program: 'app' | 'build' | 'bare-app' | 'bare-poller'
  readonly store?: 'sqlite' | 'postgres'
  /** Number in the store; that of the sizes by default. */
  readonly workspaces?: number
  readonly env?: Readonly<Record<string, string>>
  readonly checkout?: string
}

export interface Measure {
  /** For `--only`; several measures may share a name. */
  readonly name: string
  readonly title: string
  readonly columns: Section['columns']
  /** The service answers at once, after 50 ms, or has one account for each workspace. */
  readonly service: 'fast' | 'slow' | 'polled'
  readonly app: Side
  /** Without it, the rows compare figures of one turn. */
  readonly against?: Side
  /** Starts a process for each turn; the first round only fills the compile cache. */
  readonly isFresh?: boolean
  /** Runs the turns of a round at the same time, because polls can't be stopped. */
  readonly isTogether?: boolean
  readonly getRounds: (sizes: Sizes) => number
  readonly prepare?: (bench: Bench, measured: MeasuredProcess) => Promise<unknown>
  readonly turn: (bench: Bench, measured: MeasuredProcess, round: number) => Promise<Figures>
  readonly rows: (sizes: Sizes) => readonly Row[]
}

/** The environment of the measured apps: a stub of Slack, services, and stores of connected workspaces. */
export class Bench {
  readonly sizes: Sizes
  readonly slack: SlackStub
  readonly services: Readonly<Record<Measure['service'], MeasuredProcess>>
  readonly #account = createSandbox({ calls: 0 }).accounts.lively
  readonly #postgres: Postgres
  readonly #folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'))
  /** Filled SQLite files. Each app gets a copy, because a file is for one process. */
  readonly #files = new Map<string, Promise<string>>()
  #stores = 0
  /** Bytes by which the app's message is longer than the bare app's. */
  #missingBytes = 0

  private constructor(
    sizes: Sizes,
    { slack, services }: Pick<Bench, 'slack' | 'services'>,
    postgres: Postgres,
  ) {
    this.sizes = sizes
    this.slack = slack
    this.services = services
    this.#postgres = postgres
  }

  static async start(sizes: Sizes): Promise<Bench> {
    const slack = await new SlackStub().start()
    // More than half of the calls are incoming; only these are read.
    const calls = Math.max(9000, Math.ceil(sizes.records / 0.55))
    const startSandbox = (delayMs: number) =>
      startProcess(program('cached-sandbox.ts'), {
        SERVICE_DELAY_MS: String(delayMs),
        SERVICE_CALLS: String(calls),
      })
    const services = {
      fast: await startSandbox(0),
      slow: await startSandbox(50),
      polled: await startProcess(program('account-service.ts'), { ANSWERS: 'missed', EARLIER: '20' }),
    }
    return new Bench(sizes, { slack, services }, await startPostgres())
  }

  /** Lets the processes of a measure take turns, rotating their order. */
  async measure(measure: Measure, onRound: (round: number, rounds: number) => void): Promise<Section> {
    const { app, against, isFresh = false, title, columns, turn, prepare } = measure
    const rounds = measure.getRounds(this.sizes)
    const sides = against ? [app, against, app] : [app, app]
    const processes: MeasuredProcess[] = []
    if (!isFresh) for (const side of sides) processes.push(await this.start(side, measure.service))
    await this.#forEach(processes, measure.isTogether, async (one) => {
      await prepare?.(this, one)
    })
    const found: Round[] = []
    for (let round = isFresh ? -1 : 0; round < rounds; round += 1) {
      onRound(round + 1, rounds)
      const figures: Figures[] = []
      const order = sides.keys().map((n) => (n + round + sides.length) % sides.length)
      await this.#forEach([...order], measure.isTogether, async (n) => {
        const side = sides[n] ?? app
        const measured = processes[n] ?? (await this.start(side, measure.service))
        figures[n] = await turn(this, measured, Math.max(0, round))
        if (isFresh) await measured.stop()
      })
      const [first, second] = [figures[0] ?? {}, figures[1] ?? {}]
      const again = figures[2] ?? second
      if (round >= 0) found.push({ app: first, against: against && second, again })
    }
    for (const one of processes) await one.stop()
    return { title, columns, lines: measure.rows(this.sizes).map((row) => compare(found, row)) }
  }

  async #forEach<T>(all: readonly T[], isTogether = false, work: (one: T) => Promise<void>): Promise<void> {
    if (isTogether) await Promise.all(all.map(work))
    else for (const one of all) await work(one)
  }

  async start(side: Side, service: Measure['service']): Promise<MeasuredProcess> {
    const { checkout = ownCheckout, env } = side
    const storeUrl = side.program.startsWith('bare') ? '' : await this.#newStore(side, service === 'polled')
    return startProcess(await this.#getProgram(side.program, checkout), {
      ...appEnv(this.slack, this.services[service].url, storeUrl),
      SERVICE_KEY: this.#account.key,
      SERVICE_SECRET: this.#account.secret,
      ACCOUNTS: String(this.sizes.workspaces),
      FILLER_BYTES: String(this.#missingBytes),
      ...env,
    })
  }

  async #getProgram(name: Side['program'], checkout: string): Promise<string> {
    if (name === 'app') return join(checkout, 'src/main.ts')
    if (name !== 'build') return program(`${name}.ts`)
    const dist = join(this.#folder, `dist-${checkout.replaceAll(/\W/g, '-')}`)
    if (!existsSync(dist)) {
      const { build }: typeof import('../scripts/build.ts') = await import(
        pathToFileURL(join(checkout, 'dev/scripts/build.ts')).href
      )
      await build(dist)
    }
    return join(dist, 'main.mjs')
  }

  /** Stored records may differ between checkouts, so each checkout writes its own. */
  async #newStore(side: Side, isPolled: boolean): Promise<string> {
    const { checkout = ownCheckout, store, workspaces = this.sizes.workspaces } = side
    this.#stores += 1
    if (store === 'postgres') {
      const url = await this.#postgres.createDatabase(`bench_${this.#stores}`)
      await this.#fill(url, { checkout, workspaces, isPolled })
      return url
    }
    const name = `${checkout}, ${workspaces}, ${isPolled}`
    const fill = async () => {
      const file = join(this.#folder, `filled-${this.#stores}.sqlite`)
      await this.#fill(`sqlite:${file}`, { checkout, workspaces, isPolled })
      return file
    }
    const filled = this.#files.get(name) ?? fill()
    this.#files.set(name, filled)
    const copy = join(this.#folder, `copy-${this.#stores}.sqlite`)
    copyFileSync(await filled, copy)
    return `sqlite:${copy}`
  }

  async #fill(
    url: string,
    { checkout, workspaces, isPolled }: { checkout: string; workspaces: number; isPolled: boolean },
  ): Promise<void> {
    const { Store }: typeof import('../../src/store/store.ts') = await import(
      pathToFileURL(join(checkout, 'src/store/store.ts')).href
    )
    const kept = isPolled ? { watched: workspaces } : { account: this.#account }
    await connectWorkspaces(url, { count: workspaces, Store, ...kept })
  }

  /** Pads the bare app's message, so that both sides send the same number of bytes. */
  async alignMessages(): Promise<{ readonly bytes: number; readonly added: number }> {
    const measureBytes = async (name: Side['program']) => {
      const one = await this.start({ program: name }, 'fast')
      const { text } = await this.slack.send(one.url, { kind: 'click', team: 0, page: 2 })
      await one.stop()
      return Buffer.byteLength(text)
    }
    const bytes = await measureBytes('app')
    this.#missingBytes = Math.max(0, bytes - (await measureBytes('bare-app')))
    return { bytes, added: this.#missingBytes }
  }

  async close(): Promise<void> {
    const { fast, slow, polled } = this.services
    await Promise.all([fast.stop(), slow.stop(), polled.stop(), this.slack.close(), this.#postgres.stop()])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
