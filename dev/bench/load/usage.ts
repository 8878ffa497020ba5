import pg from 'pg'
import { z } from 'zod'
import { timedOut, withTimeout } from '../../../src/util/promises.ts'
import type { Fleet } from './fleet.ts'

/** Settings of PostgreSQL for counting statements. */
export const countingSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=top',
]

// Leaves out the statements with which the server checks foreign keys.
const TOTALS = `SELECT sum(calls) AS calls, sum(total_exec_time) AS ms,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'figures') AS connections
  FROM pg_stat_statements WHERE query NOT LIKE '%FOR KEY SHARE OF x%'`
const ROWS = `SELECT relname AS name, n_live_tup AS rows, round(pg_total_relation_size(relid) / 1048576.0, 1) AS mb
  FROM pg_stat_user_tables WHERE n_live_tup > 0 ORDER BY n_live_tup DESC LIMIT 4`

const totals = z.tuple([
  z.object({ calls: z.coerce.number(), ms: z.coerce.number(), connections: z.coerce.number() }),
])
const tables = z.array(z.object({ name: z.string(), rows: z.coerce.number(), mb: z.coerce.number() }))

/** A killed process never answers. */
const ANSWER_TIMEOUT_MS = 3000

/** Measures the apps, the service and the database between faults. */
export class Usage {
  readonly #fleet: Fleet
  readonly #database: pg.Client
  #before: Awaited<ReturnType<Usage['read']>> | undefined
  /** One line for each finished period. */
  readonly lines: string[] = []

  private constructor(fleet: Fleet, database: pg.Client) {
    this.#fleet = fleet
    this.#database = database
  }

  static async open(fleet: Fleet): Promise<Usage> {
    const client = new pg.Client({ connectionString: fleet.databaseUrl, application_name: 'figures' })
    await client.connect()
    // Leaves out the statements that filled the database.
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    await client.query('SELECT pg_stat_statements_reset()')
    return new Usage(fleet, client)
  }

  async begin(): Promise<void> {
    this.#before = await this.read()
  }

  async end(name: string): Promise<void> {
    const [before, now] = [this.#before, await this.read()]
    if (!before) return
    const seconds = (now.at - before.at) / 1000
    const perSecond = (of: 'requests' | 'calls' | 'ms') => ((now[of] - before[of]) / seconds).toFixed(1)
    const apps = [...now.apps].flatMap(([url, { cpuMs, rssMb }]) => {
      const earlier = before.apps.get(url)
      if (!earlier) return []
      const core = ((cpuMs - earlier.cpuMs) / seconds / 10).toFixed(0)
      return [`${core} % of a core, ${rssMb.toFixed(0)} MB`]
    })
    const used = [
      `${perSecond('requests')} requests a second to the service`,
      `${perSecond('calls')} statements a second in ${perSecond('ms')} ms`,
      `${now.connections} connections`,
      ...apps,
    ]
    this.lines.push(`${name.padEnd(26)}${used.join('; ')}`)
  }

  async read() {
    const { service, up } = this.#fleet
    const { rows } = await this.#database.query(TOTALS)
    const usages = await Promise.all(
      up.map(async (app) => {
        const usage = await withTimeout(app.usage(), ANSWER_TIMEOUT_MS).catch((): typeof timedOut => timedOut)
        return usage === timedOut ? [] : [[app.url, usage] as const]
      }),
    )
    const { requests } = await service.count()
    return { at: performance.now(), requests, ...totals.parse(rows)[0], apps: new Map(usages.flat()) }
  }

  /** @returns the rows of the largest tables */
  async close(): Promise<string> {
    const { rows } = await this.#database.query(ROWS)
    await this.#database.end()
    return tables
      .parse(rows)
      .map((one) => `${one.name} ${one.rows} (${one.mb} MB)`)
      .join(', ')
  }
}
