import pg from 'pg'
import { z } from 'zod'

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
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
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

  async reset(): Promise<void> {
    await this.#client.query('SELECT pg_stat_statements_reset()')
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
