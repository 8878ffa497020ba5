import '../prepare.ts'
import type { Usage } from './measured-process.ts'

// Preloaded into a measured process: tells over IPC what it used. Needs `--expose-gc`.

const mb = (bytes: number) => bytes / 1024 / 1024

process.on('message', (command) => {
  if (command !== 'usage' && command !== 'collect') return
  if (command === 'collect') for (let n = 0; n < 3; n += 1) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  process.send?.({ cpuMs: (user + system) / 1000, heapMb: mb(heapUsed), rssMb: mb(rss) } satisfies Usage)
})
// The channel alone must not keep a process alive that wants to end.
process.channel?.unref()
