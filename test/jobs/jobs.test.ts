import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createDatabase } from '../support/shared/database.ts'
import { StoredRows } from '../support/stored-rows.ts'
import { type AnyJob, engines, inMs, openEngine, until } from './engines.ts'

const failure = new Error('thrown by the test')

describe.each(engines)('jobs: %s', (_, startDatabase) => {
  let database: Awaited<ReturnType<typeof startDatabase>>
  const opened: Awaited<ReturnType<typeof openEngine>>[] = []

  beforeAll(async () => {
    database = await startDatabase()
  })
  afterAll(() => database.stop())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()))
  })

  async function open() {
    const engine = await openEngine(database.url)
    opened.push(engine)
    return engine.jobs
  }

  it('runs each once, not before its time, with its data', async () => {
    const jobs = await open()
    const ran: { id: string; data: unknown; at: number }[] = []
    const times = new Map(Array.from({ length: 20 }, (_, n) => [`a/b:c ${n}`, inMs((n % 2) * 700)]))
    const getData = (id: string) => ({ id, deep: [1, { two: null }] })
    await Promise.all([...times].map(([id, at]) => jobs.enqueue('once', id, getData(id), at)))
    jobs.work('once', async ({ id, data }) => void ran.push({ id, data, at: Date.now() }))
    await until(() => ran.length >= 20, 20_000)
    expect(ran.map(({ id }) => id).sort()).toEqual([...times.keys()].sort())
    for (const { id, data, at } of ran) {
      expect(data).toEqual(getData(id))
      expect(at).toBeGreaterThanOrEqual(times.get(id)!.getTime())
    }
  })

  it('retries a failed one, and runs five at a time', async () => {
    const jobs = await open()
    const tries: string[] = []
    let atOnce = 0
    let max = 0
    const five = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    for (let n = 0; n < 12; n++) await jobs.enqueue('again', `job ${n}`, {}, inMs(0))
    jobs.work('again', async ({ id }) => {
      atOnce += 1
      max = Math.max(max, atOnce)
      if (atOnce === 5) five.resolve()
      await released.promise
      atOnce -= 1
      tries.push(id)
      if (id === 'job 3' && tries.filter((one) => one === id).length === 1) throw failure
    })
    await five.promise
    // If there were room for a sixth job, it would start before the job of the other queue.
    await jobs.enqueue('beside', 'one', {}, inMs(0))
    jobs.work('beside', async () => released.resolve())
    await until(() => tries.length >= 13, 20_000)
    expect(tries.filter((id) => id === 'job 3')).toHaveLength(2)
    expect(max).toBe(5)
  })

  it('runs at most two jobs of a tenant at a time, without delaying other tenants', async () => {
    await open()
    const { engine } = opened.at(-1)!
    const schema = z.object({ workspace: z.object({ teamId: z.string() }) })
    const queue = { name: 'per-tenant', schema, perTenant: 2 }
    const running = new Set<string>()
    const ran: string[] = []
    let max = 0
    const released = Promise.withResolvers<void>()
    const enqueue = (id: string, teamId: string) =>
      engine.enqueue(queue, id, { workspace: { teamId } }, inMs(0))
    for (let n = 0; n < 6; n++) await enqueue(`job ${n}`, 'T1')
    await enqueue('last', 'T2')
    engine.work({
      queue,
      handle: async ({ data: { workspace }, id }) => {
        if (workspace.teamId === 'T2') return void ran.push(id)
        max = Math.max(max, running.add(id).size)
        await released.promise
        running.delete(id)
        ran.push(id)
      },
    })
    await until(() => ran.includes('last'))
    await until(() => running.size === 2)
    released.resolve()
    await until(() => ran.length === 7, 20_000)
    expect(max).toBe(2)
  })

  it('keeps pending jobs across a restart, and finishes running ones before it stops', async () => {
    const first = await open()
    const ran: string[] = []
    const work = Promise.withResolvers<void>()
    first.work('restart', async () => {
      ran.push('begun')
      await work.promise
      ran.push('done')
    })
    for (let n = 1; n <= 6; n += 1) await first.enqueue('restart', `job ${n}`, {}, inMs(0))
    await until(() => ran.length === 5)
    // Measured from here, because pg-boss may have waited two seconds before.
    await first.enqueue('restart', 'later', {}, inMs(2000))
    const closing = opened.pop()!.close()
    void closing.then(() => ran.push('closed'))
    for (let n = 0; n < 20; n += 1) await turn()
    work.resolve()
    await closing
    expect(ran.splice(0)).toEqual([...Array(5).fill('begun'), ...Array(5).fill('done'), 'closed'])
    const second = await open()
    second.work('restart', async ({ id, data }) => void ran.push(data['again'] ? 'again' : id))
    await second.enqueue('restart', 'later', { again: true }, inMs(0))
    await until(() => ran.length === 2)
    expect(ran.sort()).toEqual(['job 6', 'later'])
  })

  it('aborts a long job when it stops, and runs it again after the restart', async () => {
    const first = await open()
    const ran: string[] = []
    first.work('long', async ({ id }, ending) => {
      ran.push(`${id} begun`)
      await new Promise((_, reject) => ending.addEventListener('abort', () => reject(ending.reason)))
    })
    await first.enqueue('long', 'one', {}, inMs(0))
    await until(() => ran.length === 1)
    const start = performance.now()
    await opened.pop()?.close()
    expect(performance.now() - start).toBeLessThan(5000)
    const second = await open()
    second.work('long', async ({ id }) => void ran.push(id))
    await until(() => ran.length === 2, 30_000)
    expect(ran).toEqual(['one begun', 'one'])
  })

  it('deletes all jobs of a tenant', async () => {
    const first = await open()
    const ran: string[] = []
    const of = (teamId: string, enterpriseId?: string) => ({ workspace: { teamId, enterpriseId }, more: 1 })
    const stored = { a: of('T1'), b: of('T1', 'E1'), c: of('T2', 'E1'), d: of('', 'E1'), e: of('', 'E2') }
    for (const [id, data] of Object.entries(stored)) await first.enqueue('tenants', id, data, inMs(0))
    await opened.pop()?.close()
    const jobs = await open()
    // With SQLite, the jobs of the earlier process are being read.
    const adding = jobs.enqueue('tenants', 'f', {}, inMs(0))
    await jobs.deleteTenantJobs({ enterpriseId: 'E1', teamId: 'T1' })
    await jobs.deleteTenantJobs({ enterpriseId: 'E1', teamId: '' })
    await adding
    jobs.work('tenants', async ({ id }) => void ran.push(id))
    await until(() => ran.length >= 3)
    await jobs.isIdle()
    expect(ran.sort()).toEqual(['c', 'e', 'f'])
  })

  it("doesn't restore a job that was deleted during a retry, unless it was enqueued again", async () => {
    const jobs = await open()
    const ran: unknown[] = []
    const enqueue = (id: string, n: number, ms = 0) =>
      jobs.enqueue('deleted', id, { workspace: { teamId: id }, n }, inMs(ms))
    jobs.work('deleted', async ({ id, data }) => {
      ran.push(data['n'])
      if (data['n'] === 2 && ran.filter((n) => n === 2).length === 1) throw failure
      if (data['n'] !== 0 && data['n'] !== 1) return
      await jobs.deleteTenantJobs({ enterpriseId: undefined, teamId: id })
      if (data['n'] === 0) throw failure
      await enqueue(id, 2)
    })
    await enqueue('gone', 0)
    await enqueue('anew', 1)
    // Later than a retry would come.
    await until(() => ran.length > 3)
    await enqueue('last', 3, 2500)
    await until(() => ran.includes(3), 12_000)
    await jobs.isIdle()
    expect(ran.sort()).toEqual([0, 1, 2, 2, 3])
  })

  it('accepts an id again once its job is done, and not while it waits or runs', async () => {
    const jobs = await open()
    const ran: unknown[] = []
    let release = () => {}
    const handle = async ({ data }: AnyJob) => {
      ran.push(data['n'])
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    const another = (n: number) => jobs.enqueue('anew', 'one', { n }, inMs(0))
    for (const n of [1, 0]) await another(n)
    // Started only now, so that no job runs while others are enqueued.
    jobs.work('anew', handle)
    await until(() => ran.length === 1)
    await another(2)
    release()
    await jobs.isIdle()
    for (const count of [2, 3]) {
      // pg-boss stores the end of a job a moment after its handler.
      await expect.poll(() => another(3).then(() => ran.length), { timeout: 8000 }).toBe(count)
      release()
      await jobs.isIdle()
    }
    expect(ran).toEqual([1, 3, 3])
  })
})

it('a job of pg-boss whose process seems dead ends there, runs again, and is kept as long as promised', async () => {
  const url = await createDatabase()
  const { jobs, close } = await openEngine(url)
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => Promise.all([close(), client.end()]).then(() => {}))
  const heard: string[] = []
  jobs.work('lost', async (_, ending) => {
    if (heard.push('begun') > 1) return
    await new Promise((resolve) => ending.addEventListener('abort', resolve))
    heard.push('ended')
  })
  await jobs.enqueue('lost', 'one', {}, inMs(0))
  await until(() => heard.length === 1)
  const silence = "UPDATE callboard_jobs.job SET heartbeat_on = now() - interval '11 s'"
  await until(() => client.query(silence).then(() => heard.length === 3), 30_000)
  expect(heard.toSorted()).toEqual(['begun', 'begun', 'ended'])
  const { rows } = await client.query("SELECT * FROM callboard_jobs.queue WHERE name = 'lost'")
  const retries = { retry_limit: 200, retry_backoff: true, retry_delay_max: 600 }
  const times = { expire_seconds: 7200, retention_seconds: 31_536_000, heartbeat_seconds: 10 }
  expect(rows).toMatchObject([{ policy: 'exclusive', ...retries, ...times }])
})

describe('while the clock stands still, jobs in the process', () => {
  async function open() {
    const { url, stop } = await engines[0][1]()
    const clock = { now: 0 }
    const { jobs, close } = await openEngine(url, () => clock.now)
    onTestFinished(() => close().then(stop))
    return { jobs, clock, rows: new StoredRows(url.replace('sqlite:', '')), at: new Date(0) }
  }

  it('that are enqueued twice at once keep the data of the first', async () => {
    const { jobs, at } = await open()
    const ran: unknown[] = []
    jobs.work('twice', async ({ data }) => void ran.push(data['n']))
    await Promise.all([1, 2].map((n) => jobs.enqueue('twice', 'one', { n }, at)))
    await until(() => ran.length > 0)
    expect(ran).toEqual([1])
  })

  it('whose end could not be stored run again after a pause, and never if their start could not', async () => {
    const { jobs, clock, rows, at } = await open()
    let runs = 0
    const allow = rows.refuseAfter(1)
    jobs.work('refused', () => (runs++ < 9 ? Promise.resolve() : new Promise(() => {})))
    await jobs.enqueue('refused', 'one', {}, at)
    await turn()
    expect(runs).toBe(1)
    await expect(jobs.enqueue('refused', 'never', {}, at)).rejects.toThrow()
    allow()
    clock.now = 200
    await until(() => rows.all('job:refused').length === 0)
    expect(runs).toBe(2)
  })

  it('wait twice as long after each failure, ten minutes at most, and are given up after 200', async () => {
    const { jobs, rows } = await open()
    const toRow = (failed: number) => {
      const value = JSON.stringify({ id: `${failed}`, data: {}, at: 0, failed })
      return { namespace: 'job:worse', key: `${failed}`, value, expires: null }
    }
    rows.write([0, 3, 199, 200].map(toRow))
    jobs.work('worse', () => Promise.reject(failure))
    // Not due, but it makes the others run.
    await jobs.enqueue('worse', 'later', {}, new Date(700_000))
    await jobs.isIdle()
    const retries = rows.all('job:worse').map(({ value }) => JSON.parse(value))
    expect(retries.map(({ failed, at }) => [failed, at])).toEqual([
      [1, 200],
      [200, 600_000],
      [4, 1600],
      [0, 700_000],
    ])
  })

  it('are deleted at each moment of storing that they failed', async () => {
    const { jobs, clock, rows, at } = await open()
    const ran: string[] = []
    const endTenant = async ({ id: teamId }: AnyJob) => {
      for (let left = Number(teamId); left > 0; left -= 1) await undefined
      await jobs.deleteTenantJobs({ enterpriseId: undefined, teamId })
    }
    jobs.work('failing', async (job) => {
      ran.push(job.id)
      // Rows are also deleted with a tenant's records.
      if (job.id === 'row') rows.delete('job:failing')
      else void endTenant(job)
      throw failure
    })
    await jobs.enqueue('failing', 'row', {}, at)
    await jobs.isIdle()
    for (let n = 0; n < 20; n += 1)
      await jobs.enqueue('failing', `${n}`, { workspace: { teamId: `${n}` } }, at)
    await jobs.isIdle()
    clock.now = 1_000_000
    // Runs after all others that are due.
    await jobs.enqueue('failing', 'last', {}, at)
    await until(() => ran.includes('last'))
    expect(ran).toHaveLength(22)
    expect(rows.all('job:failing').map(({ key }) => key)).toEqual(['last'])
  })
})
