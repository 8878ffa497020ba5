import { fork } from 'node:child_process'
import { expect, it } from 'vitest'
import { engines, openEngine } from './engines.ts'

it.concurrent.each(engines)(
  'the job of a process that was killed runs again within half a minute: %s',
  async (_, startDatabase) => {
    const database = await startDatabase()
    const engine = openEngine(database.url)
    const child = fork(new URL('worker.ts', import.meta.url), [database.url])
    try {
      await engine.jobs.enqueue('killed', 'one', { n: 1 }, new Date())
      await new Promise((resolve) => child.once('message', resolve))
      child.kill('SIGKILL')
      const ran: unknown[] = []
      engine.jobs.work('killed', async ({ data }) => void ran.push(data))
      await expect.poll(() => ran, { timeout: 30_000, interval: 50 }).toEqual([{ n: 1 }])
    } finally {
      child.kill('SIGKILL')
      await engine.close()
      await database.stop()
    }
  },
  60_000,
)
