import { createRequire } from 'node:module'
import type pg from 'pg'
import { z } from 'zod'
import type { Backend, Row } from './backend.ts'

// COLLATE "C": keys sort by their bytes, as in SQLite, whatever the database's language.
const schema = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace text NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, expires bigint,
    PRIMARY KEY (namespace, key)
  );
  CREATE INDEX IF NOT EXISTS callboard_store_expires ON callboard_store (expires) WHERE expires IS NOT NULL;`

/** `CREATE TABLE IF NOT EXISTS` by several clients at once fails: they take turns under this lock. */
const schemaLock = 4_012_026

const rows = z.array(z.object({ key: z.string(), value: z.string(), expires: z.coerce.number().nullable() }))
const toRows = (found: unknown): readonly Row[] =>
  rows.parse(found).map(({ key, value, expires }) => ({ key, value, expires: expires ?? undefined }))

const load = createRequire(import.meta.url)

const alive = (place: string) => `(expires IS NULL OR expires > ${place})`

export interface PostgresOptions {
  readonly url: string
  /** Told of connections that the server ended while idle; without a listener that would end the process. */
  readonly onIdleError: (error: Error) => void
}

/** Connects, and creates the schema, when it is first used, so that the app starts while the server is down. */
export function openPostgres({ url, onIdleError }: PostgresOptions): Backend {
  // Loaded here: a start over SQLite is 30 ms sooner without it.
  const library: typeof pg = load('pg')
  const pool = new library.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 2000,
    query_timeout: 5000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  pool.on('error', onIdleError)
  let schemaReady: Promise<void> | undefined

  async function createSchema(): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
      await client.query(schema)
      await client.query('COMMIT')
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async function query(name: string, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    schemaReady ??= createSchema().catch((error) => {
      schemaReady = undefined
      throw error
    })
    await schemaReady
    return pool.query({ name: `callboard_${name}`, text, values: [...values] })
  }

  const changed = async (result: Promise<pg.QueryResult>) => ((await result).rowCount ?? 0) > 0

  return {
    async get(namespace, keys, now) {
      const text = `SELECT key, value, expires FROM callboard_store WHERE namespace = $1 AND key = ANY($2) AND ${alive('$3')}`
      return toRows((await query('get', text, [namespace, keys, now])).rows)
    },
    async set(namespace, row) {
      const text = `INSERT INTO callboard_store VALUES ($1, $2, $3, $4)
        ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`
      await query('set', text, [namespace, row.key, row.value, row.expires ?? null])
    },
    async delete(namespace, keys) {
      const text =
        'DELETE FROM callboard_store WHERE namespace = $1 AND key = ANY($2) RETURNING key, value, expires'
      return toRows((await query('delete', text, [namespace, keys])).rows).map(({ key }) => key)
    },
    async clear(namespace, prefix = '') {
      await query('clear', 'DELETE FROM callboard_store WHERE namespace = $1 AND starts_with(key, $2)', [
        namespace,
        prefix,
      ])
    },
    async list(namespace, after, limit, now) {
      const text = `SELECT key, value, expires FROM callboard_store
        WHERE namespace = $1 AND key > $2 AND ${alive('$3')} ORDER BY key LIMIT $4`
      return toRows((await query('list', text, [namespace, after, now, limit])).rows)
    },
    insert(namespace, row, now) {
      const text = `INSERT INTO callboard_store AS held VALUES ($1, $2, $3, $4) ON CONFLICT (namespace, key)
        DO UPDATE SET value = excluded.value, expires = excluded.expires WHERE held.expires <= $5`
      return changed(query('insert', text, [namespace, row.key, row.value, row.expires ?? null, now]))
    },
    replace(namespace, key, before, value, now) {
      const text = `UPDATE callboard_store SET value = $4
        WHERE namespace = $1 AND key = $2 AND value = $3 AND ${alive('$5')}`
      return changed(query('replace', text, [namespace, key, before, value, now]))
    },
    raise(namespace, key, number, expires, now) {
      const text = `INSERT INTO callboard_store AS held VALUES ($1, $2, $3, $4) ON CONFLICT (namespace, key)
        DO UPDATE SET value = excluded.value, expires = excluded.expires
        WHERE held.value::bigint < excluded.value::bigint OR held.expires <= $5`
      return changed(query('raise', text, [namespace, key, String(number), expires, now]))
    },
    async sweep(now) {
      await query('sweep', 'DELETE FROM callboard_store WHERE expires <= $1', [now])
    },
    version: () => undefined,
    async ping() {
      await query('ping', 'SELECT 1', [])
    },
    close: () => pool.end(),
  }
}
