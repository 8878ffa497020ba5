import { setImmediate as nextTurn } from 'node:timers/promises'
import { once } from '../../util/promises.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import * as sql from './sql.ts'

/** Takes a lock, because `CREATE TABLE IF NOT EXISTS` fails when several clients run it at once. */
const SCHEMA_SQL = `
  SELECT pg_advisory_xact_lock(4012026);
  CREATE TABLE IF NOT EXISTS callboard_store (
    -- Sorts keys by their bytes in every language, like SQLite.
    namespace text NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, expires bigint,
    PRIMARY KEY (namespace, key)
  );
  CREATE INDEX IF NOT EXISTS callboard_store_expires ON callboard_store (expires) WHERE expires IS NOT NULL;`

/** `$1` is now, `$2` the namespaces, `$3` the keys; `ordinal` is the position in both arrays, from 1. */
const SELECT_BATCH_SQL = `SELECT asked.ordinal::int AS ordinal, value
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (namespace, key, ordinal)
  JOIN callboard_store USING (namespace, key) WHERE expires IS NULL OR expires > $1`

/**
 * The server ends a statement that waits for a lock. If only this process gave up, the connection would wait on there, and
 * its replacement would exceed the pool's limit.
 */
const STATEMENT_TIMEOUT_MS: Milliseconds = 5000
/** Time that the server has to report its timeout, before this process gives up the connection. */
const CANCELLATION_MS: Milliseconds = 1000

interface Batch {
  readonly rows: sql.RowKey[]
  /** Rows that don't exist have none. */
  readonly valueByOrdinal: Promise<ReadonlyMap<number, string>>
}

interface PostgresOptions {
  readonly url: string
  /** Called when the server closes an idle connection; unhandled, that would end the process. */
  readonly onIdleError: (error: Error) => void
  readonly statementTimeoutMs?: Milliseconds
}

/** Connects on first use, so that the app starts while the server is down; after a failure, `once` tries again. */
export class PostgresDriver implements sql.Driver {
  readonly isShared = true
  readonly #options
  readonly #getPool = once(() => this.#createPool())
  readonly #getReadyPool = once(() => this.#prepareTable())
  #batch: Batch | undefined

  constructor(options: PostgresOptions) {
    this.#options = options
  }

  run(name: sql.StatementName, values: readonly sql.Value[]): Promise<readonly sql.FoundRow[]> {
    return this.#query(name, sql.statements[name], [...values])
  }

  /** Combines the reads of one turn of the event loop: an interaction reads several rows. */
  async get(row: sql.RowKey, now: EpochMs): Promise<string | undefined> {
    this.#batch ??= this.#startBatch(now)
    const { rows, valueByOrdinal } = this.#batch
    rows.push(row)
    const ordinal = rows.length
    const found = await valueByOrdinal
    return found.get(ordinal)
  }

  /** A pool that wasn't used has no connections. */
  async close(): Promise<void> {
    const pool = await this.#getPool()
    await pool.end()
  }

  async #createPool() {
    const { url, onIdleError, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = this.#options
    // This import takes 30 ms, and SQLite doesn't need it.
    const { Pool } = (await import('pg')).default
    const pool = new Pool({
      connectionString: url,
      max: 10,
      connectionTimeoutMillis: 5000,
      query_timeout: statementTimeoutMs + CANCELLATION_MS,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
      // PgBouncer refuses unknown parameters of a connection.
      async onConnect(client) {
        await client.query(`SET statement_timeout = ${statementTimeoutMs}`)
      },
    })
    pool.on('error', onIdleError)
    return pool
  }

  async #prepareTable() {
    const pool = await this.#getPool()
    // Several statements in one text are one transaction.
    await pool.query(SCHEMA_SQL)
    const { rows } = await pool.query(sql.INIT_VERSION_SQL)
    sql.assertRowsVersion(rows[0]?.value)
    return pool
  }

  async #query<R extends sql.FoundRow>(name: string, text: string, values: unknown[]): Promise<readonly R[]> {
    const pool = await this.#getReadyPool()
    // A named statement is prepared once per connection.
    const { rows } = await pool.query<R>({ name: `callboard_${name}`, text, values })
    return rows
  }

  /** Reads in the next turn of the event loop; until then, `get` adds to the rows. */
  #startBatch(now: EpochMs): Batch {
    const rows: sql.RowKey[] = []
    const read = async () => {
      await nextTurn()
      this.#batch = undefined
      const values = [now, rows.map(({ namespace }) => namespace), rows.map(({ key }) => key)]
      const found = await this.#query<{ ordinal: number; value: string }>('batch', SELECT_BATCH_SQL, values)
      return new Map(found.map(({ ordinal, value }) => [ordinal, value]))
    }
    return { rows, valueByOrdinal: read() }
  }
}
