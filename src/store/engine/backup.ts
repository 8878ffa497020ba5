import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { UnusableStoreError } from '../errors.ts'
import { assertRowsVersion, INIT_VERSION_SQL } from './sql.ts'
import { ensurePrivateFile, findReason, isIntact, takeLock } from './sqlite.ts'

function readSqlitePath(storeUrl: string): string {
  if (storeUrl.startsWith('sqlite:')) return storeUrl.slice('sqlite:'.length)
  throw new UnusableStoreError('STORE_URL names PostgreSQL: use pg_dump and pg_restore, see docs/operate.md.')
}

const damagedText = (path: string) => `${path} is damaged, or no database of Callboard.`

function ensureFile(path: string): void {
  try {
    ensurePrivateFile(path)
  } catch (cause) {
    throw new UnusableStoreError(`${path} can't be written (${findReason(cause)}).`, { cause })
  }
}

/** The copy also has the rows that are still in the `-wal` of the database. */
async function copyIntact(from: string, to: string): Promise<void> {
  using source = new DatabaseSync(from, { readOnly: true })
  if (!isIntact(from, source)) throw new UnusableStoreError(damagedText(from))
  await backup(source, to)
  using copy = new DatabaseSync(to)
  // Without -wal and -shm beside it, the copy is one file.
  copy.exec('PRAGMA journal_mode = DELETE')
  // In the copy, because the query writes: the source is only read.
  assertRowsVersion(copy.prepare(INIT_VERSION_SQL).get()?.['value'])
}

/** @throws {UnusableStoreError} unless the file is an intact database of this version */
async function copyDatabase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new UnusableStoreError(`There is no file ${from}.`)
  ensureFile(to)
  try {
    await copyIntact(from, to)
  } catch (cause) {
    rmSync(to)
    if (cause instanceof UnusableStoreError) throw cause
    throw new UnusableStoreError(damagedText(from), { cause })
  }
}

/** Works while Callboard runs. An existing backup is replaced once the new one is complete. @returns a sentence about the result */
export async function backUpStore(storeUrl: string, file: string): Promise<string> {
  const unfinished = `${file}.unfinished`
  await copyDatabase(readSqlitePath(storeUrl), unfinished)
  renameSync(unfinished, file)
  return `Backed up ${statSync(file).size} bytes to ${file}. Keep ENCRYPTION_KEYS with it.`
}

/** Returns the lock, which outlives the connection; that one shows whether another process uses the database. */
function lockDatabase(path: string): DatabaseSync {
  using db = new DatabaseSync(path)
  return takeLock(path, db)
}

function replaceDatabase(path: string, restored: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(`${path}.replaced${suffix}`, { force: true })
    if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.replaced${suffix}`)
  }
  renameSync(restored, path)
}

/**
 * Keeps the replaced database as `.replaced`, and moves its `-wal` too: SQLite would apply that to the restored file, and
 * bring the newer state back. @returns a sentence about the result
 */
export async function restoreStore(storeUrl: string, file: string): Promise<string> {
  const linkOrPath = readSqlitePath(storeUrl)
  // The store may not exist yet, and the lock and `realpathSync` need a file.
  ensureFile(linkOrPath)
  const path = realpathSync(linkOrPath)
  using _lock = lockDatabase(path)
  const unfinished = `${path}.unfinished`
  await copyDatabase(file, unfinished)
  replaceDatabase(path, unfinished)
  return `Restored ${file}. What was there before is ${path}.replaced.`
}
