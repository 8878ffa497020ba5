import { createRequire } from 'node:module'
import type pg from 'pg'
import type { Driver, FoundRow, SqlValue } from './database.ts'
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
/** Of texts there are some thirty, but for writes of several rows. */
const mostPrepared = 100

const load = createRequire(import.meta.url)

/** Connects, and creates the schema, when it is first used, so that the app starts while the server is down. */
export class PostgresDriver implements Driver {
  readonly isRemote = true
  readonly #pool: pg.Pool
  readonly #names = new Map<string, string>()
  #schemaReady: Promise<void> | undefined

  /** @param options.onIdleError is told of connections that the server ended while idle: unheard, that ends the process */
  constructor(options: { url: string; onIdleError: (error: Error) => void }) {
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

  async run(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]> {
    this.#schemaReady ??= this.#createSchema().catch((error) => {
      this.#schemaReady = undefined
      throw error
    })
    await this.#schemaReady
    const name = this.#nameOf(text)
    const query = { text, values: [...values] }
    return (await this.#pool.query<FoundRow>(name === undefined ? query : { name, ...query })).rows
  }

  runAnew(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]> {
    return this.run(text, values)
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /** A statement with a name is prepared once for each connection. */
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= mostPrepared) return known
    const name = `callboard_${this.#names.size}`
    this.#names.set(text, name)
    return name
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
