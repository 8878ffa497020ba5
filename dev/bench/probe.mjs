import { Session } from 'node:inspector/promises'
import { enableCompileCache } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

// Preloaded into a measured process: says over IPC what it used. Needs `--expose-gc`. It is JavaScript because Node loads
// 30 MB to read TypeScript, which the build does not need.

process.env['TZ'] = 'UTC'
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url)))

const mb = (/** @type {number} */ bytes) => bytes / 1024 / 1024

const session = new Session()

/** @param {'profile' | 'profile-end'} command */
async function profile(command) {
  if (command === 'profile-end') {
    process.send?.((await session.post('Profiler.stop')).profile)
    session.disconnect()
    return
  }
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 250 })
  await session.post('Profiler.start')
  process.send?.('profiling')
}

/** Since the last question. */
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

process.on('message', (command) => {
  if (command === 'profile' || command === 'profile-end') void profile(command)
  if (command !== 'usage' && command !== 'collect') return
  if (command === 'collect') for (let n = 0; n < 3; n += 1) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  const blockMs = delay.max / 1e6
  delay.reset()
  process.send?.({ cpuMs: (user + system) / 1000, heapMb: mb(heapUsed), rssMb: mb(rss), blockMs })
})
// Whoever measures it is gone: nobody else would end it.
process.on('disconnect', () => process.exit())
// The channel alone must not keep a process alive that wants to end.
process.channel?.unref()
