import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Backend } from '../../src/store/backend.ts'
import { PostgresBackend } from '../../src/store/postgres.ts'
import { SqliteBackend } from '../../src/store/sqlite.ts'
import { createDatabase } from '../support/shared/database.ts'
import type { OlderVersion } from './older-rows.ts'

const insert = 'INSERT INTO callboard_store (namespace, key, value) VALUES'
// Both tables as the first version made them.
const index = 'CREATE INDEX callboard_store_expires ON callboard_store (expires) WHERE expires IS NOT NULL'
const sqliteTable = `
  CREATE TABLE callboard_store (
    namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID; ${index}`
const postgresTable = `
  CREATE TABLE callboard_store (
    namespace text NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL, expires bigint,
    PRIMARY KEY (namespace, key)
  ); ${index}`

const cellsOf = ({ rows }: OlderVersion): string[][] =>
  [...rows.matchAll(/^(\S+) (\S+) (.+)$/gm)].map((row) => row.slice(1))

/** Makes databases as a version left them; `fill` returns the URL of one. */
export interface OlderDatabases {
  /** The rows as they are, for what a process of the older version would do to them. */
  open(url: string): Backend
  fill(version: OlderVersion): Promise<string>
  stop(): Promise<void>
}

export async function startSqlite(): Promise<OlderDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-older-'))
  let files = 0
  return {
    open: (at) => new SqliteBackend(at.slice('sqlite:'.length), Date.now),
    async fill(version) {
      const path = join(folder, `${files++}.sqlite`)
      const db = new DatabaseSync(path)
      db.exec(sqliteTable)
      for (const cells of cellsOf(version)) db.prepare(`${insert} (?, ?, ?)`).run(...cells)
      db.close()
      return `sqlite:${path}`
    },
    stop: async () => rmSync(folder, { recursive: true }),
  }
}

export async function startOnPostgres(): Promise<OlderDatabases> {
  const url = await createDatabase()
  return {
    open: (at) => new PostgresBackend({ url: at, now: Date.now, onIdleError: () => {} }),
    async fill(version) {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(`DROP TABLE IF EXISTS callboard_store; ${postgresTable}`)
      for (const cells of cellsOf(version)) await client.query(`${insert} ($1, $2, $3)`, cells)
      await client.end()
      return url
    },
    stop: async () => {},
  }
}
