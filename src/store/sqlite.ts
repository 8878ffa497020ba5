import type { DatabaseSync, SQLOutputValue, StatementResultingChanges } from 'node:sqlite'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { Backend, Row } from './backend.ts'
import { StoreError } from './errors.ts'
import { openDatabase } from './sqlite-file.ts'

const alive = '(expires IS NULL OR expires > ?)'

function toRow(found: Record<string, SQLOutputValue>): Row {
  return {
    key: String(found['key']),
    value: String(found['value']),
    expires: found['expires'] === null ? undefined : Number(found['expires']),
  }
}

const hasChanged = ({ changes }: StatementResultingChanges) => Number(changes) > 0

/** Asking for the version costs as much as reading a row. */
const versionFreshFor: Milliseconds = 10

function prepare(db: DatabaseSync) {
  return {
    get: db.prepare(
      `SELECT key, value, expires FROM callboard_store WHERE namespace = ? AND key = ? AND ${alive}`,
    ),
    set: db.prepare('INSERT OR REPLACE INTO callboard_store VALUES (?, ?, ?, ?)'),
    delete: db.prepare('DELETE FROM callboard_store WHERE namespace = ? AND key = ?'),
    clear: db.prepare('DELETE FROM callboard_store WHERE namespace = ? AND substr(key, 1, length(?)) = ?'),
    list: db.prepare(
      `SELECT key, value, expires FROM callboard_store WHERE namespace = ? AND key > ? AND ${alive} ORDER BY key LIMIT ?`,
    ),
    insert: db.prepare(
      `INSERT INTO callboard_store VALUES (?, ?, ?, ?) ON CONFLICT (namespace, key)
       DO UPDATE SET value = excluded.value, expires = excluded.expires WHERE expires <= ?`,
    ),
    replace: db.prepare(
      `UPDATE callboard_store SET value = ? WHERE namespace = ? AND key = ? AND value = ? AND ${alive}`,
    ),
    raise: db.prepare(
      `INSERT INTO callboard_store VALUES (?, ?, ?, ?) ON CONFLICT (namespace, key)
       DO UPDATE SET value = excluded.value, expires = excluded.expires
       WHERE CAST(callboard_store.value AS INTEGER) < CAST(excluded.value AS INTEGER) OR callboard_store.expires <= ?`,
    ),
    sweep: db.prepare('DELETE FROM callboard_store WHERE expires <= ?'),
    ping: db.prepare('SELECT 1'),
    version: db.prepare('PRAGMA data_version'),
  }
}

export class SqliteBackend implements Backend {
  readonly now
  readonly #db
  readonly #statements
  #version: number | undefined
  #versionReadAt = Number.NEGATIVE_INFINITY

  /** @param path a file, or `:memory:` */
  constructor(path: string, now: () => EpochMs) {
    this.now = now
    this.#db = openDatabase(path)
    this.#statements = prepare(this.#db)
  }

  async get(namespace: string, keys: readonly string[]): Promise<readonly Row[]> {
    return this.#run('read', ({ get }) =>
      keys.flatMap((key) => {
        const found = get.get(namespace, key, this.now())
        return found ? [toRow(found)] : []
      }),
    )
  }

  async set(namespace: string, { key, value, expires }: Row): Promise<void> {
    this.#run('write', ({ set }) => set.run(namespace, key, value, expires ?? null))
  }

  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    return this.#run('delete', (statements) =>
      keys.filter((key) => hasChanged(statements.delete.run(namespace, key))),
    )
  }

  async clear(namespace: string, prefix = ''): Promise<void> {
    this.#run('clear', ({ clear }) => clear.run(namespace, prefix, prefix))
  }

  async list(namespace: string, after: string, limit: number): Promise<readonly Row[]> {
    return this.#run('list', ({ list }) => list.all(namespace, after, this.now(), limit).map(toRow))
  }

  async insert(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [namespace, key, value, expires ?? null, this.now()]
    return hasChanged(this.#run('insert', ({ insert }) => insert.run(...values)))
  }

  async replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    const values = [value, namespace, key, before, this.now()]
    return hasChanged(this.#run('replace', ({ replace }) => replace.run(...values)))
  }

  async raise(namespace: string, key: string, number: number, expires: EpochMs): Promise<boolean> {
    const values = [namespace, key, String(number), expires, this.now()]
    return hasChanged(this.#run('raise', ({ raise }) => raise.run(...values)))
  }

  async sweep(): Promise<void> {
    this.#run('sweep', ({ sweep }) => sweep.run(this.now()))
  }

  version(): number | undefined {
    const now = performance.now()
    if (now - this.#versionReadAt < versionFreshFor) return this.#version
    this.#version = this.#run('ask for the version', ({ version }) => Number(version.get()?.['data_version']))
    this.#versionReadAt = now
    return this.#version
  }

  async ping(): Promise<void> {
    this.#run('be reached', ({ ping }) => ping.get())
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  #run<T>(action: string, work: (statements: ReturnType<typeof prepare>) => T): T {
    try {
      return work(this.#statements)
    } catch (cause) {
      throw new StoreError(`the store could not ${action}`, { cause })
    }
  }
}
