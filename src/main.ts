import { enableCompileCache, findPackageJSON, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Near a clock change, the results of date-fns-tz 3.2 depend on the host's time zone.
process.env['TZ'] = 'UTC'
// Optimizing undici's WebAssembly parser takes 19 MB and saves no CPU.
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)
// NODE_COMPILE_CACHE wins, because Node has enabled it already.
const packagePath = findPackageJSON(import.meta.url)
enableCompileCache(packagePath && join(dirname(packagePath), 'node_modules/.cache/compile'))

// Static imports would be compiled before the cache is enabled.
const { ConfigError, readConfig, readStoreUrl } = await import('./config/config.ts')
const { createLog } = await import('./log.ts')
const { startServer } = await import('./server.ts')
const { UnusableStoreError } = await import('./store/errors.ts')

/** Runs `backup FILE` or `restore FILE`, and ends the process. */
async function runCommand(command: 'backup' | 'restore', file: string | undefined): Promise<never> {
  if (file === undefined) throw new ConfigError([`the file: npm run ${command} -- FILE`])
  const { backUpStore, restoreStore } = await import('./store/engine/backup.ts')
  const run = command === 'backup' ? backUpStore : restoreStore
  console.log(await run(readStoreUrl(process.env), file))
  process.exit(0)
}

try {
  const [command, file] = process.argv.slice(2)
  if (command === 'backup' || command === 'restore') await runCommand(command, file)

  const config = readConfig(process.env)
  const { log, requestIds } = createLog(config.logLevel)
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })

  /** Undefined until the server has started. */
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
  // Node writes the cache on a normal exit only, and a killed process should leave it too.
  setImmediate(flushCompileCache)
  // A minute later, the cache contains what the first commands loaded.
  setTimeout(flushCompileCache, 60_000).unref()
} catch (error) {
  // Messages for the operator, who needs no stack.
  const isForOperator = error instanceof ConfigError || error instanceof UnusableStoreError
  console.error(isForOperator ? error.message : error)
  process.exit(1)
}
