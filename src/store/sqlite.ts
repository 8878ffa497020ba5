import { DatabaseSync, type SQLOutputValue, type StatementResultingChanges } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { Backend, Guard, Row } from './backend.ts'
import { StoreError } from './errors.ts'
import { isLocked, longestWait, openDatabase, pauseBeforeRetry } from './sqlite-file.ts'
import type { TenantKey } from './tenant.ts'

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
    setWhile: db.prepare(
      `INSERT INTO callboard_store SELECT ?, ?, ?, ? FROM callboard_store
       WHERE namespace = ? AND key = ? AND value = coalesce(?, value) AND ${alive}
       ON CONFLICT (namespace, key) DO UPDATE SET value = excluded.value, expires = excluded.expires`,
    ),
    update: db.prepare(
      `UPDATE callboard_store SET value = ?, expires = ? WHERE namespace = ? AND key = ? AND ${alive}`,
    ),
    clearTenant: db.prepare(
      `DELETE FROM callboard_store WHERE namespace <> 'installations'
       AND substr(key || '/', 1, length(?)) = ?`,
    ),
    sweep: db.prepare('DELETE FROM callboard_store WHERE expires <= ?'),
    version: db.prepare('PRAGMA data_version'),
  }
}

export class SqliteBackend implements Backend {
  readonly now
  readonly #path
  readonly #db
  readonly #statements
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
    return this.#run('read', ({ get }) =>
      keys.flatMap((key) => {
        const found = get.get(namespace, key, this.now())
        return found ? [toRow(found)] : []
      }),
    )
  }

  async getAnew(namespace: string, key: string): Promise<Row | undefined> {
    if (this.#path === ':memory:') return (await this.get(namespace, [key]))[0]
    return this.#run('read anew', () => {
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
    await this.#run('write', ({ set }) => set.run(namespace, key, value, expires ?? null))
  }

  async delete(namespace: string, keys: readonly string[]): Promise<readonly string[]> {
    const gone: string[] = []
    for (const key of keys) {
      const result = await this.#run('delete', (statements) => statements.delete.run(namespace, key))
      if (hasChanged(result)) gone.push(key)
    }
    return gone
  }

  async clear(namespace: string, prefix = ''): Promise<void> {
    await this.#run('clear', ({ clear }) => clear.run(namespace, prefix, prefix))
  }

  async list(namespace: string, after: string, limit: number): Promise<readonly Row[]> {
    return this.#run('list', ({ list }) => list.all(namespace, after, this.now(), limit).map(toRow))
  }

  async insert(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [namespace, key, value, expires ?? null, this.now()]
    return hasChanged(await this.#run('insert', ({ insert }) => insert.run(...values)))
  }

  async replace(namespace: string, key: string, before: string, value: string): Promise<boolean> {
    const values = [value, namespace, key, before, this.now()]
    return hasChanged(await this.#run('replace', ({ replace }) => replace.run(...values)))
  }

  async raise(namespace: string, key: string, number: number, expires: EpochMs): Promise<boolean> {
    const values = [namespace, key, String(number), expires, this.now()]
    return hasChanged(await this.#run('raise', ({ raise }) => raise.run(...values)))
  }

  async setWhile(guard: Guard, namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [namespace, key, value, expires ?? null]
    const condition = [guard.namespace, guard.key, guard.value ?? null, this.now()]
    return hasChanged(await this.#run('write', ({ setWhile }) => setWhile.run(...values, ...condition)))
  }

  async update(namespace: string, { key, value, expires }: Row): Promise<boolean> {
    const values = [value, expires ?? null, namespace, key, this.now()]
    return hasChanged(await this.#run('write', ({ update }) => update.run(...values)))
  }

  async clearTenant(tenant: TenantKey): Promise<void> {
    await this.#run('clear', ({ clearTenant }) => clearTenant.run(`${tenant}/`, `${tenant}/`))
  }

  async sweep(): Promise<void> {
    await this.#run('sweep', ({ sweep }) => sweep.run(this.now()))
  }

  version(): number | undefined {
    const now = performance.now()
    if (now - this.#versionReadAt < versionFreshFor) return this.#version
    try {
      this.#version = Number(this.#statements.version.get()?.['data_version'])
    } catch (cause) {
      if (!isLocked(cause)) throw new StoreError('the store could not ask for the version', { cause })
      return undefined
    }
    this.#versionReadAt = now
    return this.#version
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  /** Where the file is locked the statement has changed nothing: it runs again, and meanwhile everything else does. */
  async #run<T>(action: string, work: (statements: ReturnType<typeof prepare>) => T): Promise<T> {
    for (const deadline = performance.now() + longestWait; ; ) {
      try {
        return work(this.#statements)
      } catch (cause) {
        if (!isLocked(cause) || performance.now() > deadline)
          throw new StoreError(`the store could not ${action}`, { cause })
      }
      await sleep(pauseBeforeRetry())
    }
  }
}
