import { lstatSync, mkdirSync } from 'node:fs'
import { constants, enableCompileCache, findPackageJSON, flushCompileCache } from 'node:module'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Near a clock change, the results of date-fns-tz 3.2 depend on the host's time zone.
process.env['TZ'] = 'UTC'
// Optimizing undici's parser, which is WebAssembly, takes 19 MB and saves no CPU.
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
// NODE_COMPILE_CACHE wins: Node has enabled it then.
const project = findPackageJSON(import.meta.url)
const { status } = enableCompileCache(project && join(project, '../node_modules/.cache/compile'))
// A container's node_modules is read-only.
if (status === constants.compileCacheStatus.FAILED) enableOwnCache()

/** Uses a temporary folder that only this user can write to: code in the cache runs, and others may create a folder there. */
function enableOwnCache(): void {
  const { uid } = userInfo()
  const folder = join(tmpdir(), `callboard-compile-cache-${uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) enableCompileCache(folder)
}

// Imported only now, so that they are compiled from the cache: static imports are compiled before any code runs.
const { ConfigError, readConfig } = await import('./config/config.ts')
const { createLog } = await import('./log.ts')
const { startServer } = await import('./server.ts')
const { UnusableStoreError } = await import('./store/errors.ts')

try {
  const config = readConfig(process.env)
  const { log, requestIds } = createLog(config.logLevel)
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })

  let stopServer: (() => Promise<void>) | undefined
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    await stopServer?.()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // In Socket Mode, this waits until Slack is reachable.
  const server = await startServer(config, { log, requestIds })
  stopServer = server.stop
  // Node writes the cache on a normal exit only: a killed process should leave it too.
  setImmediate(flushCompileCache)
  // A minute later, the cache contains what the first commands loaded.
  setTimeout(flushCompileCache, 60_000).unref()
} catch (error) {
  // These two are written for operators; anything else is a bug or a broken machine.
  const isReadable = error instanceof ConfigError || error instanceof UnusableStoreError
  console.error(isReadable ? error.message : error)
  process.exit(1)
}
