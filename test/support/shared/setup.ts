import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BrowserServer } from 'playwright-core'
import { startBrowserServer } from '../../../dev/browser.ts'
import { close, listen } from '../../../dev/listen.ts'
import { type Postgres, startPostgres } from '../../../dev/postgres.ts'
import { build } from '../../../dev/scripts/build.ts'

async function makeBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-build-'))
  await build(folder)
  return join(folder, 'main.mjs')
}

/**
 * Starts one PostgreSQL, one browser and one build for all files, each on the first request: see `database.ts` and
 * `browser.ts` in this folder, and `test/process/app-process.ts`.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let postgres: Promise<Postgres> | undefined
  let browser: Promise<BrowserServer> | undefined
  let built: Promise<string> | undefined
  let databases = 0

  const answers: Readonly<Record<string, () => Promise<string>>> = {
    async '/database'() {
      postgres ??= startPostgres()
      databases += 1
      // Stored before it is awaited, because other requests arrive meanwhile.
      const name = `test_${databases}`
      return (await postgres).createDatabase(name)
    },
    async '/browser'() {
      browser ??= startBrowserServer()
      return (await browser).wsEndpoint()
    },
    '/build': () => (built ??= makeBuild()),
  }

  const server = createServer(async ({ url = '' }, response) => {
    try {
      response.end(await answers[url]?.())
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  // The test processes share a compile cache on disk.
  process.env['NODE_COMPILE_CACHE'] ??= 'node_modules/.cache/compile'
  process.env['SHARED_BY_TESTS'] = `http://127.0.0.1:${await listen(server)}`

  return async () => {
    await close(server)
    await (await browser)?.close()
    await (await postgres)?.stop()
    if (built) await rm(dirname(await built), { recursive: true })
  }
}
