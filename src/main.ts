import { keepCompileCache, prepareProcess } from './util/prepare-process.ts'

prepareProcess(process.env)
// Imported only now, so that they are compiled from the cache.
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
  const server = await startServer(config, { log, requestIds })
  setImmediate(keepCompileCache)

  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    await server.stop()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
} catch (error) {
  // These two are made for reading; anything else is a defect or a machine in trouble.
  const isForReading = error instanceof ConfigError || error instanceof UnusableStoreError
  console.error(isForReading ? error.message : error)
  process.exit(1)
}
