import { fork } from 'node:child_process'
import { it } from 'vitest'
import { engines, openEngine } from './engines.ts'

for (const [name, startDatabase] of engines)
  it.concurrent(`the job of a process that was killed runs again within half a minute: ${name}`, {
    timeout: 60_000,
  }, async ({ expect }) => {
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
  })
