import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { Backend, Row } from './backend.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;`
// No index on `expires`: it would make every click's write a third dearer, for a sweep every ten minutes.

const alive = '(expires IS NULL OR expires > ?)'

function toRow(found: Record<string, SQLOutputValue>): Row {
  return {
    key: String(found['key']),
    value: String(found['value']),
    expires: found['expires'] === null ? undefined : Number(found['expires']),
  }
}

/** The file, readable by its owner alone before SQLite ever writes to it; SQLite gives -wal and -shm the same mode. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (existsSync(path)) chmodSync(path, 0o600)
  else closeSync(openSync(path, 'a', 0o600))
}

const lockedCode = 5
const longestWaitMs = 5000

/**
 * Several processes that open a new file at the same moment stand in each other's way while they change its journal mode,
 * and SQLite does not wait there whatever `busy_timeout` says. (https://sqlite.org/wal.html, "Sometimes Queries Return
 * SQLITE_BUSY In WAL Mode".)
 */
function waitingForOthers(work: () => void): void {
  const deadline = Date.now() + longestWaitMs
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const isLocked = error instanceof Error && 'errcode' in error && error.errcode === lockedCode
      if (!isLocked || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 + Math.random() * 40)
    }
  }
}

/** @param path a file, or `:memory:` */
export function openSqlite(path: string): Backend {
  if (path !== ':memory:') createPrivately(path)
  const db = new DatabaseSync(path)
  db.exec('PRAGMA busy_timeout = 5000')
  waitingForOthers(() => db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;'))
  waitingForOthers(() => db.exec(schema))

  const one = db.prepare(
    `SELECT key, value, expires FROM callboard_store WHERE namespace = ? AND key = ? AND ${alive}`,
  )
  const put = db.prepare('INSERT OR REPLACE INTO callboard_store VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM callboard_store WHERE namespace = ? AND key = ?')
  const clear = db.prepare(
    'DELETE FROM callboard_store WHERE namespace = ? AND substr(key, 1, length(?)) = ?',
  )
  const list = db.prepare(
    `SELECT key, value, expires FROM callboard_store WHERE namespace = ? AND key > ? AND ${alive} ORDER BY key LIMIT ?`,
  )
  const insert = db.prepare(
    `INSERT INTO callboard_store VALUES (?, ?, ?, ?) ON CONFLICT (namespace, key)
     DO UPDATE SET value = excluded.value, expires = excluded.expires WHERE expires <= ?`,
  )
  const replace = db.prepare(
    `UPDATE callboard_store SET value = ? WHERE namespace = ? AND key = ? AND value = ? AND ${alive}`,
  )
  const raise = db.prepare(
    `INSERT INTO callboard_store VALUES (?, ?, ?, ?) ON CONFLICT (namespace, key)
     DO UPDATE SET value = excluded.value, expires = excluded.expires
     WHERE CAST(callboard_store.value AS INTEGER) < CAST(excluded.value AS INTEGER) OR callboard_store.expires <= ?`,
  )
  const sweep = db.prepare('DELETE FROM callboard_store WHERE expires <= ?')
  const ping = db.prepare('SELECT 1')
  const version = db.prepare('PRAGMA data_version')

  return {
    async get(namespace, keys, now) {
      return keys.flatMap((key) => {
        const found = one.get(namespace, key, now)
        return found ? [toRow(found)] : []
      })
    },
    async set(namespace, row) {
      put.run(namespace, row.key, row.value, row.expires ?? null)
    },
    async delete(namespace, keys) {
      return keys.filter((key) => Number(remove.run(namespace, key).changes) > 0)
    },
    async clear(namespace, prefix = '') {
      clear.run(namespace, prefix, prefix)
    },
    async list(namespace, after, limit, now) {
      return list.all(namespace, after, now, limit).map(toRow)
    },
    async insert(namespace, row, now) {
      return Number(insert.run(namespace, row.key, row.value, row.expires ?? null, now).changes) > 0
    },
    async replace(namespace, key, before, value, now) {
      return Number(replace.run(value, namespace, key, before, now).changes) > 0
    },
    async raise(namespace, key, number, expires, now) {
      return Number(raise.run(namespace, key, String(number), expires, now).changes) > 0
    },
    async sweep(now) {
      sweep.run(now)
    },
    version: () => Number(version.get()?.['data_version']),
    async ping() {
      ping.get()
    },
    async close() {
      db.close()
    },
  }
}
