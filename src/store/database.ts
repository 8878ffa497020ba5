import type { EpochMs } from '../util/units.ts'
import { StoreError, UnusableStoreError } from './errors.ts'
import type { TenantKey } from './tenant.ts'

export interface Row {
  readonly key: string
  readonly value: string
  /** `undefined`: kept for good. */
  readonly expires?: EpochMs | undefined
}

/** Which row of the table. */
export interface Place {
  readonly namespace: string
  readonly key: string
}

export type SqlValue = string | number | null

/** A row as the database's library gives it, with as many of these columns as the statement asks for. */
export interface FoundRow {
  readonly namespace?: unknown
  readonly key?: unknown
  readonly value?: unknown
  readonly expires?: unknown
}

/** One kind of database. What its library throws is passed on. */
export interface Driver {
  /** Whether each statement goes over a network: then reads that are asked for at the same time go together. */
  readonly isRemote: boolean
  /** @param text with `$1`, `$2`, … for the values */
  run(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]>
  /** As a process finds it that has only just opened the database. */
  runAnew(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]>
  close(): Promise<void>
}

const table = 'callboard_store'
const alive = (place: string) => `(expires IS NULL OR expires > ${place})`
const overwrite =
  'ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires'
const statements = {
  getOne: `SELECT namespace, key, value, expires FROM ${table} WHERE ${alive('$1')} AND namespace = $2 AND key = $3`,
  list: `SELECT key, value, expires FROM ${table}
    WHERE namespace = $1 AND key > $2 AND ${alive('$3')} ORDER BY key LIMIT $4`,
  insert: `INSERT INTO ${table} AS held (namespace, key, value, expires) VALUES ($1, $2, $3, $4)
    ${overwrite} WHERE held.expires <= $5 RETURNING key`,
  replace: `UPDATE ${table} SET value = $4
    WHERE namespace = $1 AND key = $2 AND value = $3 AND ${alive('$5')} RETURNING key`,
  update: `UPDATE ${table} SET value = $3, expires = $4
    WHERE namespace = $1 AND key = $2 AND ${alive('$5')} RETURNING key`,
  clear: `DELETE FROM ${table} WHERE namespace = $1`,
  clearTenant: `DELETE FROM ${table}
    WHERE namespace <> 'installations' AND substr(key || '/', 1, length(CAST($1 AS text))) = $1`,
  sweep: `DELETE FROM ${table} WHERE expires <= $1`,
}

/** `($2, $3), ($4, $5)` for two times two places from 2 on. */
function places(count: number, width: number, from: number): string {
  const tuple = (n: number) =>
    `(${Array.from({ length: width }, (_, place) => `$${from + n * width + place}`).join(', ')})`
  return Array.from({ length: count }, (_, n) => tuple(n)).join(', ')
}

/** So that there are a few texts for the databases to prepare, and no more: the last one is asked for several times. */
function paddedToPowerOfTwo<T>(all: readonly T[]): readonly T[] {
  const last = all.at(-1)
  if (last === undefined) return all
  return [...all, ...new Array<T>(2 ** Math.ceil(Math.log2(all.length)) - all.length).fill(last)]
}

function chunks<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
}

const toRow = ({ key, value, expires }: FoundRow): Row => ({
  key: String(key),
  value: String(value),
  expires: expires === null || expires === undefined ? undefined : Number(expires),
})

interface Read {
  readonly places: readonly Place[]
  readonly resolve: (rows: readonly FoundRow[]) => void
  readonly reject: (error: unknown) => void
}

const nameOf = ({ namespace, key }: Pick<FoundRow, 'namespace' | 'key'>) => `${namespace}\n${key}`

/**
 * Makes one query of what is asked for in the same turn of the event loop: an interaction reads four rows, and many of them
 * are in flight.
 */
class BatchedReads {
  readonly #query
  #waiting: Read[] = []

  constructor(query: (places: readonly Place[]) => Promise<readonly FoundRow[]>) {
    this.#query = query
  }

  /** @throws whatever the query throws */
  get(places: readonly Place[]): Promise<readonly FoundRow[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ places, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => void this.#readAll())
    })
  }

  async #readAll(): Promise<void> {
    const reads = this.#waiting
    this.#waiting = []
    try {
      const asked = new Map(reads.flatMap(({ places }) => places.map((place) => [nameOf(place), place])))
      const found = new Map((await this.#query([...asked.values()])).map((row) => [nameOf(row), row]))
      for (const { places, resolve } of reads)
        resolve(places.flatMap((place) => found.get(nameOf(place)) ?? []))
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
  }
}

/** Both kinds of database take more values in a statement than these come to. */
const rowsOfAStatement = 4096
const pageSize = 500

/**
 * The one table that everything is kept in, by namespace and key. Every statement sees rows that have expired, by the clock
 * `now`, as absent. Every method @throws {StoreError} with what the driver threw as its cause.
 */
export class Database {
  readonly now
  readonly #driver
  readonly #batched

  constructor(driver: Driver, now: () => EpochMs) {
    this.now = now
    this.#driver = driver
    this.#batched = driver.isRemote ? new BatchedReads((pairs) => this.#getPairs(pairs)) : undefined
  }

  /** Whether what this process has read stays true until this process changes it. */
  get isOwn(): boolean {
    return !this.#driver.isRemote
  }

  async get(namespace: string, keys: readonly string[]): Promise<readonly Row[]> {
    const pairs = keys.map((key) => ({ namespace, key }))
    return (await (this.#batched?.get(pairs) ?? this.#getPairs(pairs))).map(toRow)
  }

  /** In one statement. */
  async set(namespace: string, rows: readonly Row[]): Promise<void> {
    for (const some of chunks(rows, rowsOfAStatement)) {
      const values = some.flatMap(({ key, value, expires }) => [namespace, key, value, expires ?? null])
      const text = `INSERT INTO ${table} (namespace, key, value, expires) VALUES ${places(some.length, 4, 1)} ${overwrite}`
      await this.#run('write', text, values)
    }
  }

  /** @returns the keys of those that were there */
  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    const gone: string[] = []
    for (const some of chunks(keys, rowsOfAStatement)) {
      const padded = paddedToPowerOfTwo(some)
      const text = `DELETE FROM ${table} WHERE namespace = $1 AND key IN (${places(padded.length, 1, 2)}) RETURNING key`
      for (const { key } of await this.#run('delete', text, [namespace, ...padded])) gone.push(String(key))
    }
    return gone
  }

  async clear(namespace: string): Promise<void> {
    await this.#run('clear', statements.clear, [namespace])
  }

  /** At most `limit` rows with keys above `after`, in order. */
  async list(namespace: string, after: string, limit: number): Promise<readonly Row[]> {
    return (await this.#run('list', statements.list, [namespace, after, this.now(), limit])).map(toRow)
  }

  /** Every row whose key begins with `prefix` and comes after `from`, in the order of the keys. */
  async *scan(namespace: string, prefix = '', from = prefix): AsyncGenerator<Row, void> {
    for (let after = from; ; ) {
      const rows = await this.list(namespace, after, pageSize)
      for (const row of rows) {
        if (!row.key.startsWith(prefix)) return
        yield row
      }
      after = rows.at(-1)?.key ?? after
      if (rows.length < pageSize) return
    }
  }

  /** Inserts where there is none: `true` for exactly one of any number of callers. */
  async insert(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [namespace, key, value, expires ?? null, this.now()]
    return (await this.#run('insert', statements.insert, values)).length > 0
  }

  /** Sets where `before` still is what is there: `true` if it was. */
  async replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    const values = [namespace, key, before, value, this.now()]
    return (await this.#run('replace', statements.replace, values)).length > 0
  }

  /** Sets what is there already: `true` if it was. */
  async update(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [namespace, key, value, expires ?? null, this.now()]
    return (await this.#run('write', statements.update, values)).length > 0
  }

  /** Whether a process that has only just opened the database finds this row. */
  async keeps(namespace: string, { key, value }: Row): Promise<boolean> {
    const found = await this.#run('read', statements.getOne, [this.now(), namespace, key], 'runAnew')
    return found[0]?.value === value
  }

  /** Deletes everything of a tenant but its installation. */
  async clearTenant(tenant: TenantKey): Promise<void> {
    await this.#run('clear', statements.clearTenant, [`${tenant}/`])
  }

  /** Deletes what has expired. */
  async sweep(): Promise<void> {
    await this.#run('sweep', statements.sweep, [this.now()])
  }

  close(): Promise<void> {
    return this.#driver.close()
  }

  async #getPairs(pairs: readonly Place[]): Promise<readonly FoundRow[]> {
    const [first] = pairs
    if (first && pairs.length === 1)
      return this.#run('read', statements.getOne, [this.now(), first.namespace, first.key])
    const found: FoundRow[] = []
    for (const some of chunks(pairs, rowsOfAStatement)) {
      const padded = paddedToPowerOfTwo(some)
      const text = `SELECT namespace, key, value, expires FROM ${table}
        WHERE ${alive('$1')} AND (namespace, key) IN (VALUES ${places(padded.length, 2, 2)})`
      const values = padded.flatMap(({ namespace, key }) => [namespace, key])
      found.push(...(await this.#run('read', text, [this.now(), ...values])))
    }
    return found
  }

  async #run(
    action: string,
    text: string,
    values: readonly SqlValue[],
    how: 'run' | 'runAnew' = 'run',
  ): Promise<readonly FoundRow[]> {
    try {
      return await this.#driver[how](text, values)
    } catch (cause) {
      if (cause instanceof UnusableStoreError) throw cause
      throw new StoreError(`the store could not ${action}`, { cause })
    }
  }
}
