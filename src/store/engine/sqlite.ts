import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import { UnusableStoreError } from '../errors.ts'
import { type Driver, type FoundRow, type Place, type SqlValue, selectValue } from './database.ts'
import { assertRowsVersion, insertVersion, selectVersion } from './version.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS callboard_store (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;`
// No index on `expires`: it would make every click's write a third dearer, for a sweep every ten minutes.

/** For somebody with a shell who writes to the file. Nothing else runs meanwhile. */
const longestWaitMs: Milliseconds = 500
const mostPrepared = 100

const textOf = (row: FoundRow | undefined) => row && String(row.value)

/** What every SQLite file begins with; https://www.sqlite.org/fileformat.html */
const magic = 'SQLite format 3\0'

/**
 * Readable by its owner alone before SQLite ever writes to it; SQLite gives -wal and -shm the same mode. What is no database
 * and no empty file keeps the mode it has.
 */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  try {
    const head = Buffer.alloc(magic.length)
    const length = readSync(file, head, 0, magic.length, 0)
    if (!fstatSync(file).isFile() || (length > 0 && head.toString('latin1') !== magic))
      throw new Error('file is not a database')
    fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
}

/** @throws {UnusableStoreError} where another process has it */
function takeLock(path: string): DatabaseSync {
  const lockPath = `${path}.lock`
  createPrivately(lockPath)
  const held = new DatabaseSync(lockPath)
  try {
    held.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return held
  } catch (cause) {
    held.close()
    throw new UnusableStoreError(
      `Another process uses ${path}: SQLite is for one process, and PostgreSQL for several.`,
      { cause },
    )
  }
}

/** @throws {UnusableStoreError} where there can be none, or it holds rows of a newer version */
function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    if (path !== ':memory:') createPrivately(path)
    db = new DatabaseSync(path, { timeout: longestWaitMs })
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    db.exec(schema)
    db.exec(insertVersion)
    assertRowsVersion(db.prepare(selectVersion).get())
    return db
  } catch (cause) {
    db?.close()
    if (cause instanceof UnusableStoreError) throw cause
    // Node's own message goes on with the path.
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
  #lock: DatabaseSync | undefined
  readonly #prepared = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#path = path
    this.#db = openDatabase(path)
  }

  /**
   * The file is this process's from now on. The lock is on a file beside it, rather than on the database, so that backups and
   * people with a shell can read that one meanwhile. It is the operating system's, which takes it back however the process ends.
   * @throws {UnusableStoreError} where it is another process's
   */
  lock(): void {
    if (this.#path !== ':memory:') this.#lock ??= takeLock(this.#path)
  }

  async run(text: string, values: readonly SqlValue[]): Promise<readonly FoundRow[]> {
    return this.#prepare(text).all(...values)
  }

  async get({ namespace, key }: Place, now: EpochMs): Promise<string | undefined> {
    return textOf(this.#prepare(selectValue).get(now, namespace, key))
  }

  async getAnew(place: Place, now: EpochMs): Promise<string | undefined> {
    if (this.#path === ':memory:') return this.get(place, now)
    const db = new DatabaseSync(this.#path, { readOnly: true })
    try {
      return textOf(db.prepare(selectValue.replaceAll('$', '?')).get(now, place.namespace, place.key))
    } finally {
      db.close()
    }
  }

  async close(): Promise<void> {
    this.#close()
  }

  #close(): void {
    this.#db.close()
    this.#lock?.close()
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text)
    if (known) return known
    // SQLite gives each `$1` a place in the order of their appearance, and each `?1` the first place.
    const statement = this.#db.prepare(text.replaceAll('$', '?'))
    if (this.#prepared.size < mostPrepared) this.#prepared.set(text, statement)
    return statement
  }
}
