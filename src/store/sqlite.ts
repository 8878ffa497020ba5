import { DatabaseSync, type SQLOutputValue, type StatementResultingChanges } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { Backend, Row } from './backend.ts'
import { isLocked, longestWait, openDatabase, pauseBeforeRetry } from './sqlite-file.ts'

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

const getText = `SELECT key, value, expires FROM callboard_store WHERE namespace = ? AND key = ? AND ${alive}`

/** Where the file is locked the statement has changed nothing: it runs again, and meanwhile everything else does. */
async function onceUnlocked<T>(statement: () => T): Promise<T> {
  for (const deadline = performance.now() + longestWait; ; ) {
    try {
      return statement()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
    }
    await sleep(pauseBeforeRetry())
  }
}

function prepare(db: DatabaseSync) {
  return {
    get: db.prepare(getText),
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
    version: db.prepare('PRAGMA data_version'),
  }
}

export class SqliteBackend implements Backend {
  readonly now: () => EpochMs
  readonly #path: string
  readonly #db: DatabaseSync
  readonly #statements: ReturnType<typeof prepare>
  #version: number | undefined
  #versionReadAt = Number.NEGATIVE_INFINITY

  /** @param path a file, or `:memory:` */
  constructor(path: string, now: () => EpochMs) {
    this.now = now
    this.#path = path
    this.#db = openDatabase(path)
    this.#statements = prepare(this.#db)
  }

  async get(namespace: string, keys: readonly string[]): Promise<readonly Row[]> {
    const found = (key: string) => this.#statements.get.get(namespace, key, this.now())
    return onceUnlocked(() => keys.map(found).flatMap((row) => (row ? [toRow(row)] : [])))
  }

  async getAnew(namespace: string, key: string): Promise<Row | undefined> {
    if (this.#path === ':memory:') return (await this.get(namespace, [key]))[0]
    return onceUnlocked(() => {
      const db = new DatabaseSync(this.#path, { readOnly: true })
      try {
        const found = db.prepare(getText).get(namespace, key, this.now())
        return found && toRow(found)
      } finally {
        db.close()
      }
    })
  }

  async set(namespace: string, { key, value, expires }: Row): Promise<void> {
    await onceUnlocked(() => this.#statements.set.run(namespace, key, value, expires ?? null))
  }

  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    const gone: string[] = []
    for (const key of keys)
      if (hasChanged(await onceUnlocked(() => this.#statements.delete.run(namespace, key)))) gone.push(key)
    return gone
  }

  async clear(namespace: string, prefix = ''): Promise<void> {
    await onceUnlocked(() => this.#statements.clear.run(namespace, prefix, prefix))
  }

  async list(namespace: string, after: string, limit: number): Promise<readonly Row[]> {
    return onceUnlocked(() => this.#statements.list.all(namespace, after, this.now(), limit).map(toRow))
  }

  async insert(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const { insert } = this.#statements
    return hasChanged(
      await onceUnlocked(() => insert.run(namespace, key, value, expires ?? null, this.now())),
    )
  }

  async replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    const { replace } = this.#statements
    return hasChanged(await onceUnlocked(() => replace.run(value, namespace, key, before, this.now())))
  }

  async raise(namespace: string, key: string, number: number, expires: EpochMs): Promise<boolean> {
    const { raise } = this.#statements
    return hasChanged(
      await onceUnlocked(() => raise.run(namespace, key, String(number), expires, this.now())),
    )
  }

  async sweep(): Promise<void> {
    await onceUnlocked(() => this.#statements.sweep.run(this.now()))
  }

  version(): number | undefined {
    const now = performance.now()
    if (now - this.#versionReadAt < versionFreshFor) return this.#version
    try {
      this.#version = Number(this.#statements.version.get()?.['data_version'])
    } catch (error) {
      if (!isLocked(error)) throw error
      return undefined
    }
    this.#versionReadAt = now
    return this.#version
  }

  async close(): Promise<void> {
    this.#db.close()
  }
}
