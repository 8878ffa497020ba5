import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { TelephonyClient } from '../../src/telephony/client.ts'
import type { RequestReport } from '../../src/telephony/requests.ts'
import { hourMs } from '../../src/util/units.ts'
import {
  createAccount,
  createClient,
  gate,
  json,
  noReply,
  ok,
  incoming as query,
  type Reply,
  rejection,
  reset,
  startStub,
  status,
  trackTimers,
} from '../support/stub-service.ts'

const account = createAccount()

type ClientOptions = Parameters<typeof createClient>[1]

/** Starts a service that always gives this reply, and a client of it. */
async function startClient(reply: Reply = ok(), options?: ClientOptions) {
  const stub = await startStub()
  stub.always(reply)
  return { stub, client: createClient(stub.baseUrl, options) }
}

const cutBody =
  (code: number): Reply =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"status":"20')
    setTimeout(() => response.destroy(), 10)
  }
const redirect: Reply = (response, { path }) => {
  response.writeHead(302, { location: `${path}/elsewhere` }).end()
}

describe('errors, and the number of requests before them', () => {
  const rejected = { outcome: 'credentials-rejected' }
  const cutCause = { message: 'UND_ERR_SOCKET' }
  const unavailable = (outcome: string) => ({ outcome })
  it.each<[string, Reply, object, number]>([
    ['401', status(401), rejected, 1],
    ['401 with a cut body', cutBody(401), rejected, 1],
    ['401 inside', json({ status: '401', message: 'No', result: '' }), rejected, 1],
    ['400', status(400), { outcome: 'refused' }, 1],
    ['400 inside', ok({ status: 400 }), { outcome: 'refused' }, 1],
    ['429, an hour', status(429, { 'retry-after': '3600' }), { retryAfterMs: hourMs }, 1],
    ['429, forever', status(429, { 'retry-after': '9'.repeat(12) }), { retryAfterMs: hourMs }, 1],
    ['429 without a wait', status(429), { retryAfterMs: undefined }, 3],
    ['500', status(500), { ...unavailable('status'), status: 500 }, 3],
    ['500 inside', ok({ status: '500' }), { ...unavailable('envelope'), status: 500 }, 3],
    ['404', status(404), { ...unavailable('status'), status: 404, sent: true }, 1],
    ['a redirect, which is not followed', redirect, { ...unavailable('status'), status: 302 }, 1],
    ['HTML', json('<html>'), { ...unavailable('not-json'), cause: undefined }, 3],
    ['a cut body', cutBody(200), unavailable('connection'), 3],
    ['a cut connection', reset, { ...unavailable('connection'), sent: true, cause: cutCause }, 3],
    ['another envelope', json({ ok: true }), { ...unavailable('envelope'), sent: true }, 1],
    ['no result', ok({ result: undefined }), unavailable('envelope'), 1],
    ['5 MB', json(`"${'x'.repeat(5 * 1024 * 1024)}"`), unavailable('envelope'), 1],
  ])('%s', async (_name, reply, error, requests) => {
    const { stub, client } = await startClient(reply)
    expect(await rejection(client.calls(account, query))).toMatchObject(error)
    expect(stub.requests.length).toBe(requests)
  })

  it('a refused connection is retried, because nothing was sent', async () => {
    const error = await rejection(createClient('http://127.0.0.1:9/api/v1').invoices(account, 'C-1'))
    expect(error).toMatchObject({ outcome: 'connection', sent: false })
  })

  const drip: Reply = (response) => {
    response.writeHead(200, { 'content-length': '1000' })
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  }
  it.each<[string, Reply, object]>([
    ['no response', noReply, { outcome: 'timeout', sent: true }],
    ['a body that drips', drip, { outcome: 'timeout', sent: true }],
    // The refusal says more than a timeout.
    ['a wait that outlasts it', status(429, { 'retry-after': '1' }), { outcome: 'rate-limited' }],
  ])('the deadline covers all attempts: %s', async (_name, reply, error) => {
    const { stub, client } = await startClient(reply, { timeoutMs: 300 })
    expect(await rejection(client.calls(account, query))).toMatchObject(error)
    expect(stub.requests.length).toBe(1)
  })

  it('no slot in time: the deadline covers the queue', async () => {
    const { stub, client } = await startClient(noReply)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const others = [1, 2, 3, 4].map((page) => rejection(client.calls(account, { ...query, page })))
    await expect.poll(() => stub.requests.length).toBe(4)
    const last = rejection(client.invoices(account, 'C-1'))
    vi.advanceTimersByTime(7999)
    expect(client.waitingCount).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await last).toMatchObject({ outcome: 'timeout', sent: false })
    await Promise.all(others)
    expect([stub.requests.length, client.waitingCount, client.countSlotsLeft('T1')]).toEqual([4, 0, 4])
  })

  it.each<[string, Reply]>([
    ['500', status(500)],
    ['429', status(429)],
    ['HTML', json('<html>')],
    ['a cut connection', reset],
    ['a cut body', cutBody(200)],
  ])('the invoice operation is sent once: %s', async (_name, reply) => {
    const { stub, client } = await startClient(reply)
    const both = await Promise.allSettled([client.invoices(account, 'C-1'), client.invoices(account, 'C-2')])
    expect(both.map((one) => one.status)).toEqual(['rejected', 'rejected'])
    expect(stub.requests.map(({ params }) => params.get('customer_id')).sort()).toEqual(['C-1', 'C-2'])
  })

  it('contain no key, secret or URL', async () => {
    const credentials = { key: 'KEY-0815', secret: 'SECRET-4711' }
    const secretive = { tenant: 'T', credentials }
    const refusals = [400, 401, 429, 500].map((code) => status(code))
    for (const reply of [...refusals, reset, json('<'), json({}), noReply]) {
      const { stub, client } = await startClient(reply, { timeoutMs: 200 })
      const error = await rejection(client.calls(secretive, query))
      const told = inspect(error, { depth: 20, showHidden: true })
      expect(told).toContain('Error')
      for (const secret of ['KEY-0815', 'SECRET-4711', stub.baseUrl]) expect(told).not.toContain(secret)
    }
  })
})

describe('slots', () => {
  it('limit the requests of a tenant, and keep their order, without delaying other tenants', async () => {
    const { held, open } = gate()
    const { stub, client } = await startClient(held)
    const all = [1, 2, 3, 4, 5, 6, 7].map((page) => client.calls(account, { ...query, page }))
    all.push(client.calls(createAccount('T2'), { ...query, page: 8 }))
    await expect.poll(() => stub.requests.length).toBe(5)
    expect([client.waitingCount, client.countSlotsLeft('T1'), client.countSlotsLeft('T2')]).toEqual([3, 0, 3])
    open()
    await Promise.all(all)
    const asked = stub.requests.map(({ params }) => Number(params.get('page')))
    expect(asked.slice(5)).toEqual([5, 6, 7])
    expect([client.waitingCount, client.countSlotsLeft('T1')]).toEqual([0, 4])
  })

  it('delay the deadline of a background request until one is free', async () => {
    const [first, last] = [gate(), gate()]
    const { stub, client } = await startClient(last.held)
    stub.next(first.held, first.held, first.held)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { signal } = new AbortController()
    const all = [1, 2, 3, 4].map((page) => client.calls(account, { ...query, page }, { signal }))
    await expect.poll(() => stub.requests.length).toBe(3)
    vi.advanceTimersByTime(7000)
    first.open()
    await Promise.all(all.slice(0, 3))
    await expect.poll(() => stub.requests.length).toBe(4)
    vi.advanceTimersByTime(7000)
    last.open()
    expect(await all[3]).toMatchObject({ page: 4 })
  })

  it('go to people before background requests that waited longer', async () => {
    const [first, last] = [gate(), gate()]
    const { stub, client } = await startClient(last.held)
    stub.next(first.held)
    const { signal } = new AbortController()
    const all = [1, 2, 3, 4].map((page) => client.calls(account, { ...query, page }))
    await expect.poll(() => stub.requests.length).toBe(4)
    all.push(client.calls(account, { ...query, page: 5 }, { signal }))
    all.push(client.calls(account, { ...query, page: 6 }))
    first.open()
    await expect.poll(() => stub.requests.length).toBe(5)
    expect(stub.requests.at(-1)?.params.get('page')).toBe('6')
    last.open()
    await Promise.all(all)
  })

  it('are not taken by requests that were cancelled while they waited', async () => {
    const { held, open } = gate()
    const { stub, client } = await startClient(held)
    const gone = new AbortController()
    const inBackground = (page: number, { signal }: AbortController) =>
      client.calls(account, { ...query, page }, { signal })
    const kept = new AbortController()
    const first = [1, 2, 3].map((page) => inBackground(page, kept))
    const cancelled = [4, 5].map((page) => rejection(inBackground(page, gone)))
    const last = inBackground(6, kept)
    await expect.poll(() => stub.requests.length).toBe(3)
    gone.abort('enough')
    const late = rejection(inBackground(7, gone))
    expect(await Promise.all([...cancelled, late])).toEqual(['enough', 'enough', 'enough'])
    open()
    await Promise.all([...first, last])
    expect(stub.requests.map(({ params }) => params.get('page'))).toEqual(['1', '2', '3', '6'])
  })
})

describe('reads', () => {
  it('are retried, and every attempt is reported', async () => {
    const stub = await startStub()
    stub.next(status(503), status(429, { 'retry-after': '0' }), ok({ total_record: '7' }))
    const reports: RequestReport[] = []
    const client = createClient(stub.baseUrl)
    client.on('request', (report) => reports.push(report))
    expect((await client.calls(account, query)).total).toBe(7)
    expect(reports.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'status'],
      [2, 'rate-limited'],
      [3, 'ok'],
    ])
  })

  it('reject billing without details', async () => {
    const { client } = await startClient()
    expect(await rejection(client.billing(account))).toMatchObject({ outcome: 'envelope' })
  })

  it('leave no timers behind', async () => {
    const { client } = await startClient()
    // Timers of the connection aren't counted.
    await client.calls(account, query)
    const timers = trackTimers()
    for (let n = 0; n < 5; n++) await client.calls(account, query)
    expect(timers.started()).toBeGreaterThanOrEqual(5)
    // Node reports the end of a timer one turn later.
    await setImmediate()
    expect(timers.left()).toBe(0)
  })

  it('use paths below the base URL, with any number of slashes at its end', async () => {
    const stub = await startStub()
    await createClient(`${stub.baseUrl}//`).calls(account, query)
    expect(stub.requests.map(({ path }) => path)).toEqual(['/api/v1/incoming'])
  })
})

describe('the circuit breaker', () => {
  /** Makes requests of people fail until the breaker opens. */
  async function openBreaker(stub: Awaited<ReturnType<typeof startStub>>, client: TelephonyClient) {
    while (client.restingCount === 0 && stub.requests.length < 30)
      await rejection(client.calls(account, query))
  }

  it.each<[string, Reply]>([
    ['500', status(500)],
    ['a cut connection', reset],
    ['a timeout', noReply],
  ])('opens for one account after ten times %s, and closes by itself', async (_, failure) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    // The cache takes 0 for no time.
    vi.advanceTimersByTime(1)
    onTestFinished(() => void vi.useRealTimers())
    // Only for this failure: an attempt whose deadline ends before it is sent doesn't count.
    const timeout = failure === noReply ? { timeoutMs: 200 } : {}
    const { stub, client } = await startClient(failure, { restMs: 60_000, ...timeout })
    const tries: string[] = []
    client.on('request', ({ outcome }) => {
      if (outcome !== 'resting') tries.push(outcome)
    })
    await openBreaker(stub, client)
    expect(tries).toHaveLength(10)
    expect(await rejection(client.billing(account))).toMatchObject({ outcome: 'resting', sent: false })
    expect(tries).toHaveLength(10)
    vi.advanceTimersByTime(60_000)
    expect(client.restingCount).toBe(0)
    await rejection(client.calls(account, query))
    // One more failure opens it again.
    expect([client.restingCount, tries.length]).toEqual([1, 11])
    stub.always(ok())
    // On a busy machine, even this response may take longer than the timeout.
    const isOpenAfterRest = async () => {
      vi.advanceTimersByTime(60_000)
      await client.calls(account, query).catch(() => {})
      return client.restingCount > 0
    }
    await expect.poll(isOpenAfterRest).toBe(false)
  })

  it("refuses neither other workspaces nor the workspace's next account", async () => {
    const { stub, client } = await startClient(status(503), { restMs: 60_000 })
    const others = ['T2', 'T3', 'T4'].map(createAccount)
    for (let n = 0; n < 4; n += 1) for (const other of others) await rejection(client.calls(other, query))
    expect(client.restingCount).toBe(3)
    stub.always(ok())
    const reconnected = { ...createAccount('T2'), credentials: { key: 'new', secret: 'secret' } }
    for (const fine of [account, reconnected])
      expect(await client.calls(fine, query)).toMatchObject({ total: 0 })
    expect(await rejection(client.calls(createAccount('T2'), query))).toMatchObject({ outcome: 'resting' })
  })

  it.each<[string, Reply]>([
    ['200', ok()],
    ['404', status(404)],
    ['429', status(429, { 'retry-after': '60' })],
    ['500 inside the envelope', ok({ status: '500' })],
  ])('stays closed if the service answers %s in between', async (_, reply) => {
    const { stub, client } = await startClient()
    for (let n = 0; n < 4; n += 1) {
      stub.always(status(503))
      for (const page of [1, 2, 3]) await rejection(client.calls(account, { ...query, page }))
      stub.always(reply)
      await rejection(client.calls(account, query))
      expect(client.restingCount).toBe(0)
    }
  })

  it('ignores cancelled requests', async () => {
    const { stub, client } = await startClient(noReply)
    for (let sent = 3; sent <= 12; sent += 3) {
      const gone = new AbortController()
      const request = () => rejection(client.calls(account, query, { signal: gone.signal }))
      const all = Array.from({ length: 6 }, request)
      await expect.poll(() => stub.requests.length).toBe(sent)
      gone.abort('enough')
      expect(new Set(await Promise.all(all))).toEqual(new Set(['enough']))
      expect([client.restingCount, stub.requests.length]).toEqual([0, sent])
    }
  })
})
