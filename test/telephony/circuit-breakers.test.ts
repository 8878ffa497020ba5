import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
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
const untilHalfOpenMs = 400
const clientFor = (baseUrl: string) => clientOf(baseUrl, { halfOpenAfterMs: 300 })

describe('a service that keeps failing', () => {
  it.each([
    ['with 503', status(503)],
    ['with 500', status(500)],
    ['with cut connections', reset],
  ])('opens its circuit breaker %s; half-open, one request tries, and all goes on', async (_, trouble) => {
    const stub = await startStub()
    const client = clientFor(stub.baseUrl)
    stub.always(trouble)
    for (let n = 0; n < 4; n++) await rejection(client.calls(account, { ...query, page: n + 1 }))
    expect(stub.requests).toHaveLength(10)
    expect(client.isCircuitOpen).toBe(true)
    // Nobody is asked, for any tenant, and nobody waits for it.
    const start = performance.now()
    const error = await rejection(client.billing({ ...account, tenant: 'other' }))
    expect(error).toMatchObject({ name: 'ServiceUnavailableError', reason: 'resting', sent: false })
    expect(performance.now() - start).toBeLessThan(1000)
    expect(stub.requests).toHaveLength(10)

    await sleep(untilHalfOpenMs)
    const probe = gate()
    stub.always(probe.held)
    const all = [1, 2, 3].map((page) => client.calls(account, { ...query, page }))
    await expect.poll(() => stub.requests.length).toBe(11)
    await sleep(100)
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
    // What it says inside of an answer is of one account too; each of these is tried three times.
    stub.always(ok({ status: '500' }))
    for (let n = 0; n < 4; n++) await rejection(client.calls(account, { ...query, page: n + 1 }))
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
    await sleep(untilHalfOpenMs)
    const all = await Promise.all([
      client.agents(account),
      client.calls(account, query),
      client.calls(account, { ...query, page: 2 }),
    ])
    expect(all).toHaveLength(3)
    expect(stub.requests).toHaveLength(7)
  })
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
