import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { createCache } from '../../util/cache.ts'
import { type EpochMs, hourMs, type Milliseconds } from '../../util/units.ts'
import { StoreError, UnusableStoreError } from '../errors.ts'
import type { TenantKey } from '../tenant.ts'

export interface Row {
  readonly key: string
  readonly value: string
  /** Never by default. */
  readonly expires?: EpochMs | null | undefined
}

export interface RowKey {
  readonly namespace: string
  readonly key: string
}

export type SqlValue = string | number | null

export type FoundRow = Readonly<Partial<Record<'key' | 'value', unknown>>>

export interface Driver {
  /** Whether other processes may change the database. */
  readonly isShared: boolean
  run(name: StatementName, values: readonly SqlValue[]): Promise<readonly FoundRow[]>
  get(row: RowKey, now: EpochMs): Promise<string | undefined>
  close(): Promise<void>
}

const table = 'callboard_store'
/** Namespaces whose keys are an ISO 8601 time followed by the key of a record. */
export const TIME_INDEX_SUFFIX = '-due'
/** Position at which the key of the record begins; SQL counts from 1. */
const AFTER_TIME = new Date(0).toISOString().length + 1
const alive = (place: string) => `(expires IS NULL OR expires > ${place})`
/** Whether a text starts with the first value. */
const startsWith = (text: string) => `substr(${text}, 1, length(CAST($1 AS text))) = $1`
const overwrite =
  'ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires'

export const statements = {
  get: `SELECT value FROM ${table} WHERE ${alive('$1')} AND namespace = $2 AND key = $3`,
  list: `SELECT key, value FROM ${table}
    WHERE namespace = $1 AND key > $2 AND ${alive('$3')} ORDER BY key LIMIT $4`,
  set: `INSERT INTO ${table} (namespace, key, value, expires) VALUES ($1, $2, $3, $4) ${overwrite}`,
  insert: `INSERT INTO ${table} AS held (namespace, key, value, expires) VALUES ($1, $2, $3, $4)
    ${overwrite} WHERE held.expires <= $5 RETURNING key`,
  replace: `UPDATE ${table} SET value = $4
    WHERE namespace = $1 AND key = $2 AND value = $3 AND ${alive('$5')} RETURNING key`,
  update: `UPDATE ${table} SET value = $3, expires = $4
    WHERE namespace = $1 AND key = $2 AND ${alive('$5')} RETURNING key`,
  delete: `DELETE FROM ${table} WHERE namespace = $1 AND key = $2 RETURNING key`,
  deleteTenant: `DELETE FROM ${table} WHERE namespace <> 'installations' AND ${startsWith("key || '/'")}
    OR namespace LIKE '%${TIME_INDEX_SUFFIX}' AND ${startsWith(`substr(key, ${AFTER_TIME})`)}`,
  deleteExpired: `DELETE FROM ${table} WHERE expires <= $1`,
} as const
export type StatementName = keyof typeof statements

const ROWS_VERSION = '1'
const versionPlace = ['version', 'rows'] as const

/** Returns the stored version, after storing `ROWS_VERSION` in a new table. */
export const initVersion = `INSERT INTO ${table} AS held (namespace, key, value)
  VALUES ('${versionPlace.join("', '")}', '${ROWS_VERSION}')
  ON CONFLICT (namespace, key) DO UPDATE SET value = held.value RETURNING value`

/** Rows of another version would be misread and overwritten. @throws {UnusableStoreError} */
export function assertRowsVersion(version: unknown): void {
  if (version === ROWS_VERSION) return
  throw new UnusableStoreError(
    `The database holds rows of version ${version ?? 'unknown'}, and this Callboard knows version ${ROWS_VERSION}: start the newer Callboard that wrote them, or restore a backup.`,
  )
}

const ROWS_PER_QUERY = 500

/** An interaction may leave work running, which must not rely on what was read long ago. */
const SHARED_READS_MS: Milliseconds = 5000

/** Repositories keep what an interaction has read by this object. */
interface SharedReads {
  readonly endsAt: EpochMs
}

type OnMalformed = (row: RowKey, problem: string) => void

/** Expired rows count as absent. Every method throws a `StoreError`. */
export class Database {
  readonly now
  readonly isShared
  readonly #driver
  readonly #onMalformed
  readonly #reported = createCache<true>({ max: 1000, ttlMs: hourMs })
  readonly #interactions = new AsyncLocalStorage<SharedReads>()

  /** @param onMalformed called at most once an hour for each row */
  constructor(driver: Driver, now: () => EpochMs, onMalformed: OnMalformed = () => {}) {
    this.now = now
    this.isShared = driver.isShared
    this.#driver = driver
    this.#onMalformed = onMalformed
  }

  /** Runs the work of an interaction, in which repositories read each record once. */
  shareReads<T>(work: () => T): T {
    if (!this.isShared) return work()
    return this.#interactions.run({ endsAt: this.now() + SHARED_READS_MS }, work)
  }

  /** The interaction whose reads may be reused. Without one, reads may be reused only if no other process writes. */
  get interaction(): SharedReads | undefined {
    const interaction = this.#interactions.getStore()
    return interaction && this.now() < interaction.endsAt ? interaction : undefined
  }

  get(namespace: string, key: string): Promise<string | undefined> {
    return this.#attempt('get', this.#driver.get({ namespace, key }, this.now()))
  }

  async set(namespace: string, { key, value, expires = null }: Row): Promise<void> {
    await this.#run('set', namespace, key, value, expires)
  }

  delete(namespace: string, key: string): Promise<boolean> {
    return this.#change('delete', namespace, key)
  }

  /** Returns `true` to exactly one of any number of callers. */
  insert(namespace: string, { key, value, expires = null }: Row): Promise<boolean> {
    return this.#change('insert', namespace, key, value, expires, this.now())
  }

  /** Replaces a value that is still `before`, and keeps its expiry. */
  replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    return this.#change('replace', namespace, key, before, value, this.now())
  }

  /** Overwrites only an existing row. */
  update(namespace: string, { key, value, expires = null }: Row): Promise<boolean> {
    return this.#change('update', namespace, key, value, expires, this.now())
  }

  /** Yields the rows after `from` whose keys start with `prefix`, sorted by key. */
  async *scan(namespace: string, prefix = '', from = prefix): AsyncGenerator<Row, void> {
    let after = from
    while (true) {
      const rows = await this.#run('list', namespace, after, this.now(), ROWS_PER_QUERY)
      for (const row of rows) {
        after = String(row.key)
        if (!after.startsWith(prefix)) return
        yield { key: after, value: String(row.value) }
      }
      if (rows.length < ROWS_PER_QUERY) return
      await nextTurn()
    }
  }

  /** Keeps the tenant's installation. */
  async deleteTenant(tenant: TenantKey): Promise<void> {
    await this.#run('deleteTenant', `${tenant}/`)
  }

  async deleteExpired(): Promise<void> {
    await this.#run('deleteExpired', this.now())
  }

  /** @throws {UnusableStoreError} if a newer version wrote the rows */
  async assertReadable(): Promise<void> {
    assertRowsVersion(await this.get(...versionPlace))
  }

  /** Reports a malformed row and returns `undefined` for it. */
  parse<T>(schema: z.ZodType<T>, row: RowKey, text: string): T | undefined {
    const value = parseJson(text)
    const { data, error } = schema.safeParse(value)
    const name = `${row.namespace} ${row.key}`
    if (error && !this.#reported.get(name)) {
      this.#reported.set(name, true)
      // Field names only, because a value may be a secret.
      const fields = error.issues.map(({ path }) => path.join('.')).join(', ')
      this.#onMalformed(row, value === undefined ? 'not JSON' : fields)
    }
    return data
  }

  close(): Promise<void> {
    return this.#driver.close()
  }

  async #change(name: StatementName, ...values: readonly SqlValue[]): Promise<boolean> {
    return (await this.#run(name, ...values)).length > 0
  }

  #run(name: StatementName, ...values: readonly SqlValue[]): Promise<readonly FoundRow[]> {
    return this.#attempt(name, this.#driver.run(name, values))
  }

  async #attempt<T>(name: StatementName, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (cause) {
      if (cause instanceof UnusableStoreError) throw cause
      throw new StoreError(`the store could not ${name}`, { cause })
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
