import pg from 'pg'
import { z } from 'zod'
import { timedOut, withTimeout } from '../../../src/util/promises.ts'
import type { MeasuredProcess, Usage } from '../process.ts'
import type { Stage } from './faults.ts'

const totals = z.tuple([
  z.object({ calls: z.coerce.number(), ms: z.coerce.number(), connections: z.coerce.number() }),
])
const tables = z.array(z.object({ name: z.string(), rows: z.coerce.number(), mb: z.coerce.number() }))
const statements = z.array(z.object({ query: z.string(), calls: z.coerce.number(), ms: z.coerce.number() }))

/** What is asked of `startPostgres`, so that statements are counted. */
export const countingSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=top',
]

/** What the server asks itself, for a foreign key, is no statement of the apps'. */
const isAsked = `WHERE query NOT LIKE '%FOR KEY SHARE OF x%'`

/** What a database does, as it counts itself. */
export class DatabaseFigures {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<DatabaseFigures> {
    const client = new pg.Client({ connectionString: url, application_name: 'figures' })
    await client.connect()
    // What filled the database is none of the apps'.
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    await client.query('SELECT pg_stat_statements_reset()')
    return new DatabaseFigures(client)
  }

  /** Since its start: statements, and the time that they took. And the apps' connections now. */
  async totals(): Promise<z.infer<typeof totals>[0]> {
    const { rows } = await this.#client.query(
      `SELECT sum(calls) AS calls, sum(total_exec_time) AS ms,
        (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'figures') AS connections
        FROM pg_stat_statements ${isAsked}`,
    )
    return totals.parse(rows)[0]
  }

  /** The most frequent ones. */
  async frequent(limit: number): Promise<z.infer<typeof statements>> {
    const { rows } = await this.#client.query(
      `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 100) AS query, calls, total_exec_time AS ms
        FROM pg_stat_statements ${isAsked} ORDER BY calls DESC LIMIT ${limit}`,
    )
    return statements.parse(rows)
  }

  /** Rows by what they are. */
  async rows(): Promise<z.infer<typeof tables>> {
    const { rows } = await this.#client.query(
      `SELECT relname AS name, n_live_tup AS rows, round(pg_total_relation_size(relid) / 1048576.0, 1) AS mb
        FROM pg_stat_user_tables WHERE n_live_tup > 0 ORDER BY n_live_tup DESC LIMIT 4`,
    )
    return tables.parse(rows)
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

/** A killed process answers never. */
const PATIENCE_MS = 3000

interface Use {
  readonly from: number
  readonly to: number
  readonly cpuMs: number
  readonly mostMb: number
}

/** What the app's processes used, from sample to sample: one that is killed takes its figures with it. */
class ProcessUse {
  /** By address: a process that is started again has another one. */
  readonly #last = new Map<string, Usage & { readonly at: number }>()
  readonly #uses = new Map<string, Use>()

  async sample(processes: readonly MeasuredProcess[]): Promise<void> {
    await Promise.all(processes.map((one) => this.#sampleOne(one)))
  }

  async #sampleOne(one: MeasuredProcess): Promise<void> {
    const usage = await withTimeout(one.usage(), PATIENCE_MS).catch((): typeof timedOut => timedOut)
    if (usage === timedOut) return
    const at = performance.now()
    const last = this.#last.get(one.url)
    this.#last.set(one.url, { ...usage, at })
    if (!last) return
    const use = this.#uses.get(one.url) ?? { from: last.at, to: at, cpuMs: 0, mostMb: 0 }
    const cpuMs = use.cpuMs + usage.cpuMs - last.cpuMs
    this.#uses.set(one.url, { ...use, to: at, cpuMs, mostMb: Math.max(use.mostMb, usage.rssMb) })
  }

  /** Since the last time it was asked, for each process. */
  take(): string {
    const uses = [...this.#uses.values()]
    this.#uses.clear()
    return uses
      .map(({ from, to, cpuMs, mostMb }) => {
        const core = (cpuMs / (to - from)) * 100
        return `${core.toFixed(0)} % of a core, ${mostMb.toFixed(0)} MB`
      })
      .join('; ')
  }
}

/** What was used, from stretch to stretch of time. */
export class UsageByStretch {
  readonly #stage: Stage
  readonly #database: DatabaseFigures
  readonly #processes = new ProcessUse()
  #before = { at: 0, requests: 0, calls: 0, ms: 0 }
  #connections = 0
  /** A line for each stretch that is over. */
  readonly lines: string[] = []

  constructor(stage: Stage, database: DatabaseFigures) {
    this.#stage = stage
    this.#database = database
  }

  async begin(): Promise<void> {
    this.#processes.take()
    await this.#processes.sample(this.#stage.apps.up)
    this.#before = await this.#read()
    this.#connections = 0
  }

  /** From time to time: the most connections are of these moments. */
  async sample(): Promise<void> {
    await this.#processes.sample(this.#stage.apps.up)
    this.#connections = Math.max(this.#connections, (await this.#database.totals()).connections)
  }

  async end(name: string): Promise<void> {
    await this.sample()
    const [before, now] = [this.#before, await this.#read()]
    const perSecond = (of: 'requests' | 'calls' | 'ms') =>
      (((now[of] - before[of]) / (now.at - before.at)) * 1000).toFixed(1)
    const used = [
      `${perSecond('requests')} requests a second to the service`,
      `${perSecond('calls')} statements a second in ${perSecond('ms')} ms`,
      `${this.#connections} connections`,
      this.#processes.take(),
    ]
    this.lines.push(`${name.padEnd(26)}${used.join('; ')}`)
  }

  async #read() {
    const [{ requests }, { calls, ms }] = await Promise.all([
      this.#stage.service.count(),
      this.#database.totals(),
    ])
    return { at: performance.now(), requests, calls, ms }
  }
}
