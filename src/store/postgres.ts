import { createRequire } from 'node:module'
import type pg from 'pg'
import { z } from 'zod'
import type { EpochMs } from '../util/units.ts'
import type { Backend, Guard, Row } from './backend.ts'
import { BatchedReads } from './batched-reads.ts'
import { StoreError, UnusableStoreError } from './errors.ts'
import type { TenantKey } from './tenant.ts'
import { assertRowsVersion, insertVersion, selectVersion } from './version.ts'

// COLLATE "C": keys sort by their bytes, as in SQLite, whatever the database's language.
const schema = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace text NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, expires bigint,
    PRIMARY KEY (namespace, key)
  );
  CREATE INDEX IF NOT EXISTS callboard_store_expires ON callboard_store (expires) WHERE expires IS NOT NULL;`

/** `CREATE TABLE IF NOT EXISTS` by several clients at once fails: they take turns under this lock. */
const schemaLock = 4_012_026

const rowsSchema = z
  .array(z.object({ key: z.string(), value: z.string(), expires: z.coerce.number().nullable() }))
  .transform((found): readonly Row[] => found.map((row) => ({ ...row, expires: row.expires ?? undefined })))

const load = createRequire(import.meta.url)

const alive = (place: string) => `(expires IS NULL OR expires > ${place})`

/** Connects, and creates the schema, when it is first used, so that the app starts while the server is down. */
export class PostgresBackend implements Backend {
  readonly now
  readonly #pool: pg.Pool
  #schemaReady: Promise<void> | undefined
  readonly #reads = new BatchedReads(async (namespaces, keys) => {
    const text = `SELECT DISTINCT namespace || chr(10) || key AS key, value, expires FROM callboard_store
      JOIN unnest($1::text[], $2::text[]) AS asked (namespace, key) USING (namespace, key) WHERE ${alive('$3')}`
    return (await this.#query('get', text, [namespaces, keys, this.now()])).rows
  })

  /** @param options.onIdleError is told of connections that the server ended while idle: unheard, that ends the process */
  constructor(options: { url: string; now: () => EpochMs; onIdleError: (error: Error) => void }) {
    this.now = options.now
    // Loaded here: a start over SQLite is 30 ms sooner without it.
    const library: typeof pg = load('pg')
    this.#pool = new library.Pool({
      connectionString: options.url,
      max: 10,
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    })
    this.#pool.on('error', options.onIdleError)
    // The pool listens to the idle ones alone. Whoever uses another learns of its end by its query, which fails.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  get(namespace: string, keys: readonly string[]): Promise<readonly Row[]> {
    return this.#reads.get(namespace, keys)
  }

  async getAnew(namespace: string, key: string): Promise<Row | undefined> {
    return (await this.get(namespace, [key]))[0]
  }

  async set(namespace: string, { key, value, expires }: Row): Promise<void> {
    const text = `INSERT INTO callboard_store VALUES ($1, $2, $3, $4)
      ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`
    await this.#query('set', text, [namespace, key, value, expires ?? null])
  }

  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    const text =
      'DELETE FROM callboard_store WHERE namespace = $1 AND key = ANY($2) RETURNING key, value, expires'
    return (await this.#query('delete', text, [namespace, keys])).rows.map(({ key }) => key)
  }

  async clear(namespace: string, prefix = ''): Promise<void> {
    const text = 'DELETE FROM callboard_store WHERE namespace = $1 AND starts_with(key, $2)'
    await this.#query('clear', text, [namespace, prefix])
  }

  async list(namespace: string, after: string, limit: number): Promise<readonly Row[]> {
    const text = `SELECT key, value, expires FROM callboard_store
      WHERE namespace = $1 AND key > $2 AND ${alive('$3')} ORDER BY key LIMIT $4`
    return (await this.#query('list', text, [namespace, after, this.now(), limit])).rows
  }

  async insert(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const text = `INSERT INTO callboard_store AS held VALUES ($1, $2, $3, $4) ON CONFLICT (namespace, key)
      DO UPDATE SET value = excluded.value, expires = excluded.expires WHERE held.expires <= $5`
    return (await this.#query('insert', text, [namespace, key, value, expires ?? null, this.now()]))
      .hasChanged
  }

  async replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    const text = `UPDATE callboard_store SET value = $4
      WHERE namespace = $1 AND key = $2 AND value = $3 AND ${alive('$5')}`
    return (await this.#query('replace', text, [namespace, key, before, value, this.now()])).hasChanged
  }

  async raise(namespace: string, key: string, number: number, expires: EpochMs): Promise<boolean> {
    const text = `INSERT INTO callboard_store AS held VALUES ($1, $2, $3, $4) ON CONFLICT (namespace, key)
      DO UPDATE SET value = excluded.value, expires = excluded.expires
      WHERE held.value::bigint < excluded.value::bigint OR held.expires <= $5`
    return (await this.#query('raise', text, [namespace, key, String(number), expires, this.now()]))
      .hasChanged
  }

  async setWhile(guard: Guard, namespace: string, { key, value, expires }: Row): Promise<boolean> {
    // FOR SHARE: what deletes the guard's row waits for this write, and sees it when it goes on to delete the rest.
    const text = `INSERT INTO callboard_store SELECT $1, $2, $3, $4::bigint FROM (
        SELECT 1 FROM callboard_store
        WHERE namespace = $5 AND key = $6 AND value = coalesce($7, value) AND ${alive('$8')} FOR SHARE
      ) AS guard
      ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`
    const condition = [guard.namespace, guard.key, guard.value ?? null, this.now()]
    const values = [namespace, key, value, expires ?? null, ...condition]
    return (await this.#query('set_while', text, values)).hasChanged
  }

  async update(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const text = `UPDATE callboard_store SET value = $3, expires = $4 WHERE namespace = $1 AND key = $2 AND ${alive('$5')}`
    return (await this.#query('update', text, [namespace, key, value, expires ?? null, this.now()]))
      .hasChanged
  }

  async clearTenant(tenant: TenantKey): Promise<void> {
    const text =
      "DELETE FROM callboard_store WHERE namespace <> 'installations' AND starts_with(key || '/', $1)"
    await this.#query('clear_tenant', text, [`${tenant}/`])
  }

  async sweep(): Promise<void> {
    await this.#query('sweep', 'DELETE FROM callboard_store WHERE expires <= $1', [this.now()])
  }

  version(): undefined {
    return undefined
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #query(name: string, text: string, values: readonly unknown[]) {
    try {
      this.#schemaReady ??= this.#createSchema().catch((error) => {
        this.#schemaReady = undefined
        throw error
      })
      await this.#schemaReady
      const result = await this.#pool.query({ name: `callboard_${name}`, text, values: [...values] })
      return { rows: rowsSchema.parse(result.rows), hasChanged: (result.rowCount ?? 0) > 0 }
    } catch (cause) {
      if (cause instanceof UnusableStoreError) throw cause
      throw new StoreError(`the store could not ${name}`, { cause })
    }
  }

  async #createSchema(): Promise<void> {
    const client = await this.#pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock])
      await client.query(schema)
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
