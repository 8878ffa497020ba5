import { createSecretKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { getNextTick, Poller } from '../../../src/features/alerts/poller.ts'
import { createLog } from '../../../src/log.ts'
import { createMetrics } from '../../../src/metrics/metrics.ts'
import type { Services } from '../../../src/services.ts'
import { Workspaces } from '../../../src/slack/access/workspaces.ts'
import { type AlertRecord, idleState, POLL_ID } from '../../../src/store/alerts.ts'
import { getShard, SHARDS } from '../../../src/store/engine/rows.ts'
import { StoreError } from '../../../src/store/errors.ts'
import { Store } from '../../../src/store/store.ts'
import { tenantKey } from '../../../src/store/tenant.ts'
import { type EpochMs, hourMs, minuteMs } from '../../../src/util/units.ts'
import { createClient, gate, ok, type Reply, startStub, status } from '../../support/stub-service.ts'

const shard = 29
const names = Array.from({ length: 400 }, (_, n) => `T${n}`)
/** Two workspaces of one shard. */
const [one = '', other = ''] = names.filter((teamId) => getShard(tenantKey({ teamId })) === shard)
const team = (teamId: string) => ({ enterpriseId: undefined, teamId })

/** Creates a shard of two accounts with an alert each, over a new store. The test runs its jobs. */
async function startScene({
  from = '2026-11-20T12:00:00Z',
  budgetMs = undefined as number | undefined,
  stopAfter = Infinity,
} = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-polls-'))
  const encryptionKeys = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }] as const
  /** Only errors. */
  const logged: string[] = []
  const { log } = createLog('error', { write: (line) => void logged.push(line) })
  const clock = { now: getNextTick(shard, minuteMs, Date.parse(from)) }
  const store = new Store({ url: `sqlite:${join(folder, 'store.sqlite')}`, encryptionKeys, log })
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const stub = await startStub()
  const replies = new Map<string, Reply>()
  stub.always((response, request) => {
    const reply = replies.get(request.params.get('key') ?? '') ?? ok()
    reply(response, request)
  })
  const enqueued: { queue: string; data: object; at: EpochMs }[] = []
  const jobs = {
    enqueue: async ({ name }: { name: string }, _id: string, data: object, at: Date) =>
      void enqueued.push({ queue: name, data, at: at.getTime() }),
  }
  const services = {
    store,
    telephony: createClient(stub.baseUrl, { timeoutMs: 60_000 }),
    workspaces: new Workspaces(store),
    notices: { notify: async (_workspace: object, _people: object, id: string) => void notified.push(id) },
    jobs,
    config: { alertEveryMs: minuteMs },
    metrics: await createMetrics(undefined),
    log,
    now: () => clock.now,
  }
  const notified: string[] = []
  const delivered: string[] = []
  const stop = new AbortController()
  const deliver = ({ workspace }: AlertRecord) => {
    delivered.push(workspace.teamId)
    if (delivered.length === stopAfter) stop.abort()
    return Promise.reject(new Error('as the test wants it'))
  }
  const poller = new Poller(services as unknown as Services, deliver, budgetMs)
  const since = clock.now - 30 * 24 * hourMs
  for (const teamId of [one, other]) {
    const tenant = tenantKey({ teamId })
    await store.credentials.set({ key: teamId, secret: 's', connectedBy: 'U1', connectedAt: 1 }, tenant)
    const workspace = team(teamId)
    const alert = { id: 'a', workspace, owner: 'U1', channel: 'C1', since, lines: [], state: idleState }
    await store.alerts.set(tenant, 'a', alert)
    await store.polls.set(tenant, POLL_ID, { workspace, since })
  }
  return {
    store,
    logged,
    stop,
    poller,
    clock,
    replies,
    enqueued,
    /** Workspaces of delivered alerts. */
    delivered,
    /** Ids of notices. */
    notified,
    /** Runs the shard's due job. */
    run: (at = clock.now) => poller.runShard({ id: 'job', data: { shard, at } }, stop.signal),
    /** Number of requests of an account. */
    looks: (key: string) => stub.requests.filter(({ params }) => params.get('key') === key).length,
    watch: (teamId: string) => store.polls.get(tenantKey({ teamId }), POLL_ID),
    waiting: async (teamId: string) =>
      (await store.alerts.get(tenantKey({ teamId }), 'a'))?.state.waiting.calls,
  }
}

/** Stops the clock of timers, until the time for reading ends. */
function stopTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}
const endReading = () => void vi.advanceTimersByTime(minuteMs / 2)

it('fails an account that exceeds its budget, without delaying others', async () => {
  const { clock, replies, enqueued, logged, run, watch } = await startScene()
  stopTimers()
  replies.set(one, gate().held)
  for (let polls = 1; polls <= 2; polls += 1) {
    const running = run()
    await expect.poll(async () => (await watch(other))?.list?.readAt).toBe(clock.now)
    endReading()
    await running
    const tick = { queue: 'alert-polls', data: { shard, at: clock.now + minuteMs }, at: clock.now + minuteMs }
    expect(enqueued.at(-1)).toEqual(tick)
    const why = 'The phone service takes too long to list the missed calls.'
    expect(await watch(one)).toMatchObject({ failing: { count: polls, why, isPermanent: false } })
    clock.now += minuteMs
  }
  expect(logged).toEqual([])
})

/** A list of two pages, of which only the first one arrives. */
const firstPageOnly: Reply = (response, request) => {
  if (request.params.get('page') !== '1') return
  const record = { 'DID number': '1', 'Date Time': '2026-11-20 11:50:00 AM', Duration: '00:00:00' }
  const result = Array.from({ length: 20 }, (_, n) => ({ ...record, id: String(n), Status: 'NOTANSWERED' }))
  ok({ total_record: '40', result })(response, request)
}

it.each([
  ['took too long, and then leaves out the days before yesterday', endReading, '2026-11-19'],
  ['was interrupted, and then repeats all days', status(400), '2026-10-21'],
])('posts what was found by a first poll that %s', async (_, nextPages, from) => {
  const { clock, replies, delivered, run, watch, waiting } = await startScene()
  stopTimers()
  replies.set(one, (response, request) =>
    (request.params.get('page') === '1' ? firstPageOnly : nextPages)(response, request),
  )
  await run()
  expect(await watch(one)).toMatchObject({ failing: {}, list: { range: { from: '2026-10-21' } } })
  expect(await waiting(one)).toHaveLength(20)
  expect(delivered).toEqual([one])
  clock.now += 2 * minuteMs
  await run()
  expect((await watch(one))?.list?.range.from).toBe(from)
  // The days that are left are still incomplete.
  expect((await watch(one))?.list).not.toHaveProperty('total')
})

it('leaves a muted alert with waiting calls alone until its mute ends, and all once the process stops', async () => {
  const { store, clock, delivered, run, looks, watch } = await startScene({ stopAfter: 4 })
  const tenant = tenantKey({ teamId: one })
  const [alert] = await store.alerts.all(tenant)
  const state = { waiting: { calls: [{ id: '1', at: clock.now, line: '1' }], older: 0 } }
  const muted = { by: 'U1', from: clock.now, until: clock.now + minuteMs }
  await store.alerts.set(tenant, '0', { ...alert!, id: '0', state, muted, since: clock.now })
  await store.alerts.set(tenant, 'a', { ...alert!, state })
  await store.polls.delete(tenant, POLL_ID)
  await run()
  expect([delivered, looks(one), (await watch(one))?.since]).toEqual([[one], 1, alert!.since])
  clock.now += minuteMs
  await run()
  expect(delivered).toEqual([one, one, one])
  await expect(run()).rejects.toThrow()
  expect(delivered).toEqual([one, one, one, one])
})

it('leaves alerts with waiting calls to the next poll once the time of their account is over', async () => {
  const { store, clock, delivered, run } = await startScene({ budgetMs: 0 })
  await store.alerts.change(tenantKey({ teamId: one }), 'a', (alert) => {
    return { ...alert, state: { waiting: { calls: [{ id: '1', at: clock.now, line: '1' }], older: 0 } } }
  })
  await run()
  expect(delivered).toEqual([])
})

it('says that a failure of its own is one, but not of an account if the database fails', async () => {
  const { logged, run, watch } = await startScene()
  const spy = vi.spyOn(Workspaces.prototype, 'findZone')
  const reasons = async () => [await watch(one), await watch(other)].map((poll) => poll?.failing?.why)
  spy.mockRejectedValueOnce(new StoreError('down'))
  await run()
  expect(await reasons()).toEqual([undefined, undefined])
  spy.mockRejectedValueOnce(new TypeError('a mistake'))
  await run()
  expect(await reasons()).toContain('Something went wrong in Callboard.')
  const messages = [/account poll failed/, /account could not be polled/]
  expect(logged).toEqual(messages.map((message) => expect.stringMatching(message)))
})

it('a poll that a stop interrupts fails no account, and runs again', async () => {
  const { replies, enqueued, logged, run, stop, looks, watch } = await startScene({ budgetMs: hourMs })
  replies.set(one, gate().held)
  const running = run()
  // A slow account doesn't delay the others.
  await expect.poll(() => [looks(one), looks(other)]).toEqual([1, 1])
  stop.abort()
  await expect(running).rejects.toThrow()
  expect([enqueued, logged, (await watch(one))?.failing]).toEqual([[], [], undefined])
})

it('tells the owners of each account, even if several fail at once', async () => {
  const { replies, notified, run } = await startScene()
  for (const key of [one, other]) replies.set(key, status(401))
  await run()
  expect(new Set(notified).size).toBe(2)
})

it('waits as long as the service asks, up to an hour', async () => {
  const { clock, replies, run, looks, watch } = await startScene()
  replies.set(one, status(429, { 'retry-after': '1200' }))
  replies.set(other, status(429, { 'retry-after': '86400' }))
  await run()
  const retryIn = async (teamId: string) => ((await watch(teamId))?.failing?.retryAt ?? 0) - clock.now
  expect(await retryIn(one)).toBe(20 * minuteMs - 15_000)
  expect(await retryIn(other)).toBe(hourMs - 15_000)
  const before = looks(one)
  clock.now += 10 * minuteMs
  await run()
  expect(looks(one)).toBe(before)
  // The clock was ahead.
  clock.now -= 5 * hourMs
  await run()
  expect((await watch(one))?.failing?.since).toBe(clock.now)
})

it('discards the result if the account was replaced during the poll', async () => {
  const { store, clock, replies, run, looks, waiting } = await startScene({ from: '2026-11-20T11:59:00Z' })
  const missed = (id: string) => {
    const record = { id, 'DID number': '1', 'Date Time': '2026-11-20 12:00:00 PM', Duration: '00:00:00' }
    return ok({ total_record: '1', result: [{ ...record, Status: 'NOTANSWERED' }] })
  }
  const { held, open } = gate(missed('1'))
  replies.set(one, held)
  const old = run()
  await expect.poll(() => looks(one)).toBe(1)
  const connectedAt = clock.now
  const next = { key: 'next', secret: 's', connectedBy: 'U1', connectedAt }
  await store.credentials.set(next, tenantKey({ teamId: one }))
  open()
  await old
  expect(await waiting(one)).toEqual([])
  replies.set('next', missed('2'))
  clock.now += minuteMs
  await run()
  expect((await waiting(one))?.map(({ id }) => id)).toEqual(['2'])
})

describe('the runs of a shard', () => {
  it('end with its last alert, and a missing one is restored', async () => {
    const { store, poller, enqueued, run } = await startScene()
    await poller.restoreJobs()
    expect(enqueued.map(({ data }) => data)).toMatchObject([{ shard }])
    for (const teamId of [one, other]) await store.alerts.delete(tenantKey({ teamId }), 'a')
    await run()
    await poller.restoreJobs()
    expect(enqueued).toHaveLength(1)
  })

  it('are spread over the interval, each with one tick in it', () => {
    const start = Date.parse('2026-11-20T10:00:00Z')
    for (const everyMs of [30_000, minuteMs, 10 * minuteMs]) {
      const ticks = Array.from({ length: SHARDS }, (_, index) => getNextTick(index, everyMs, start))
      for (const [index, tick] of ticks.entries()) {
        expect(tick > start && tick <= start + everyMs).toBe(true)
        expect(getNextTick(index, everyMs, tick)).toBe(tick + everyMs)
        expect(getNextTick(index, everyMs, tick + 700)).toBe(tick + everyMs)
      }
      const sorted = ticks.toSorted((a, b) => a - b)
      for (const [index, tick] of sorted.slice(1).entries())
        expect(tick - (sorted[index] ?? 0)).toBeLessThanOrEqual(everyMs / SHARDS + 1)
    }
  })

  it('share the tenants evenly, and a tenant stays in its shard', () => {
    const counts = new Map<number, number>()
    for (let n = 0; n < 6400; n += 1) {
      const own = getShard(tenantKey({ teamId: `T${n}` }))
      counts.set(own, (counts.get(own) ?? 0) + 1)
    }
    expect(counts.size).toBe(SHARDS)
    for (const count of counts.values()) expect(count > 50 && count < 160).toBe(true)
    expect(['T1', 'T0TEAM1', 'E/1'].map((teamId) => getShard(tenantKey({ teamId })))).toEqual([29, 46, 31])
  })

  it('continue at the next tick if a database with a fast clock starts one early', async () => {
    const { clock, enqueued, run } = await startScene()
    const tick = clock.now
    for (const now of [tick - 300, tick + 300]) {
      clock.now = now
      await run(tick)
    }
    expect(enqueued.map(({ at }) => at)).toEqual([tick + minuteMs, tick + minuteMs])
  })
})
