import { connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from '../../dev/listen.ts'
import { createDatabase } from '../support/shared/database.ts'
import { type AnyJob, inMs, openEngine, until } from './engines.ts'

it('works once its database does, even after a long outage at the start', async () => {
  const database = new URL(await createDatabase())
  const late = new URL(database)
  late.port = String(await freePort())
  const engine = await openEngine(late.href)
  const ran: unknown[] = []
  engine.jobs.work('late', async ({ data }) => void ran.push(data))
  await expect(engine.jobs.enqueue('late', 'one', { n: 1 }, new Date())).rejects.toThrow('ECONNREFUSED')
  const server = createServer((near) => {
    const far = connect(Number(database.port), '127.0.0.1')
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(Number(late.port), '127.0.0.1', resolve))
  try {
    await engine.jobs.enqueue('late', 'two', { n: 2 }, new Date())
    await expect.poll(() => ran, { timeout: 15_000, interval: 50 }).toEqual([{ n: 2 }])
  } finally {
    await engine.close()
    server.close()
  }
})

it('runs a job once that two processes enqueue at the same time', async () => {
  const url = await createDatabase()
  const [one, two] = [await openEngine(url), await openEngine(url)]
  try {
    const ran: string[] = []
    const handle = async ({ id }: AnyJob) => void ran.push(id)
    const ids = Array.from({ length: 20 }, (_, n) => `job ${n}`)
    for (const { jobs } of [one, two]) {
      jobs.work('both', handle)
      // The first job waits until pg-boss has created its tables.
      await jobs.enqueue('others', 'one', {}, inMs(60_000))
    }
    await Promise.all(
      ids.flatMap((id) => [one, two].map(({ jobs }) => jobs.enqueue('both', id, {}, inMs(2000)))),
    )
    await until(() => ran.length >= ids.length, 20_000)
    expect(ran.toSorted()).toEqual(ids.toSorted())
  } finally {
    await one.close()
    await two.close()
  }
})

it('aborts a job that another process has taken over', async () => {
  const { jobs, close } = await openEngine(await createDatabase())
  try {
    const tenant = { enterpriseId: undefined, teamId: 'T1' }
    const heard: string[] = []
    jobs.work('lost', async (_, ending) => {
      heard.push('begun')
      await new Promise((resolve) => ending.addEventListener('abort', resolve))
      heard.push('ended')
    })
    await jobs.enqueue('lost', 'one', { workspace: tenant }, new Date())
    await until(() => heard.includes('begun'))
    await jobs.deleteTenantJobs(tenant)
    await until(() => heard.includes('ended'), 20_000)
  } finally {
    await close()
  }
})
