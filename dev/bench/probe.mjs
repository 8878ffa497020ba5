import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Preloaded into a measured process; reports its usage over IPC. Needs `--expose-gc`. It is JavaScript because Node would load
// 30 MB to read TypeScript, which the build doesn't need.

process.env['TZ'] = 'UTC'
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)))

const mb = (/** @type {number} */ bytes) => bytes / 1024 / 1024

process.on('message', (command) => {
  if (command !== 'usage' && command !== 'collect') return
  if (command === 'collect') for (let n = 0; n < 3; n += 1) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  process.send?.({ cpuMs: (user + system) / 1000, heapMb: mb(heapUsed), rssMb: mb(rss) })
})
// The measuring process ended.
process.on('disconnect', () => process.exit())
// The channel alone must not keep the process running.
process.channel?.unref()
