import { connect, createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../../dev/listen.ts'
import { createDatabase } from '../support/shared/database.ts'
import { inMs, openEngine, until } from './engines.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function open(url: string) {
  const { jobs, close } = await openEngine(url)
  closers.push(close)
  return jobs
}

it('works once its database does, even after a long outage at the start', async () => {
  const database = new URL(await createDatabase())
  const late = new URL(database)
  late.port = String(await freePort())
  const jobs = await open(late.href)
  const ran: unknown[] = []
  jobs.work('late', async ({ data }) => void ran.push(data))
  await expect(jobs.enqueue('late', 'one', { n: 1 }, new Date())).rejects.toThrow('ECONNREFUSED')
  const server = createServer((near) => {
    near.pipe(connect(Number(database.port), '127.0.0.1')).pipe(near)
  })
  closers.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(Number(late.port), '127.0.0.1', resolve))
  await jobs.enqueue('late', 'two', { n: 2 }, new Date())
  await expect.poll(() => ran, { timeout: 15_000, interval: 50 }).toEqual([{ n: 2 }])
})

it('runs a job once that two processes enqueue at the same time', async () => {
  const url = await createDatabase()
  const processes = [await open(url), await open(url)]
  const ran: string[] = []
  for (const jobs of processes) {
    jobs.work('both', async ({ id }) => void ran.push(id))
    // The first job waits until pg-boss has created its tables.
    await jobs.enqueue('others', 'one', {}, inMs(60_000))
  }
  const ids = Array.from({ length: 20 }, (_, n) => `job ${n}`)
  await Promise.all(ids.flatMap((id) => processes.map((jobs) => jobs.enqueue('both', id, {}, inMs(2000)))))
  await until(() => ran.length >= ids.length, 20_000)
  expect(ran.toSorted()).toEqual(ids.toSorted())
})
