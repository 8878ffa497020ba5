import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../dev/service/app.ts'
import type { Fault } from '../../dev/service/faults.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import type { Direction } from '../../dev/service/types.ts'
import type { TelephonyClient } from '../../src/telephony/client.ts'
import type { Account, Call, ReadProgress, ReadQuery } from '../../src/telephony/types.ts'
import { utcDay } from '../../src/time/days.ts'
import { createClient, incoming, readAllCalls, rejection, trackTimers } from '../support/stub-service.ts'

const { page: _page, ...everything } = incoming
const directions: readonly Direction[] = ['incoming', 'outgoing']

/** Starts the sandbox with approximately this number of calls, and a client of its lively account. */
async function startSandbox(calls: number, options: Parameters<typeof createClient>[1] = {}) {
  const sandbox = createSandbox({ calls })
  const served = await serveSandbox(sandbox)
  onTestFinished(() => served.close())
  const { lively } = sandbox.accounts
  const account: Account = { tenant: 'L', credentials: lively }
  return { sandbox, lively, client: createClient(served.baseUrl, options), account }
}

const collectIds = (calls: AsyncIterable<Call>) => Array.fromAsync(calls, ({ id }) => id)

describe('readCalls', () => {
  it('reads every call once, in the order of the pages, with one request for each page', async () => {
    const { sandbox, lively, client, account } = await startSandbox(600)
    for (const direction of directions) {
      sandbox.requests.clear()
      const calls = lively.calls(direction)
      const found = await collectIds(readAllCalls(client, account, { ...everything, direction }))
      expect(found).toEqual(calls.map(({ id }) => id))
      expect(sandbox.requests.count()).toBe(Math.ceil(calls.length / 20))
    }
  })

  it('applies filters, and counts with one request', async () => {
    const { sandbox, lively, client, account } = await startSandbox(1500)
    const [first] = lively.calls('incoming').slice(-200)
    const from = utcDay(first!.at)
    const query: ReadQuery = { ...everything, from, status: 'missed', agentId: '1001' }
    const expected = lively.calls('incoming').filter(({ at, answered, agentId }) => {
      return at >= new Date(`${from}T00:00:00+01:00`) && !answered && agentId === '1001'
    })
    expect(expected.length).toBeGreaterThan(20)
    expect(await collectIds(readAllCalls(client, account, query))).toEqual(expected.map(({ id }) => id))
    sandbox.requests.clear()
    expect(await client.count(account, query)).toBe(expected.length)
    expect(sandbox.requests.count()).toBe(1)
    sandbox.faults.next({ kind: 'set', envelope: { total_record: 'many' } })
    expect(await client.count(account, query)).toBeUndefined()
  })
})

describe('a failing service', () => {
  it.each<[string, Fault]>([
    ['fails', { kind: 'status', status: 503 }],
    ['fails inside', { kind: 'body', body: '{"status":"500","result":[]}' }],
    ['is cut before the response', { kind: 'cut-connection' }],
    ['is cut within the response', { kind: 'cut-connection', after: 'headers' }],
    ['is half of its JSON', { kind: 'cut-json' }],
    ['lacks its records', { kind: 'set', envelope: { result: [] } }],
    ['hangs', { kind: 'hang' }],
    ['hangs within the response', { kind: 'hang', after: 'headers' }],
    ['answers 429 without a wait', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
  ])('is read completely if every tenth response %s', async (_, fault) => {
    const hangs = fault.kind === 'hang'
    const { sandbox, lively, client, account } = await startSandbox(800, hangs ? { timeoutMs: 300 } : {})
    sandbox.faults.every(10, fault)
    const found = await collectIds(readAllCalls(client, account, everything))
    expect(found).toEqual(lively.calls('incoming').map(({ id }) => id))
    const needed = Math.ceil(found.length / 20) + Math.floor(sandbox.requests.count() / 10)
    // On a busy machine, other responses may miss the short deadline, too.
    if (hangs) expect(sandbox.requests.count()).toBeGreaterThanOrEqual(needed)
    else expect(sandbox.requests.count()).toBe(needed)
  })

  it('ends the read if it stays down', async () => {
    const { sandbox, client, account } = await startSandbox(800, { backoffMs: 1, restMs: 10 })
    const outcomes: string[] = []
    client.on('read', ({ outcome }) => outcomes.push(outcome))
    const onProgress = ({ records }: ReadProgress) => {
      if (records === 100) sandbox.faults.always({ kind: 'status', status: 503 })
    }
    const error = await rejection(collectIds(readAllCalls(client, account, everything, { onProgress })))
    expect(error).toMatchObject({ outcome: expect.stringMatching(/^(status|resting)$/) })
    expect(outcomes).toEqual([expect.stringMatching(/^(status|resting)$/)])
  })

  it('is read completely once it is back, even if the circuit breaker was open', async () => {
    const { sandbox, lively, client, account } = await startSandbox(800, { restMs: 30 })
    const onProgress = ({ records }: ReadProgress) => {
      if (records === 100) sandbox.faults.next({ kind: 'status', status: 503 }, { times: 12 })
    }
    let wasOpen = false
    client.on('request', () => {
      wasOpen ||= client.restingCount > 0
    })
    const found = await collectIds(readAllCalls(client, account, everything, { onProgress }))
    expect(found).toEqual(lively.calls('incoming').map(({ id }) => id))
    expect(wasOpen).toBe(true)
  })

  it.each([
    [401, 'credentials-rejected'],
    [400, 'refused'],
    [404, 'status'],
  ])('ends the read at once with %i: %s', async (status, outcome) => {
    const { sandbox, client, account } = await startSandbox(800)
    const onProgress = () => sandbox.faults.always({ kind: 'status', status })
    const error = await rejection(collectIds(readAllCalls(client, account, everything, { onProgress })))
    expect(error).toMatchObject({ outcome })
    expect(sandbox.requests.count()).toBeLessThan(12)
  })
})

describe('a cancelled reading', () => {
  const held = { kind: 'hold', until: new Promise<void>(() => {}) } as const

  async function startScan(fault: Fault | undefined, options: Parameters<typeof createClient>[1] = {}) {
    const { sandbox, client, account } = await startSandbox(2000, options)
    const outcomes: string[] = []
    client.on('request', ({ outcome }) => outcomes.push(outcome))
    /** Running and failed requests. */
    const pending = () => sandbox.requests.count() - outcomes.filter((outcome) => outcome === 'ok').length
    // The connections have timers of their own.
    await Promise.all([1, 2, 3, 4].map((page) => client.calls(account, { ...incoming, page })))
    const gone = new AbortController()
    const trouble = Promise.withResolvers<void>()
    const onProgress = ({ records }: ReadProgress) => {
      if (records !== 60) return
      if (fault) sandbox.faults.always(fault)
      trouble.resolve()
    }
    const scan = readAllCalls(client, account, everything, { onProgress, signal: gone.signal })
    return { sandbox, client, account, gone, scan, outcomes, pending, inTrouble: trouble.promise }
  }

  async function nothingIsLeft(client: TelephonyClient, sandbox: ReturnType<typeof createSandbox>) {
    expect(client.waitingCount).toBe(0)
    // Requests that were already sent may arrive.
    for (let n = 0; n < 20; n += 1) await turn()
    const asked = sandbox.requests.count()
    for (let n = 0; n < 20; n += 1) await turn()
    expect(sandbox.requests.count()).toBe(asked)
  }

  it.each<[string, Fault]>([
    ['while requests hang', { kind: 'hang' }],
    ['while responses hang', { kind: 'hang', after: 'headers' }],
    ['while the service asks to wait', { kind: 'status', status: 429, headers: { 'retry-after': '50' } }],
    ['between two tries', { kind: 'status', status: 503 }],
  ])('ends at once %s', async (_, fault) => {
    const { sandbox, client, gone, scan, pending, inTrouble } = await startScan(fault, { backoffMs: 60_000 })
    const timers = trackTimers()
    const end = rejection(collectIds(scan))
    await inTrouble
    await expect.poll(pending, { interval: 5 }).toBe(3)
    gone.abort('enough')
    expect(await end).toBe('enough')
    expect(getEventListeners(gone.signal, 'abort')).toEqual([])
    await nothingIsLeft(client, sandbox)
    expect(timers.left()).toBe(0)
    expect(client.restingCount).toBe(0)
  })

  it('ends while people use every slot, and before it begins', async () => {
    const { sandbox, client, account, gone, scan } = await startScan(undefined)
    const { promise: until, resolve: answer } = Promise.withResolvers<void>()
    sandbox.faults.next({ kind: 'hold', until }, { times: 4 })
    const turns = [11, 12, 13, 14].map((page) => client.calls(account, { ...incoming, page }))
    const end = rejection(scan.next())
    await turn()
    expect(client.countSlotsLeft('L')).toBe(0)
    gone.abort('enough')
    expect(await end).toBe('enough')
    answer()
    await Promise.all(turns)
    await nothingIsLeft(client, sandbox)
    const late = readAllCalls(client, account, everything, { signal: gone.signal })
    expect(await rejection(late.next())).toBe('enough')
    await nothingIsLeft(client, sandbox)
  })

  it('ends its requests while the consumer is busy', async () => {
    const { sandbox, client, gone, scan, outcomes } = await startScan(held)
    // Requests after the third page are held; the fourth page was already read ahead, and the seventh wasn't.
    for (let n = 0; n < 80; n += 1) await scan.next()
    gone.abort('enough')
    await expect.poll(() => outcomes).toContain('cancelled')
    await expect.poll(() => sandbox.requests.count() - outcomes.length).toBeLessThanOrEqual(0)
    await nothingIsLeft(client, sandbox)
    expect(await rejection(scan.next())).toBe('enough')
    expect(await scan.next()).toEqual({ done: true, value: undefined })
  })

  it('leaves nothing behind after `break`', async () => {
    const { sandbox, client, gone, scan } = await startScan(held)
    const timers = trackTimers()
    let taken = 0
    for await (const _call of scan) if (++taken === 65) break
    expect(getEventListeners(gone.signal, 'abort')).toEqual([])
    await nothingIsLeft(client, sandbox)
    expect(timers.left()).toBe(0)
  })
})
