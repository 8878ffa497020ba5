import '../prepare.ts'

/** Preloaded into a measured process: tells over IPC what it used. Needs `--expose-gc`. */
export interface Usage {
  /** Milliseconds of CPU since the start. */
  readonly cpuMs: number
  /** MB, after a collection where `collect` was asked for. */
  readonly heapMb: number
  readonly rssMb: number
}

const mb = (bytes: number) => bytes / 1024 / 1024

process.on('message', (word) => {
  if (word === 'collect') for (let n = 0; n < 3; n += 1) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  process.send?.({ cpuMs: (user + system) / 1000, heapMb: mb(heapUsed), rssMb: mb(rss) } satisfies Usage)
})
// The channel alone must not keep a process alive that wants to end.
process.channel?.unref()
