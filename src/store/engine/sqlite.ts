import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { StoreError, UnusableStoreError } from '../errors.ts'
import {
  assertRowsVersion,
  type Driver,
  type FoundRow,
  insertVersion,
  type Place,
  type SqlValue,
  selectValue,
  selectVersion,
} from './database.ts'

// No index on `expires`, because it makes every write a third slower, for a sweep every ten minutes.
const sqliteSchema = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;`

/** Timeout for locks that another program holds on the file. The process blocks meanwhile. */
const LOCK_TIMEOUT_MS: Milliseconds = 500

/** Start of every SQLite file; https://www.sqlite.org/fileformat.html */
const MAGIC = 'SQLite format 3\0'

/**
 * Creates a file that only its owner can read, before SQLite writes to it; SQLite gives -wal and -shm the same mode. Leaves
 * files alone that are neither empty nor a database.
 */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  try {
    const head = Buffer.alloc(MAGIC.length)
    const length = readSync(file, head, 0, MAGIC.length, 0)
    if (!fstatSync(file).isFile() || (length > 0 && head.toString('latin1') !== MAGIC))
      throw new Error('file is not a database')
    fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
}

interface Lock {
  readonly held: DatabaseSync
  readonly path: string
  readonly inode: number
}

/** @throws {UnusableStoreError} if another process holds the lock */
function takeLock(path: string): Lock {
  // Processes may reach the database by different symbolic links.
  const lockPath = `${realpathSync(path)}.lock`
  createPrivately(lockPath)
  const held = new DatabaseSync(lockPath)
  try {
    held.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { held, path: lockPath, inode: statSync(lockPath).ino }
  } catch (cause) {
    held.close()
    throw new UnusableStoreError(
      `Another process uses ${path}: SQLite is for one process, and PostgreSQL for several.`,
      { cause },
    )
  }
}

/** @throws {UnusableStoreError} if the file can't be opened, or holds rows of a newer version */
function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    if (path !== ':memory:') createPrivately(path)
    db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    db.exec(sqliteSchema)
    db.exec(insertVersion)
    assertRowsVersion(db.prepare(selectVersion).get())
    return db
  } catch (cause) {
    db?.close()
    if (cause instanceof UnusableStoreError) throw cause
    // The rest of Node's message is the path.
    const [reason] = cause instanceof Error ? cause.message.split(',') : []
    throw new UnusableStoreError(
      `STORE_URL: sqlite: and the path of a database, or of a file that can be created (${reason})`,
      { cause },
    )
  }
}

export class SqliteDriver implements Driver {
  readonly isShared = false
  readonly #db
  readonly #path
  #lock: Lock | undefined
  readonly #prepared = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#path = path
    this.#db = openDatabase(path)
  }

  /**
   * Reserves the database for this process. The lock is on a file beside it, so that backups can read the database, and the
   * operating system releases it however the process ends. @throws {UnusableStoreError} if another process has it
   */
  lock(): void {
    if (this.#path !== ':memory:') this.#lock ??= takeLock(this.#path)
  }

  /** Another process may use the database once the lock's file was deleted. @throws {StoreError} */
  assertLocked(): void {
    if (this.#lock && statSync(this.#lock.path, { throwIfNoEntry: false })?.ino !== this.#lock.inode)
      throw new StoreError(`${this.#lock.path} was deleted: restart this process`)
  }

  async run(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]> {
    return this.#prepare(text).all(...values)
  }

  async get({ namespace, key }: Place, now: EpochMs): Promise<string | undefined> {
    const row = this.#prepare(selectValue).get(now, namespace, key)
    return row && String(row.value)
  }

  async close(): Promise<void> {
    this.#db.close()
    this.#lock?.held.close()
  }

  #prepare(text: string): StatementSync {
    // SQLite numbers `$1`, `$2`, … in the order of their appearance, unlike `?1`, `?2`, …
    const statement = this.#prepared.get(text) ?? this.#db.prepare(text.replaceAll('$', '?'))
    this.#prepared.set(text, statement)
    return statement
  }
}
