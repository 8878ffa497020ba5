import type { DatabaseSync, SQLOutputValue, StatementResultingChanges } from 'node:sqlite'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { Backend, Row } from './backend.ts'
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
  readonly now: () => EpochMs
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>
  #version: number | undefined
  #versionReadAt = Number.NEGATIVE_INFINITY

  /** @param path a file, or `:memory:` */
  constructor(path: string, now: () => EpochMs) {
    this.now = now
    this.#db = openDatabase(path)
    this.#statements = prepare(this.#db)
  }

  async get(namespace: string, keys: readonly string[]): Promise<readonly Row[]> {
    return keys.flatMap((key) => {
      const found = this.#statements.get.get(namespace, key, this.now())
      return found ? [toRow(found)] : []
    })
  }

  async set(namespace: string, { key, value, expires }: Row): Promise<void> {
    this.#statements.set.run(namespace, key, value, expires ?? null)
  }

  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    return keys.filter((key) => hasChanged(this.#statements.delete.run(namespace, key)))
  }

  async clear(namespace: string, prefix = ''): Promise<void> {
    this.#statements.clear.run(namespace, prefix, prefix)
  }

  async list(namespace: string, after: string, limit: number): Promise<readonly Row[]> {
    return this.#statements.list.all(namespace, after, this.now(), limit).map(toRow)
  }

  async insert(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    return hasChanged(this.#statements.insert.run(namespace, key, value, expires ?? null, this.now()))
  }

  async replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    return hasChanged(this.#statements.replace.run(value, namespace, key, before, this.now()))
  }

  async raise(namespace: string, key: string, number: number, expires: EpochMs): Promise<boolean> {
    return hasChanged(this.#statements.raise.run(namespace, key, String(number), expires, this.now()))
  }

  async sweep(): Promise<void> {
    this.#statements.sweep.run(this.now())
  }

  version(): number | undefined {
    const now = performance.now()
    if (now - this.#versionReadAt < versionFreshFor) return this.#version
    this.#version = Number(this.#statements.version.get()?.['data_version'])
    this.#versionReadAt = now
    return this.#version
  }

  async ping(): Promise<void> {
    this.#statements.ping.get()
  }

  async close(): Promise<void> {
    this.#db.close()
  }
}
