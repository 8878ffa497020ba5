import { constants, enableCompileCache, findPackageJSON, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * What a program does before it imports the rest, on every platform and however it is started. The compile cache serves
 * only what is imported dynamically after this call: static imports are compiled before any code runs.
 */
export function prepareProcess(env: NodeJS.ProcessEnv): void {
  // Near a clock change, date-fns-tz 3.2 answers by the host's zone.
  env['TZ'] = 'UTC'
  // NODE_COMPILE_CACHE wins: Node has enabled it then, and leaves it at that.
  const project = findPackageJSON(import.meta.url)
  const { status } = enableCompileCache(project && join(project, '../node_modules/.cache/compile'))
  // A container's node_modules can't be written: Node's own folder is among the temporary files.
  if (status === constants.compileCacheStatus.FAILED) enableCompileCache()
}

/** Node writes the cache when it exits in good order: so a process that is killed leaves it to the next one too. */
export const keepCompileCache = (): void => flushCompileCache()
