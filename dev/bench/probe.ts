import '../prepare.ts'
import { Session } from 'node:inspector/promises'
import type { Usage } from './measured-process.ts'

// Preloaded into a measured process: tells over IPC what it used. Needs `--expose-gc`.

const mb = (bytes: number) => bytes / 1024 / 1024

const session = new Session()

async function profile(command: 'profile' | 'profile-end'): Promise<void> {
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

process.on('message', (command) => {
  if (command === 'profile' || command === 'profile-end') void profile(command)
  if (command !== 'usage' && command !== 'collect') return
  if (command === 'collect') for (let n = 0; n < 3; n += 1) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  process.send?.({ cpuMs: (user + system) / 1000, heapMb: mb(heapUsed), rssMb: mb(rss) } satisfies Usage)
})
// Whoever measures it is gone: nobody else would end it.
process.on('disconnect', () => process.exit())
// The channel alone must not keep a process alive that wants to end.
process.channel?.unref()
