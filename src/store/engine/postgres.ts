import type pg from 'pg'
import { once } from '../../util/promises.ts'
import type { EpochMs } from '../../util/units.ts'
import {
  assertRowsVersion,
  type Driver,
  type FoundRow,
  insertVersion,
  type Place,
  type SqlValue,
  selectVersion,
} from './database.ts'

// COLLATE "C" sorts keys by their bytes in every language, like SQLite.
const postgresSchema = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace text NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, expires bigint,
    PRIMARY KEY (namespace, key)
  );
  CREATE INDEX IF NOT EXISTS callboard_store_expires ON callboard_store (expires) WHERE expires IS NOT NULL;`

/** Advisory lock, because `CREATE TABLE IF NOT EXISTS` fails when several clients run it at once. */
const SCHEMA_LOCK = 4_012_026

/** Takes namespaces and keys as two arrays; `place` is the index in them. */
const selectValues = `SELECT (asked.place - 1)::int AS place, value
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS asked (namespace, key, place)
  JOIN callboard_store USING (namespace, key) WHERE expires IS NULL OR expires > $1`

interface PendingRead extends Place {
  readonly now: EpochMs
  readonly resolve: (value: string | undefined) => void
  readonly reject: (error: unknown) => void
}

async function createPool(url: string, onIdleError: (error: Error) => void): Promise<pg.Pool> {
  // Loaded here, because it takes 30 ms that a start with SQLite doesn't need.
  const { Pool } = (await import('pg')).default
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  pool.on('error', onIdleError)
  // The pool listens to idle connections only; on a busy one, the query fails as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Connects and creates the schema on first use, so that the app starts while the server is down. */
export class PostgresDriver implements Driver {
  readonly isShared = true
  readonly #openPool
  readonly #createSchemaOnce = once(() => this.#createSchema())
  readonly #names = new Map<string, string>()
  #waiting: PendingRead[] = []

  /** @param onIdleError called when the server closes an idle connection, which would end the process without a listener */
  constructor({ url, onIdleError }: { url: string; onIdleError: (error: Error) => void }) {
    this.#openPool = once(() => createPool(url, onIdleError))
  }

  run(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]> {
    return this.#query(text, [...values])
  }

  /** Combines all reads of one turn of the event loop into one query: an interaction reads four rows. */
  get(place: Place, now: EpochMs): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...place, now, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => void this.#readWaiting())
    })
  }

  async close(): Promise<void> {
    await (await this.#openPool()).end()
  }

  async #query<R extends FoundRow>(text: string, values: unknown[]): Promise<readonly R[]> {
    await this.#createSchemaOnce()
    const pool = await this.#openPool()
    // A statement with a name is prepared once per connection.
    const name = this.#names.get(text) ?? `callboard_${this.#names.size}`
    this.#names.set(text, name)
    return (await pool.query<R>({ name, text, values })).rows
  }

  async #readWaiting(): Promise<void> {
    const reads = this.#waiting
    this.#waiting = []
    const [first] = reads
    if (!first) return
    try {
      const rows = await this.#query<{ place: number; value: string }>(selectValues, [
        first.now,
        reads.map(({ namespace }) => namespace),
        reads.map(({ key }) => key),
      ])
      const found = new Map(rows.map(({ place, value }) => [place, value]))
      for (const [place, { resolve }] of reads.entries()) resolve(found.get(place))
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
  }

  async #createSchema(): Promise<void> {
    const client = await (await this.#openPool()).connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK])
      await client.query(postgresSchema)
      await client.query(insertVersion)
      assertRowsVersion((await client.query(selectVersion)).rows[0])
      await client.query('COMMIT')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}
