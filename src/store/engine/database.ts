import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { StoreError, UnusableStoreError } from '../errors.ts'
import type { TenantKey } from '../tenant.ts'

export interface Row {
  readonly key: string
  readonly value: string
  /** `undefined`: never. */
  readonly expires?: EpochMs | undefined
}

export interface Place {
  readonly namespace: string
  readonly key: string
}

export type SqlValue = string | number | null

/** Columns that a statement may return. */
export interface FoundRow {
  readonly key?: unknown
  readonly value?: unknown
}

export interface Driver {
  /** Whether other processes may change the database. */
  readonly isShared: boolean
  /** @param text with `$1`, `$2`, … for the values */
  run(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]>
  get(place: Place, now: EpochMs): Promise<string | undefined>
  close(): Promise<void>
}

const table = 'callboard_store'
/** Namespaces of rows by time: an ISO 8601 time leads each key, and the key of the record follows. */
export const TIME_INDEX_SUFFIX = '-due'
/** SQL counts from 1. */
const AFTER_TIME = new Date(0).toISOString().length + 1
const alive = (place: string) => `(expires IS NULL OR expires > ${place})`
const overwrite =
  'ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires'
/** `$1` is the current time. */
export const selectValue = `SELECT value FROM ${table} WHERE ${alive('$1')} AND namespace = $2 AND key = $3`
const statements = {
  list: `SELECT key, value FROM ${table}
    WHERE namespace = $1 AND key > $2 AND ${alive('$3')} ORDER BY key LIMIT $4`,
  listExcept: `SELECT key, value FROM ${table} WHERE namespace = $1 AND key > $2 AND ${alive('$3')}
    AND substr(value, 1, length(CAST($5 AS text))) <> $5 ORDER BY key LIMIT $4`,
  set: `INSERT INTO ${table} (namespace, key, value, expires) VALUES ($1, $2, $3, $4) ${overwrite}`,
  insert: `INSERT INTO ${table} AS held (namespace, key, value, expires) VALUES ($1, $2, $3, $4)
    ${overwrite} WHERE held.expires <= $5 RETURNING key`,
  replace: `UPDATE ${table} SET value = $4
    WHERE namespace = $1 AND key = $2 AND value = $3 AND ${alive('$5')} RETURNING key`,
  update: `UPDATE ${table} SET value = $3, expires = $4
    WHERE namespace = $1 AND key = $2 AND ${alive('$5')} RETURNING key`,
  delete: `DELETE FROM ${table} WHERE namespace = $1 AND key = $2 RETURNING key`,
  clear: `DELETE FROM ${table} WHERE namespace = $1`,
  clearTenant: `DELETE FROM ${table}
    WHERE namespace <> 'installations' AND substr(key || '/', 1, length(CAST($1 AS text))) = $1
    OR namespace LIKE '%${TIME_INDEX_SUFFIX}' AND substr(key, ${AFTER_TIME}, length(CAST($1 AS text))) = $1`,
  sweep: `DELETE FROM ${table} WHERE expires <= $1`,
}

const ROWS_PER_QUERY = 500

const READ_SCOPE_TTL_MS: Milliseconds = 5000

/** An interaction, which reads each record once. */
export interface ReadScope {
  /** By `performance.now()`. */
  readonly end: Milliseconds
}

/** Version of the rows that this program reads and writes, stored in its own row. */
const ROWS_VERSION = 1

export const insertVersion = `INSERT INTO ${table} (namespace, key, value)
  VALUES ('version', 'rows', '${ROWS_VERSION}') ON CONFLICT (namespace, key) DO NOTHING`
export const selectVersion = `SELECT value FROM ${table} WHERE namespace = 'version' AND key = 'rows'`

const versionRowSchema = z.object({ value: z.coerce.number().int().positive() })

/** Rejects rows of another version, which would be misread and overwritten. @throws {UnusableStoreError} */
export function assertRowsVersion(row: unknown): void {
  const version = versionRowSchema.safeParse(row).data?.value
  if (version === ROWS_VERSION) return
  throw new UnusableStoreError(
    `The database holds rows of version ${version ?? 'unknown'}, and this Callboard knows version ${ROWS_VERSION}: start the newer Callboard that wrote them, or restore a backup.`,
  )
}

/**
 * The only table, by namespace and key. Every statement treats rows that have expired, by the clock `now`, as absent. Every
 * method throws a `StoreError` with the driver's error as its cause.
 */
export class Database {
  readonly now
  readonly isShared
  readonly #driver
  readonly #readScopes = new AsyncLocalStorage<ReadScope>()

  constructor(driver: Driver, now: () => EpochMs) {
    this.now = now
    this.isShared = driver.isShared
    this.#driver = driver
  }

  /**
   * Runs the work of an interaction, in which repositories read each record once if other processes may change it. After 5 s
   * they read again, because work may leave something running behind.
   */
  shareReads<T>(work: () => T): T {
    const scope = { end: performance.now() + READ_SCOPE_TTL_MS }
    return this.isShared ? this.#readScopes.run(scope, work) : work()
  }

  get readScope(): ReadScope | undefined {
    const scope = this.#readScopes.getStore()
    return scope && performance.now() < scope.end ? scope : undefined
  }

  get(namespace: string, key: string): Promise<string | undefined> {
    return this.#attempt('read', this.#driver.get({ namespace, key }, this.now()))
  }

  async set(namespace: string, { key, value, expires }: Row): Promise<void> {
    await this.#run('write', statements.set, [namespace, key, value, expires ?? null])
  }

  async delete(namespace: string, key: string): Promise<boolean> {
    return (await this.#run('delete', statements.delete, [namespace, key])).length > 0
  }

  async clear(namespace: string): Promise<void> {
    await this.#run('clear', statements.clear, [namespace])
  }

  /** Yields every row whose key starts with `prefix` and comes after `from`, sorted by key. */
  scan(namespace: string, prefix = '', from = prefix): AsyncGenerator<Row, void> {
    return this.#list(statements.list, { namespace, prefix, from })
  }

  /** Yields every row whose value doesn't start with `start`, sorted by key. */
  scanExcept(namespace: string, start: string): AsyncGenerator<Row, void> {
    return this.#list(statements.listExcept, { namespace, prefix: '', from: '' }, start)
  }

  async *#list(
    text: string,
    { namespace, prefix, from }: Readonly<Record<'namespace' | 'prefix' | 'from', string>>,
    ...more: readonly string[]
  ): AsyncGenerator<Row, void> {
    for (let after = from; ; ) {
      const rows = await this.#run('list', text, [namespace, after, this.now(), ROWS_PER_QUERY, ...more])
      for (const row of rows) {
        after = String(row.key)
        if (!after.startsWith(prefix)) return
        yield { key: after, value: String(row.value) }
      }
      if (rows.length < ROWS_PER_QUERY) return
    }
  }

  /** Inserts a row unless there is one: returns `true` to exactly one of any number of callers. */
  async insert(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [namespace, key, value, expires ?? null, this.now()]
    return (await this.#run('insert', statements.insert, values)).length > 0
  }

  /** Replaces a value that is still `before`, keeping its expiry. @returns whether it was */
  async replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    const values = [namespace, key, before, value, this.now()]
    return (await this.#run('replace', statements.replace, values)).length > 0
  }

  /** Overwrites an existing row. @returns whether there was one */
  async update(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [namespace, key, value, expires ?? null, this.now()]
    return (await this.#run('write', statements.update, values)).length > 0
  }

  /** Deletes all rows of a tenant except its installation. */
  async clearTenant(tenant: TenantKey): Promise<void> {
    await this.#run('clear', statements.clearTenant, [`${tenant}/`])
  }

  /** Deletes rows that have expired. */
  async sweep(): Promise<void> {
    await this.#run('sweep', statements.sweep, [this.now()])
  }

  /** Reads a row. @throws {UnusableStoreError} if a newer version wrote the rows */
  async assertReadable(): Promise<void> {
    assertRowsVersion((await this.#run('read', selectVersion, []))[0])
  }

  close(): Promise<void> {
    return this.#driver.close()
  }

  #run(action: string, text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]> {
    return this.#attempt(action, this.#driver.run(text, values))
  }

  async #attempt<T>(action: string, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (cause) {
      if (cause instanceof UnusableStoreError) throw cause
      throw new StoreError(`the store could not ${action}`, { cause })
    }
  }
}
