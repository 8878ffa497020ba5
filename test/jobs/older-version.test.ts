import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { Store } from '../../src/store/store.ts'
import { engines, openEngine } from './engines.ts'
import { until } from './use-engine.ts'

const [[, startSqlite], [, startPostgres]] = engines

it('runs what an older version has enqueued over SQLite', async () => {
  const database = await startSqlite()
  const { log } = createLog('silent')
  const key = createSecretKey(randomBytes(32))
  const store = new Store({ url: database.url, encryptionKeys: [{ id: 'k', key }], log })
  await store.pendingJobs.add('notices', 'left', { data: { n: 1 }, at: Date.now(), failed: 3 })
  await store.close()
  const engine = openEngine(database.url)
  const ran: unknown[] = []
  engine.jobs.work('notices', async (job) => void ran.push(job))
  await until(() => ran.length > 0)
  expect(ran).toEqual([{ id: 'left', data: { n: 1 } }])
  await engine.close()
  await database.stop()
})

/** As the version before works: with `work` of pg-boss on each queue. */
async function openOlder(connectionString: string) {
  const boss = new PgBoss({
    connectionString,
    schema: 'callboard_jobs',
    application_name: 'callboard-jobs',
    max: 5,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
  })
  const errors: unknown[] = []
  boss.on('error', (error) => errors.push(error))
  await boss.start()
  const options = {
    retryLimit: 200,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 600,
    expireInSeconds: 7200,
    heartbeatSeconds: 10,
    retentionSeconds: 365 * 24 * 3600,
    deleteAfterSeconds: 3600,
  }
  await boss.createQueue('billing-posts', options)
  await boss.updateQueue('billing-posts', options)
  const uuidOf = (id: string) => {
    const hex = createHash('sha256').update(`billing-posts\n${id}`).digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
  return {
    errors,
    enqueue: (id: string, at: Date) =>
      boss.send('billing-posts', { id, data: { of: 'older' } }, { id: uuidOf(id), startAfter: at }),
    work: (handle: (id: string) => void) =>
      boss.work<{ id: string }>(
        'billing-posts',
        { localConcurrency: 5, pollingIntervalSeconds: 2 },
        async (jobs) => {
          for (const { data } of jobs) handle(data.id)
        },
      ),
    stop: () => boss.stop({ graceful: true, timeout: 8000 }),
  }
}

it('shares a queue of pg-boss with an older version that works on it beside', async () => {
  const database = await startPostgres()
  const older = await openOlder(database.url)
  const engine = openEngine(database.url)
  const ran: string[] = []
  try {
    await older.enqueue('left', new Date())
    await older.enqueue('both', new Date(Date.now() + 1500))
    await engine.jobs.enqueue('billing-posts', 'both', { of: 'newer' }, new Date(Date.now() + 1500))
    engine.jobs.work('billing-posts', async ({ id }) => void ran.push(id))
    await until(() => ran.length === 1)
    await older.work((id) => ran.push(id))
    const ids = Array.from({ length: 40 }, (_, n) => `${n}`)
    const at = (n: number) => new Date(Date.now() + (n % 4) * 500)
    for (const [n, id] of ids.entries()) {
      if (n % 2 === 0) await older.enqueue(id, at(n))
      else await engine.jobs.enqueue('billing-posts', id, { of: 'newer' }, at(n))
    }
    await until(() => ran.length >= 42, 20_000)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(ran.toSorted()).toEqual(['left', 'both', ...ids].toSorted())
    expect(older.errors).toEqual([])
  } finally {
    await older.stop()
    await engine.close()
    await database.stop()
  }
})
