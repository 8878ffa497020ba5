import { createSecretKey } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createAlerts } from '../../../src/alerts/alerts.ts'
import { nextTick } from '../../../src/alerts/poll-times.ts'
import { createPoller } from '../../../src/features/alerts/poller.ts'
import { createLog } from '../../../src/log.ts'
import { createMetrics } from '../../../src/metrics/metrics.ts'
import { Workspaces } from '../../../src/slack/access/workspaces.ts'
import { WATCH_ID } from '../../../src/store/alerts.ts'
import { shardOf } from '../../../src/store/engine/rows.ts'
import { StoreError } from '../../../src/store/errors.ts'
import { Store } from '../../../src/store/store.ts'
import { type TenantKey, tenantKey } from '../../../src/store/tenant.ts'
import type { EpochMs } from '../../../src/util/units.ts'
import { clientOf, gate, ok, type Reply, startStub, status } from '../../support/stub-service.ts'

const minute = 60_000
const shard = 29
const names = Array.from({ length: 400 }, (_, n) => `T${n}`)
/** Two workspaces of one shard. */
const [one = '', other = ''] = names.filter((teamId) => shardOf(tenantKey({ teamId })) === shard)

/** A shard of two accounts, each with an alert, over a store of its own; the test runs its jobs. */
async function startScene({ from = '2026-11-20T12:00:00Z' } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'callboard-polls-'))
  const encryptionKeys = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 1)) }] as const
  const { log } = createLog('silent')
  const clock = { now: nextTick(shard, minute, Date.parse(from)) }
  const now = () => clock.now
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
  const enqueued: { data: object; at: EpochMs }[] = []
  const jobs = {
    inFlight: 0,
    enqueue: async (_queue: object, _id: string, data: object, at: Date) =>
      void enqueued.push({ data, at: at.getTime() }),
    work() {},
    deleteOf: async () => {},
    stop: async () => {},
  }
  const workspaces = new Workspaces(store)
  const telephony = clientOf(stub.baseUrl, { timeoutMs: 60_000 })
  const alerts = createAlerts({ store, workspaces, jobs, everyMs: minute, now })
  const owners: string[] = []
  const poll = createPoller(
    {
      config: { alertEveryMs: minute },
      store,
      alerts,
      telephony,
      workspaces,
      metrics: await createMetrics(undefined, log),
      log,
      now,
    },
    async () => Promise.reject(new Error('as the test wants it')),
    async (alerts, { why }) => void owners.push(`${alerts.map(({ id }) => id).join()}: ${why}`),
  )
  const since = clock.now - 30 * 24 * 60 * minute
  for (const teamId of [one, other]) {
    const [team, tenant] = [{ enterpriseId: undefined, teamId }, tenantKey({ teamId })]
    const plan = { owner: 'U1', channel: 'C1', since, lines: [], agents: [], isPaused: false }
    await store.credentials.set({ key: teamId, secret: 's', connectedBy: 'U1', connectedAt: 1 }, tenant)
    await store.alerts.set(tenant, 'a', { id: 'a', tenant: team, ...plan })
    await store.watches.set(tenant, WATCH_ID, { tenant: team, since, lists: {}, alerts: {} })
  }
  const { signal } = new AbortController()
  return {
    store,
    alerts,
    log,
    clock,
    replies,
    enqueued,
    owners,
    telephony,
    /** Runs the shard's job of now. */
    run: () => poll({ id: 'job', data: { shard, at: clock.now } }, signal),
    /** The days of each request, by account. */
    asked: (key: string) =>
      stub.requests
        .filter(({ params }) => params.get('key') === key)
        .map(({ params }) => `${params.get('from')}..${params.get('to')}`),
    /** Plans an alert for these agents of the first account, which has one for all calls. */
    addAlert: async (id: string, ...agentIds: string[]) => {
      const [team, tenant] = [{ enterpriseId: undefined, teamId: one }, tenantKey({ teamId: one })]
      const agents = agentIds.map((agentId) => ({ id: agentId, name: `<${agentId}>` }))
      const plan = { owner: 'U1', channel: 'C1', since, lines: [], agents, isPaused: false }
      await store.alerts.set(tenant, id, { id, tenant: team, ...plan })
    },
    watch: (teamId: string) => store.watches.get(tenantKey({ teamId }), WATCH_ID),
  }
}

it('an account that hangs holds up no other one, and is not polled a second time meanwhile', async () => {
  const { clock, replies, enqueued, run, asked } = await startScene()
  const { held, open } = gate()
  replies.set(one, held)
  const first = run()
  await expect.poll(() => asked(other).length).toBe(1)
  const next = clock.now + minute
  expect(enqueued).toEqual([{ data: { shard, at: next }, at: next }])
  clock.now += minute
  // The other one's first poll may not have ended yet.
  const pollAgain = async () => {
    await run()
    return [asked(one).length, asked(other).length]
  }
  await expect.poll(pollAgain).toEqual([1, 2])
  open()
  await first
  clock.now += minute
  await run()
  expect([asked(one).length, asked(other).length]).toEqual([2, 3])
})

it("an account that could not be polled is asked for yesterday's calls, though its shard was polled", async () => {
  const { store, clock, run, asked } = await startScene({ from: '2026-11-20T03:50:00Z' })
  await run()
  // By now yesterday is safely over.
  clock.now += 11 * minute
  const { get } = store.credentials
  vi.spyOn(store.credentials, 'get').mockImplementation(async (tenant: TenantKey) => {
    if (tenant === tenantKey({ teamId: one })) throw new StoreError('as the test wants it')
    return get.call(store.credentials, tenant)
  })
  await run()
  expect(asked(one)).toHaveLength(1)
  vi.restoreAllMocks()
  clock.now += minute
  await run()
  const both = '19-11-2026..20-11-2026'
  expect(asked(one)).toEqual([both, both])
  clock.now += minute
  await run()
  expect(asked(one).at(-1)).toBe('20-11-2026..20-11-2026')
})

it("one that waits for its turn, since it is slow, is asked for yesterday's calls as well", async () => {
  const { store, clock, run, asked } = await startScene({ from: '2026-11-20T03:50:00Z' })
  await run()
  const tenant = tenantKey({ teamId: one })
  await store.watches.change(tenant, WATCH_ID, (watch) => ({ ...watch, notBefore: clock.now + 12 * minute }))
  clock.now += 11 * minute
  await run()
  clock.now += minute
  await run()
  expect(asked(one).at(-1)).toBe('19-11-2026..20-11-2026')
  expect(asked(other).at(-1)).toBe('20-11-2026..20-11-2026')
})

it('a clock that was two days ahead for a moment keeps no call from being found', async () => {
  const { clock, enqueued, run, asked } = await startScene({ from: '2026-11-20T03:50:00Z' })
  const { now } = clock
  await run()
  clock.now = now + 48 * 60 * minute
  await run()
  clock.now = now + 11 * minute
  await run()
  expect(enqueued.at(-1)?.at).toBe(clock.now + minute)
  for (const key of [one, other]) expect(asked(key).at(-1)).toBe('19-11-2026..20-11-2026')
})

it('a failure that nobody foresaw is kept with its account, its owner hears of it once, and it is polled again', async () => {
  const { clock, telephony, enqueued, owners, run, asked, watch } = await startScene()
  const { calls } = telephony
  const spy = vi.spyOn(telephony, 'calls').mockImplementation(async (account, query, options) => {
    if (account.credentials.key === one) throw new RangeError('Invalid time value')
    return calls.call(telephony, account, query, options)
  })
  for (let passed = 0; passed < 40; passed += 1) {
    await run()
    expect(enqueued.at(-1)?.at).toBe(clock.now + minute)
    clock.now += minute
  }
  expect(owners).toEqual(['a: Something went wrong in Callboard.'])
  expect((await watch(one))?.failing?.count).toBeGreaterThan(5)
  expect((await watch(other))?.failing).toBeUndefined()
  expect(asked(other)).toHaveLength(40)
  spy.mockRestore()
  for (let passed = 0; passed < 11; passed += 1) {
    await run()
    clock.now += minute
  }
  expect(asked(one).length).toBeGreaterThan(0)
  expect((await watch(one))?.trouble).toBeUndefined()
})

it('an agent whose calls the service refuses to list is trouble of the alerts that name it alone', async () => {
  const { alerts, clock, replies, owners, run, asked, watch, addAlert } = await startScene()
  await addAlert('b', 'gone')
  await addAlert('c', 'there', 'gone')
  await addAlert('d', 'there')
  replies.set(one, (response, request) =>
    (request.params.get('agentid') === 'gone' ? status(400) : ok())(response, request),
  )
  for (let passed = 0; passed < 20; passed += 1) {
    await run()
    clock.now += minute
  }
  expect(asked(one)).toHaveLength(60)
  const troubled = await watch(one)
  expect([troubled?.failing, troubled?.trouble, troubled?.notBefore]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(owners).toEqual([
    expect.stringContaining('b,c: The phone service refused to list the missed calls of &lt;gone&gt;.'),
  ])
  expect(Object.keys(troubled?.alerts ?? {})).toEqual(['b', 'c'])
  const shown = await alerts.list(tenantKey({ teamId: one }))
  expect(shown.filter(({ trouble }) => trouble).map(({ alert }) => alert.id)).toEqual(['b', 'c'])
  replies.delete(one)
  await run()
  expect((await watch(one))?.alerts).toEqual({ b: {}, c: {} })
})

it('heeds a service that asks to wait, whatever list it refused before', async () => {
  const { clock, replies, run, asked, watch, addAlert } = await startScene()
  await addAlert('b', 'gone', 'busy', 'after')
  replies.set(one, (response, request) => {
    const agentId = request.params.get('agentid')
    const busy = status(429, { 'retry-after': '1200' })
    const reply = agentId === 'gone' ? status(400) : agentId === 'busy' ? busy : ok()
    reply(response, request)
  })
  await run()
  expect(asked(one)).toHaveLength(3)
  expect((await watch(one))?.notBefore).toBe(clock.now + 20 * minute)
})

it('an account that takes too long keeps what was found by then, and its shard is done', async () => {
  const budgets: number[] = []
  const over = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    budgets.push(ms)
    return over.signal
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const { clock, replies, run, asked, watch, addAlert } = await startScene()
  await addAlert('b', 'quick', 'slow')
  const { held } = gate()
  replies.set(one, (response, request) =>
    (request.params.get('agentid') === 'slow' ? held : ok())(response, request),
  )
  const running = run()
  await expect.poll(() => asked(one).length).toBe(3)
  await expect.poll(async () => (await watch(other))?.polledAt).toBe(clock.now)
  over.abort(new DOMException('as the test wants it', 'TimeoutError'))
  await running
  const cut = await watch(one)
  expect(Object.keys(cut?.lists ?? {})).toEqual([expect.any(String), expect.stringMatching(/ quick$/)])
  expect(cut?.failing?.count).toBe(1)
  expect((await watch(other))?.failing).toBeUndefined()
  clock.now += minute
  await run()
  expect(budgets.toSorted((a, b) => a - b)).toEqual([45_000, 45_000, 45_000, 90_000])
})

it('the log names the workspace whose account could not be polled, and whose alert was not delivered', async () => {
  const { store, log, replies, run } = await startScene()
  const [info, error] = [vi.spyOn(log, 'info'), vi.spyOn(log, 'error')]
  onTestFinished(() => void vi.restoreAllMocks())
  const tenant = tenantKey({ teamId: one })
  const pending = { count: 1, firstAt: 0, calls: [] }
  await store.watches.change(tenant, WATCH_ID, (watch) => ({ ...watch, alerts: { a: { pending } } }))
  replies.set(one, status(401))
  await run()
  expect(info).toHaveBeenCalledWith(expect.objectContaining({ tenant }), 'an account could not be polled')
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ tenant }), 'an alert was not delivered')
})

it('a poll of an account that was replaced meanwhile leaves no trace', async () => {
  const { store, clock, replies, run, asked, watch } = await startScene({ from: '2026-11-20T11:59:00Z' })
  const missed = (id: string) => {
    const record = { id, 'DID number': '1', 'Date Time': '2026-11-20 12:00:00 PM', Duration: '00:00:00' }
    return ok({ total_record: '1', result: [{ ...record, Status: 'NOTANSWERED' }] })
  }
  const { held, open } = gate(missed('1'))
  replies.set(one, held)
  const old = run()
  await expect.poll(() => asked(one).length).toBe(1)
  const connectedAt = clock.now
  await store.credentials.set(
    { key: 'next', secret: 's', connectedBy: 'U1', connectedAt },
    tenantKey({ teamId: one }),
  )
  open()
  await old
  expect((await watch(one))?.alerts).toEqual({})
  replies.set('next', missed('2'))
  clock.now += minute
  await run()
  expect((await watch(one))?.alerts['a']?.pending?.calls.map(({ id }) => id)).toEqual(['2'])
})
