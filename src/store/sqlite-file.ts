import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Milliseconds } from '../util/units.ts'
import { assertRowsVersion, insertVersion, selectVersion } from './version.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;`
// No index on `expires`: it would make every click's write a third dearer, for a sweep every ten minutes.

/** The file, readable by its owner alone before SQLite ever writes to it; SQLite gives -wal and -shm the same mode. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (existsSync(path)) chmodSync(path, 0o600)
  else closeSync(openSync(path, 'a', 0o600))
}

const lockedCode = 5
/** For a writer elsewhere: a backup, a person with a shell. */
export const longestWait: Milliseconds = 5000

/** Extended codes say in their low byte what they extend: https://sqlite.org/rescode.html. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  (error.errcode & 0xff) === lockedCode

export const pauseBeforeRetry = (): Milliseconds => 5 + Math.random() * 20

/**
 * Several processes that open a new file at the same moment stand in each other's way while they change its journal mode,
 * and SQLite does not wait there whatever `busy_timeout` says. (https://sqlite.org/wal.html, "Sometimes Queries Return
 * SQLITE_BUSY In WAL Mode".)
 */
function waitForOthers(work: () => void): void {
  const deadline = Date.now() + longestWait
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!isLocked(error) || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseBeforeRetry())
    }
  }
}

/**
 * Opens the database and creates its table.
 * @param path a file, or `:memory:`
 */
export function openDatabase(path: string): DatabaseSync {
  if (path !== ':memory:') createPrivately(path)
  const db = new DatabaseSync(path)
  // Nothing else would run while SQLite itself waits.
  db.exec('PRAGMA busy_timeout = 0')
  waitForOthers(() => db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;'))
  waitForOthers(() => db.exec(schema))
  waitForOthers(() => db.exec(insertVersion))
  assertRowsVersion(db.prepare(selectVersion).get())
  return db
}
