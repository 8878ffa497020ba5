import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ServiceUnavailableError } from '../../src/telephony/errors.ts'
import { CircuitBreakers, Requests } from '../../src/telephony/requests.ts'
import { CancelledError, createDispatcher, Deadline } from '../../src/util/send-request.ts'
import {
  accountOf,
  clientOf,
  gate,
  noReply,
  ok,
  incoming as query,
  rejection,
  reset,
  startStub,
  status,
} from '../support/stub-service.ts'

const account = accountOf()
const halfOpenAfterMs = 300_000
// Without the waits between tries.
const deadline = new Deadline(600_000)
deadline.clear()
const clientFor = (baseUrl: string) => clientOf(baseUrl, { halfOpenAfterMs, maxRetries: 0 })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

const passUntilHalfOpen = () => vi.setSystemTime(Date.now() + halfOpenAfterMs)

describe('a service that keeps failing', () => {
  it.each([
    ['with 503', status(503)],
    ['with 500', status(500)],
    ['with cut connections', reset],
  ])('opens its circuit breaker %s; half-open, one request tries, and all goes on', async (_, trouble) => {
    const stub = await startStub()
    const client = clientFor(stub.baseUrl)
    stub.always(trouble)
    for (let n = 0; n < 10; n++) {
      expect(client.isCircuitOpen).toBe(false)
      await rejection(client.calls(account, { ...query, page: n + 1 }))
    }
    expect(stub.requests).toHaveLength(10)
    expect(client.isCircuitOpen).toBe(true)
    // Nobody is asked, for any tenant, and nobody waits for it.
    const start = performance.now()
    const error = await rejection(client.billing({ ...account, tenant: 'other' }))
    expect(error).toMatchObject({ name: 'ServiceUnavailableError', reason: 'resting', sent: false })
    expect(performance.now() - start).toBeLessThan(1000)
    expect(stub.requests).toHaveLength(10)

    passUntilHalfOpen()
    const probe = gate()
    stub.always(probe.held)
    const all = [1, 2, 3].map((page) => client.calls(account, { ...query, page }))
    await expect.poll(() => stub.requests.length).toBe(11)
    for (let n = 0; n < 10; n += 1) await turn()
    expect(stub.requests).toHaveLength(11)
    probe.open()
    await Promise.all(all)
    expect(stub.requests).toHaveLength(13)
    expect(client.isCircuitOpen).toBe(false)
  })

  it('opens its circuit breaker by time-outs too', async () => {
    const stub = await startStub()
    const client = clientOf(stub.baseUrl, { timeoutMs: 50 })
    stub.always(noReply)
    for (let n = 0; n < 10; n++) {
      expect(client.isCircuitOpen).toBe(false)
      await rejection(client.calls(account, { ...query, page: n + 1 }))
    }
    expect(client.isCircuitOpen).toBe(true)
  })

  it('does not open it for what is the matter with one account', async () => {
    const stub = await startStub()
    const client = clientFor(stub.baseUrl)
    for (const reply of [
      status(400),
      status(429, { 'retry-after': '60' }),
      ok({ result: 'no list' }),
      status(404),
      ok({ status: '404' }),
    ]) {
      stub.always(reply)
      for (let n = 0; n < 12; n++) await rejection(client.calls(account, { ...query, page: n + 1 }))
    }
    // What it says inside of an answer is of one account too.
    stub.always(ok({ status: '500' }))
    for (let n = 0; n < 12; n++) await rejection(client.calls(account, { ...query, page: n + 1 }))
    expect(client.isCircuitOpen).toBe(false)
    stub.always(ok())
    await client.calls(account, query)
  })
})

describe('a pair that is refused', () => {
  it('is not sent again for a while, unless somebody tries it; other pairs and workspaces are', async () => {
    const stub = await startStub()
    const client = clientFor(stub.baseUrl)
    stub.always(status(401))
    const rejected = { name: 'CredentialsRejectedError' }
    expect(await rejection(client.calls(account, query))).toMatchObject(rejected)
    for (let n = 0; n < 5; n++) expect(await rejection(client.agents(account))).toMatchObject(rejected)
    expect(stub.requests).toHaveLength(1)
    await rejection(client.agents({ ...account, isTrial: true }))
    await rejection(client.agents({ ...account, tenant: 'other' }))
    await rejection(client.agents({ ...account, credentials: { key: 'k', secret: 'another' } }))
    expect(stub.requests).toHaveLength(4)

    stub.always(ok())
    passUntilHalfOpen()
    const all = await Promise.all([
      client.agents(account),
      client.calls(account, query),
      client.calls(account, { ...query, page: 2 }),
    ])
    expect(all).toHaveLength(3)
    expect(stub.requests).toHaveLength(7)
  })
})

describe('the breaker of the service', () => {
  const fail = () => Promise.reject(new ServiceUnavailableError('incoming', 'connection'))
  const succeed = async () => 'yes'
  async function openOne() {
    const breakers = new CircuitBreakers(halfOpenAfterMs)
    const run = <T>(work: () => Promise<T>) => breakers.run(account, 'incoming', work, deadline)
    for (let n = 0; n < 10; n++) await expect(run(fail)).rejects.toThrow('connection')
    return { breakers, run }
  }

  it('opens after failures in a row alone', async () => {
    const breakers = new CircuitBreakers(halfOpenAfterMs)
    for (let n = 0; n < 15; n++) {
      await expect(breakers.run(account, 'incoming', fail, deadline)).rejects.toThrow('connection')
      if (n === 7) expect(await breakers.run(account, 'incoming', succeed, deadline)).toBe('yes')
    }
    expect(breakers.isOpen).toBe(false)
  })

  it('half-open, it lets one try and the others wait; where that fails, nobody else tries', async () => {
    const { breakers, run } = await openOne()
    passUntilHalfOpen()
    const { promise, reject } = Promise.withResolvers<string>()
    const tried = rejection(run(() => promise))
    const others = [1, 2].map(() => rejection(run(async () => expect.unreachable())))
    await turn()
    reject(new ServiceUnavailableError('incoming', 'timeout'))
    expect(await tried).toMatchObject({ reason: 'timeout' })
    for (const one of await Promise.all(others)) expect(one).toMatchObject({ reason: 'resting' })
    expect(breakers.isOpen).toBe(true)
  })

  it('what was in flight as it opened does not close it', async () => {
    const breakers = new CircuitBreakers(halfOpenAfterMs)
    const { promise, resolve } = Promise.withResolvers<string>()
    const inFlight = breakers.run(account, 'incoming', () => promise, deadline)
    for (let n = 0; n < 10; n++) await rejection(breakers.run(account, 'incoming', fail, deadline))
    resolve('late')
    expect([await inFlight, breakers.isOpen]).toEqual(['late', true])
  })

  it('half-open, what is cancelled says nothing of the service, and what fails otherwise closes it', async () => {
    const { breakers, run } = await openOne()
    passUntilHalfOpen()
    await expect(run(() => Promise.reject(new CancelledError('cancelled')))).rejects.toThrow('cancelled')
    expect(breakers.isOpen).toBe(true)
    passUntilHalfOpen()
    await expect(run(() => Promise.reject(new Error('ours')))).rejects.toThrow('ours')
    expect(breakers.isOpen).toBe(false)
    // The failures of before don't count any more.
    await expect(run(fail)).rejects.toThrow('connection')
    expect(breakers.isOpen).toBe(false)
    await expect(run(() => Promise.reject(new CancelledError('cancelled')))).rejects.toThrow('cancelled')
    expect(await run(succeed)).toBe('yes')
  })
})

it('half-open, whoever waits for the trial waits no longer than until the own deadline, and sends nothing after it', async () => {
  const stub = await startStub()
  const dispatcher = createDispatcher()
  onTestFinished(() => dispatcher.destroy())
  const requests = new Requests({ baseUrl: stub.baseUrl, dispatcher, halfOpenAfterMs, onRequest: () => {} })
  const send = (ms: number, signal?: AbortSignal) => {
    const deadline = new Deadline(ms, signal)
    const sent = requests.send(account, { operation: 'agents' }, { attempt: 1, deadline })
    return sent.finally(() => deadline.clear())
  }
  stub.always(status(503))
  for (let n = 0; n < 10; n++) await rejection(send(60_000))
  passUntilHalfOpen()
  // Nothing is tried by who has no time left.
  const unsent = { name: 'ServiceUnavailableError', reason: 'timeout', sent: false }
  expect(await rejection(send(0))).toMatchObject(unsent)
  expect([stub.requests.length, requests.isCircuitOpen]).toEqual([10, true])
  passUntilHalfOpen()
  const trial = gate()
  stub.always(trial.held)
  const tried = send(60_000)
  await expect.poll(() => stub.requests.length).toBe(11)
  const gone = new AbortController()
  const cancelled = rejection(send(60_000, gone.signal))
  expect(await rejection(send(50))).toMatchObject(unsent)
  gone.abort()
  expect(await cancelled).toMatchObject({ name: 'CancelledError' })
  trial.open()
  await tried
  for (let n = 0; n < 20; n += 1) await turn()
  expect([stub.requests.length, requests.isCircuitOpen]).toEqual([11, false])
})

it('turns away what one tenant asks for beyond 24 at a time, and lets the others pass', async () => {
  const stub = await startStub()
  const client = clientFor(stub.baseUrl)
  const slow = gate()
  stub.always(slow.held)
  const many = Array.from({ length: 30 }, (_, n) =>
    rejection(client.calls(account, { ...query, page: n + 1 })),
  )
  await expect.poll(() => stub.requests.length).toBe(4)
  const turnedAway = await Promise.all(many.slice(24))
  for (const error of turnedAway) expect(error).toMatchObject({ name: 'TooManyWaitingError' })
  expect(client.waiting).toBe(20)
  const other = client.calls({ ...account, tenant: 'other' }, query)
  await expect.poll(() => stub.requests.length).toBe(5)
  slow.open()
  await other
  expect((await Promise.all(many)).filter((one) => one !== 'nothing')).toHaveLength(6)
})
