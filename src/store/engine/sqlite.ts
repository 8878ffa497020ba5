import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { UnusableStoreError } from '../errors.ts'
import * as sql from './sql.ts'

// No index on `expires`, because it makes every write a third slower, for a sweep every ten minutes.
const SQLITE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;`

/** The process blocks while it waits for the lock of another program. */
const LOCK_TIMEOUT_MS: Milliseconds = 500

/** Creates the file, or keeps its contents. It is private before SQLite writes to it; -wal and -shm get the same mode. */
export function ensurePrivateFile(path: string): void {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // SQLite creates files beside it.
  fs.accessSync(dirname(path), fs.constants.W_OK)
  fs.writeFileSync(path, '', { flag: 'a', mode: 0o600 })
  if (!fs.statSync(path).isFile()) throw new Error('not a file')
  fs.chmodSync(path, 0o600)
}

const USE_WAL = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;'
const SQLITE_BUSY = 5

/** SQLite refuses to leave the WAL mode while there is another connection. Other problems show when the database is used. */
function hasOtherConnections(db: DatabaseSync): boolean {
  try {
    db.exec('PRAGMA journal_mode = DELETE')
    db.exec(USE_WAL)
    return false
  } catch (error) {
    return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
  }
}

/** True if the last page lacks its end, which SQLite reads as zeros. */
function isCutOff(path: string, db: DatabaseSync): boolean {
  // SQLite keeps the -wal beside the database itself, not beside a symbolic link to it.
  const wal = fs.statSync(`${fs.realpathSync(path)}-wal`, { throwIfNoEntry: false })
  // After a crash, the -wal still holds the page that was being written.
  if (wal !== undefined && wal.size > 0) return false
  const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  return fs.statSync(path).size % pageSize !== 0
}

/** Finds truncated and overwritten files; takes 0.8 s for 1 GB. */
export const isIntact = (path: string, db: DatabaseSync): boolean =>
  !isCutOff(path, db) && db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok'

const restoreText = 'The database is damaged: restore a backup.'

/** Cuts off the path in a message of Node: `EACCES: permission denied, open '/data/callboard.sqlite'`. */
export const findReason = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/,.*/s, '') : ''

/** Says what the operator can do. */
function describeSqliteProblem(cause: unknown): string {
  const reason = findReason(cause)
  if (reason.includes('malformed')) return restoreText
  if (/^(EACCES|EPERM|EROFS)/.test(reason))
    return `STORE_URL: the user who runs Callboard must own the database and its folder (${reason})`
  return `STORE_URL: sqlite: and the path of a database, or of a file that can be created (${reason})`
}

function createUsedError(path: string, cause?: unknown): UnusableStoreError {
  const text = `Another process uses ${path}: SQLite is for one process, and PostgreSQL for several.`
  return new UnusableStoreError(text, { cause })
}

/** Locks another file, so that backups can read the database. @throws {UnusableStoreError} if another process uses it */
export function takeLock(path: string, db: DatabaseSync): DatabaseSync {
  // Processes may reach the database by different symbolic links.
  const lockPath = `${fs.realpathSync(path)}.lock`
  const isNew = !fs.existsSync(lockPath)
  ensurePrivateFile(lockPath)
  const lock = new DatabaseSync(lockPath)
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw createUsedError(path, cause)
  }
  // If someone deleted the lock file of a running process, that process can't keep others from locking a new one.
  if (isNew && hasOtherConnections(db)) {
    lock.close()
    // The next start has to check this again.
    fs.rmSync(lockPath)
    throw createUsedError(path)
  }
  return lock
}

/** @throws {UnusableStoreError} if the file can't be opened, is damaged, or holds rows of a newer version */
function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    ensurePrivateFile(path)
    db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
    db.exec(USE_WAL)
    if (!isIntact(path, db)) throw new UnusableStoreError(restoreText)
    db.exec(SQLITE_SCHEMA)
    sql.assertRowsVersion(db.prepare(sql.INIT_VERSION_SQL).get()?.value)
    return db
  } catch (cause) {
    db?.close()
    if (cause instanceof UnusableStoreError) throw cause
    throw new UnusableStoreError(describeSqliteProblem(cause), { cause })
  }
}

export class SqliteDriver implements sql.Driver {
  readonly isShared = false
  readonly #db
  readonly #path
  #lock: DatabaseSync | undefined
  readonly #prepared = new Map<sql.StatementName, StatementSync>()

  constructor(path: string) {
    this.#path = path
    this.#db = openDatabase(path)
  }

  lock(): void {
    this.#lock ??= takeLock(this.#path, this.#db)
  }

  async run(name: sql.StatementName, values: readonly sql.Value[]): Promise<readonly sql.FoundRow[]> {
    return this.#prepare(name).all(...values)
  }

  async get({ namespace, key }: sql.RowKey, now: EpochMs): Promise<string | undefined> {
    const row = this.#prepare('get').get(namespace, key, now)
    return row && String(row.value)
  }

  async close(): Promise<void> {
    this.#db.close()
    this.#lock?.close()
  }

  #prepare(name: sql.StatementName): StatementSync {
    // SQLite numbers `$1`, `$2`, … in the order of their appearance, unlike `?1`, `?2`, …
    const statement = this.#prepared.get(name) ?? this.#db.prepare(sql.statements[name].replaceAll('$', '?'))
    this.#prepared.set(name, statement)
    return statement
  }
}
