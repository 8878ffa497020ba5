import { expect, it } from 'vitest'
import { freePort } from '../../dev/listen.ts'
import { startPostgres } from '../../dev/postgres.ts'
import { openEngine } from './engines.ts'

it('works as soon as its database does, however long that was down at the start', async () => {
  const port = await freePort()
  const engine = openEngine(`postgres://callboard:invented@127.0.0.1:${port}/callboard`)
  const ran: unknown[] = []
  engine.jobs.work('late', async ({ data }) => void ran.push(data))
  await expect(engine.jobs.enqueue('late', 'one', { n: 1 }, new Date())).rejects.toThrow('ECONNREFUSED')
  const database = await startPostgres(port)
  try {
    await engine.jobs.enqueue('late', 'two', { n: 2 }, new Date())
    await expect.poll(() => ran, { timeout: 15_000, interval: 50 }).toEqual([{ n: 2 }])
  } finally {
    await engine.close()
    await database.stop()
  }
})
