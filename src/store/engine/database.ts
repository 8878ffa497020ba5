import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { createCache } from '../../util/cache.ts'
import { type EpochMs, hourMs, type Milliseconds } from '../../util/units.ts'
import { StoreError, UnusableStoreError } from '../errors.ts'
import type { TenantKey } from '../tenant.ts'
import type * as sql from './sql.ts'

const ROWS_PER_QUERY = 500

/** An interaction may leave work running, which must not rely on what was read long ago. */
const SHARED_READS_MS: Milliseconds = 5000

/** Each repository has a `WeakMap` of what it has read in an interaction, with this object as the key. */
interface InteractionKey {
  readonly endsAt: EpochMs
}

type OnMalformed = (row: sql.RowKey, problem: string) => void

/** Expired rows count as absent. Methods that read or write throw a `StoreError`. */
export class Database {
  readonly now
  readonly isShared
  /** Namespaces of records, without the number of a shard, for metrics. Each `Repository` and `Rows` adds its own. */
  readonly kinds = new Set<string>()
  readonly #driver
  readonly #onMalformed
  readonly #reported = createCache<true>({ max: 1000, ttlMs: hourMs })
  readonly #interactions = new AsyncLocalStorage<InteractionKey>()

  /** @param onMalformed called at most once an hour for each row */
  constructor(driver: sql.Driver, now: () => EpochMs, onMalformed: OnMalformed = () => {}) {
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

  /** The interaction whose reads may be reused, if there is one. Not needed unless other processes write (`isShared`). */
  get interaction(): InteractionKey | undefined {
    const interaction = this.#interactions.getStore()
    if (!interaction || this.now() >= interaction.endsAt) return undefined
    return interaction
  }

  get(namespace: string, key: string): Promise<string | undefined> {
    return this.#attempt('get', this.#driver.get({ namespace, key }, this.now()))
  }

  async set(namespace: string, { key, value, expires = null }: sql.Row): Promise<void> {
    await this.#run('set', namespace, key, value, expires)
  }

  delete(namespace: string, key: string): Promise<boolean> {
    return this.#change('delete', namespace, key)
  }

  /** Returns `true` to exactly one of any number of callers. */
  insert(namespace: string, { key, value, expires = null }: sql.Row): Promise<boolean> {
    return this.#change('insert', namespace, key, value, expires, this.now())
  }

  /** Replaces a value that is still `before`, and keeps its expiry. */
  replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    return this.#change('replace', namespace, key, before, value, this.now())
  }

  /** Overwrites only an existing row. */
  update(namespace: string, { key, value, expires = null }: sql.Row): Promise<boolean> {
    return this.#change('update', namespace, key, value, expires, this.now())
  }

  /** Yields the rows whose keys start with `prefix` and come after `after`, sorted by key. */
  async *scan(namespace: string, prefix = '', after = prefix): AsyncGenerator<sql.Row, void> {
    let lastKey = after
    while (true) {
      const rows = await this.#run('list', namespace, lastKey, this.now(), ROWS_PER_QUERY)
      for (const row of rows) {
        const key = String(row.key)
        if (!key.startsWith(prefix)) return
        yield { key, value: String(row.value) }
        lastKey = key
      }
      if (rows.length < ROWS_PER_QUERY) return
      // SQLite answers at once, so nothing else would run between the queries.
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

  /** Returns `undefined` for a malformed row, and reports it. */
  parse<T>(schema: z.ZodType<T>, row: sql.RowKey, text: string): T | undefined {
    const value = parseJson(text)
    const { success, data, error } = schema.safeParse(value)
    if (success) return data
    // Field names only, because a value may be a secret.
    const fields = error.issues.map(({ path }) => path.join('.')).join(', ')
    this.#reportOnce(row, value === undefined ? 'not JSON' : fields)
    return undefined
  }

  close(): Promise<void> {
    return this.#driver.close()
  }

  #reportOnce(row: sql.RowKey, problem: string): void {
    const name = `${row.namespace} ${row.key}`
    if (this.#reported.get(name)) return
    this.#reported.set(name, true)
    this.#onMalformed(row, problem)
  }

  /** Returns whether a row was changed. @param values `$1`, `$2`, … of the statement in `sql.ts` */
  async #change(name: sql.StatementName, ...values: readonly sql.Value[]): Promise<boolean> {
    const changedRows = await this.#run(name, ...values)
    return changedRows.length > 0
  }

  #run(name: sql.StatementName, ...values: readonly sql.Value[]): Promise<readonly sql.FoundRow[]> {
    return this.#attempt(name, this.#driver.run(name, values))
  }

  async #attempt<T>(name: sql.StatementName, work: Promise<T>): Promise<T> {
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
