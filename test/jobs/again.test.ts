import { fork } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { type Again, type Job, UselessJobError } from '../../src/jobs/jobs.ts'
import { engines } from './engines.ts'
import { inMs, until, useEngine } from './use-engine.ts'

describe.each(engines)('jobs that run again: %s', (_, startDatabase) => {
  const { open, url } = useEngine(startDatabase)

  it('runs the same job again at the time that its handler tells, until it tells none', async () => {
    const jobs = open()
    const ran: { job: Job; at: number; due: number }[] = []
    let due = Date.now()
    jobs.work('again', async (job) => {
      ran.push({ job, at: Date.now(), due })
      if (ran.length === 4) return undefined
      due = Date.now() + 700
      return { again: new Date(due) }
    })
    await jobs.enqueue('again', 'one', { n: [1] }, inMs(0))
    await until(() => ran.length === 4)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(ran.map(({ job }) => job)).toEqual(Array(4).fill({ id: 'one', data: { n: [1] } }))
    for (const { at, due } of ran) expect(at).toBeGreaterThanOrEqual(due)
  })

  it('takes an id anew once its job is over or given up, and not while it waits, runs or runs again', async () => {
    const jobs = open()
    const ran: unknown[] = []
    let release = () => {}
    const handle = async ({ data }: Job): Promise<Again | undefined> => {
      ran.push(data)
      await new Promise<void>((resolve) => {
        release = resolve
      })
      if (ran.length === 1) return { again: inMs(800) }
      if (ran.length === 3) throw new UselessJobError('as the test wants it')
      return undefined
    }
    jobs.work('anew', handle)
    // Each of these comes while the job runs, or waits to run again.
    const another = (n: number) => jobs.enqueue('anew', 'one', { n }, inMs(0))
    await another(1)
    await until(() => ran.length === 1)
    await another(2)
    release()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await another(3)
    await until(() => ran.length === 2)
    release()
    await expect.poll(() => jobs.underWay).toBe(0)
    await another(4)
    await until(() => ran.length === 3)
    release()
    await expect.poll(() => jobs.underWay).toBe(0)
    await another(5)
    await until(() => ran.length === 4)
    release()
    expect(ran).toEqual([{ n: 1 }, { n: 1 }, { n: 4 }, { n: 5 }])
  })

  it('begins its tries anew with each run', async () => {
    const jobs = open()
    const ran: string[] = []
    const tries = new Map<string, number>()
    jobs.work('tries', async ({ id }) => {
      ran.push(id)
      tries.set(id, (tries.get(id) ?? 0) + 1)
      if (tries.get(id) === 1) throw new Error('as the test wants it')
      return tries.get(id) === 2 ? { again: inMs(100) } : undefined
    })
    await jobs.enqueue('tries', 'one', {}, inMs(0))
    await until(() => tries.get('one') === 3, 12_000)
    await expect.poll(() => jobs.underWay).toBe(0)
  })

  it('makes one of what two processes enqueue at once, and runs it in one of them at a time', async () => {
    const [one, two] = [open(), open()]
    const ran: string[] = []
    const running = new Set<string>()
    const doubled: string[] = []
    const handle = async ({ id }: Job) => {
      if (running.has(id)) doubled.push(id)
      running.add(id)
      ran.push(id)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running.delete(id)
      return { again: inMs(600) }
    }
    const planned = Array.from({ length: 40 }, (_, n) => ({ id: `watch ${n}`, data: { n }, at: inMs(0) }))
    one.work('both', handle, { concurrency: 20 })
    two.work('both', handle, { concurrency: 20 })
    await Promise.all([one.enqueueAll('both', planned), two.enqueueAll('both', planned)])
    const begun = Date.now()
    await until(() => planned.every(({ id }) => ran.filter((other) => other === id).length >= 3), 20_000)
    expect(doubled).toEqual([])
    // One that was made twice would run twice as often.
    const rounds = Math.ceil((Date.now() - begun) / 600) + 1
    for (const { id } of planned) expect(ran.filter((other) => other === id).length).toBeLessThan(rounds + 1)
  })

  it('works through thousands with the concurrency of their queue, while another queue waits for none', async () => {
    const jobs = open()
    const ran = new Map<string, number>()
    let atOnce = 0
    let most = 0
    const planned = Array.from({ length: 2500 }, (_, n) => ({ id: `${n}`, data: {}, at: inMs(0) }))
    await jobs.enqueueAll('many', planned)
    jobs.work(
      'many',
      async ({ id }) => {
        atOnce += 1
        most = Math.max(most, atOnce)
        await new Promise((resolve) => setTimeout(resolve, 10))
        atOnce -= 1
        ran.set(id, (ran.get(id) ?? 0) + 1)
        return Number(id) % 2 === 0 ? { again: inMs(3_600_000) } : undefined
      },
      { concurrency: 100 },
    )
    let waited = Number.POSITIVE_INFINITY
    jobs.work('few', async () => {
      waited = Date.now() - enqueued
    })
    await until(() => ran.size > 50)
    const enqueued = Date.now()
    await jobs.enqueue('few', 'one', {}, inMs(0))
    await until(() => ran.size === planned.length && waited < 3000, 20_000)
    expect([...ran.values()].every((times) => times === 1)).toBe(true)
    expect(most).toBe(100)
  })

  it('does not run one again that was deleted with its tenant while it ran', async () => {
    const jobs = open()
    const ran: string[] = []
    const tenant = { enterpriseId: undefined, teamId: 'T1' }
    jobs.work('gone', async ({ id }) => {
      ran.push(id)
      if (id === 'one') await jobs.deleteOf(tenant)
      return { again: inMs(300) }
    })
    await jobs.enqueue('gone', 'one', { tenant: { teamId: 'T1' } }, inMs(0))
    await jobs.enqueue('gone', 'two', { tenant: { teamId: 'T2' } }, inMs(0))
    await until(() => ran.filter((id) => id === 'two').length === 4)
    expect(ran.filter((id) => id === 'one')).toHaveLength(1)
    // Whatever is in between: deleted while it is kept that it runs again.
    for (let wait = 0; wait < 4; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 90))
      await jobs.deleteOf({ enterpriseId: undefined, teamId: 'T2' })
      const before = ran.length
      await new Promise((resolve) => setTimeout(resolve, 700))
      expect(ran.length - before).toBeLessThanOrEqual(1)
      const after = ran.length
      await jobs.enqueue('gone', 'two', { tenant: { teamId: 'T2' } }, inMs(0))
      await until(() => ran.length > after)
    }
  }, 60_000)

  it('keeps it over a killed process, which ran it or had just ended it', async () => {
    const child = fork(new URL('watcher.ts', import.meta.url), [url()])
    const jobs = open()
    try {
      let rounds = 0
      child.on('message', () => {
        rounds += 1
      })
      const planned = Array.from({ length: 30 }, (_, n) => ({ id: `${n}`, data: { n }, at: inMs(0) }))
      await jobs.enqueueAll('watched', planned)
      await until(() => rounds >= 90, 20_000)
      child.kill('SIGKILL')
      const killed = Date.now()
      const ran = new Map<string, number>()
      jobs.work(
        'watched',
        async ({ id }) => {
          ran.set(id, (ran.get(id) ?? 0) + 1)
          return { again: inMs(60_000) }
        },
        { concurrency: 30 },
      )
      await until(() => ran.size === planned.length, 30_000)
      expect(Date.now() - killed).toBeLessThan(30_000)
      expect([...ran.values()]).toEqual(planned.map(() => 1))
    } finally {
      child.kill('SIGKILL')
    }
  }, 60_000)
})
