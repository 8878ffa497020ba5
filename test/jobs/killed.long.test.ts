import { fork } from 'node:child_process'
import { it } from 'vitest'
import { engines, openEngine } from './engines.ts'

for (const [name, startDatabase] of engines)
  it.concurrent(`the job of a process that was killed runs again within half a minute: ${name}`, {
    timeout: 60_000,
  }, async ({ expect }) => {
    const database = await startDatabase()
    const child = fork(new URL('worker.ts', import.meta.url), [database.url])
    const opened: Awaited<ReturnType<typeof openEngine>>[] = []
    try {
      await new Promise((resolve) => child.once('message', resolve))
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      const engine = await openEngine(database.url)
      opened.push(engine)
      const ran: unknown[] = []
      engine.jobs.work('killed', async ({ data }) => void ran.push(data))
      await expect.poll(() => ran, { timeout: 30_000, interval: 50 }).toEqual([{ n: 1 }])
    } finally {
      child.kill('SIGKILL')
      for (const { close } of opened) await close()
      await database.stop()
    }
  })
