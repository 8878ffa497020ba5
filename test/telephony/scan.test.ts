import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../dev/service/app.ts'
import type { Fault } from '../../dev/service/faults.ts'
import { serveSandbox } from '../../dev/service/serve.ts'
import type { Direction, SandboxCall } from '../../dev/service/types.ts'
import type { TelephonyClient } from '../../src/telephony/client.ts'
import { ScanInterruptedError } from '../../src/telephony/errors.ts'
import type { Account, Call, ScanProgress, ScanQuery } from '../../src/telephony/types.ts'
import { utcDay } from '../../src/time/days.ts'
import {
  accountOf,
  callsOf,
  clientOf,
  gate,
  incoming,
  ok,
  rejection,
  startStub,
} from '../support/stub-service.ts'

const { page: _page, ...everything } = incoming
const directions: readonly Direction[] = ['incoming', 'outgoing']

/** The sandbox with about so many calls, and a client of its lively account. */
async function startSandbox(calls: number, options: Parameters<typeof clientOf>[1] = {}) {
  const sandbox = createSandbox({ calls })
  const served = await serveSandbox(sandbox)
  onTestFinished(() => served.close())
  const { lively } = sandbox.accounts
  const account: Account = { tenant: 'L', credentials: lively }
  return { sandbox, lively, client: clientOf(served.baseUrl, options), account }
}

async function idsOf(calls: AsyncIterable<Call>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of calls) ids.push(id)
  return ids
}

/**
 * From here on the timers that the test sets, and nothing else in the process.
 * @returns how many of them are there and keep the process alive
 */
function ownTimers(): () => number {
  const context = new AsyncLocalStorage<true>()
  const timers = new Map<number, NodeJS.Timeout>()
  const hook = createHook({
    init: (id, type, _, timer) => {
      if (type === 'Timeout' && context.getStore()) timers.set(id, timer as NodeJS.Timeout)
    },
    destroy: (id) => timers.delete(id),
  })
  hook.enable()
  onTestFinished(() => void hook.disable())
  context.enterWith(true)
  return () =>
    timers
      .values()
      .filter((timer) => timer.hasRef())
      .toArray().length
}

describe('a scan', () => {
  it('reads every call of a range once, in the order of the pages, by as many requests as there are pages', async () => {
    const { sandbox, lively, client, account } = await startSandbox(600)
    for (const direction of directions) {
      sandbox.requests.clear()
      const calls = lively.calls(direction)
      expect(await idsOf(callsOf(client, account, { ...everything, direction }))).toEqual(
        calls.map(({ id }) => id),
      )
      expect(sandbox.requests.count()).toBe(Math.ceil(calls.length / 20))
    }
  })

  it('keeps to its filters, and counts by one request', async () => {
    const { sandbox, lively, client, account } = await startSandbox(1500)
    const [first] = lively.calls('incoming').slice(-200)
    const from = utcDay(first!.at)
    const query: ScanQuery = { ...everything, from, status: 'missed', agentId: '1001' }
    const expected = lively.calls('incoming').filter(({ at, answered, agentId }) => {
      return at >= new Date(`${from}T00:00:00+01:00`) && !answered && agentId === '1001'
    })
    expect(expected.length).toBeGreaterThan(20)
    expect(await idsOf(callsOf(client, account, query))).toEqual(expected.map(({ id }) => id))
    sandbox.requests.clear()
    expect(await client.count(account, query)).toBe(expected.length)
    expect(sandbox.requests.count()).toBe(1)
    sandbox.faults.next({ kind: 'set', envelope: { total_record: 'many' } })
    expect(await client.count(account, query)).toBeUndefined()
  })

  it.each(directions)(
    'finds what was there once while %s calls come, of whatever time',
    async (direction) => {
      const { lively, client, account } = await startSandbox(1500)
      const before = lively.calls(direction).map(({ id }) => id)
      const [newest] = lively.calls(direction)
      const oldest = lively.calls(direction).at(-1)
      let count = 0
      const comes = (like: SandboxCall): SandboxCall => {
        count += 1
        return { ...like, id: `new${count}` }
      }
      const onProgress = ({ pages }: ScanProgress) => {
        const middle = lively.calls(direction)[count * 7]
        for (const like of [newest, newest, middle, oldest]) if (like) lively.addCalls(comes(like))
        // The same id in the other direction is another call.
        if (pages === 1)
          lively.addCalls({ ...comes(newest!), id: before.at(-1)!, direction: other(direction) })
      }
      const found = await idsOf(callsOf(client, account, { ...everything, direction }, { onProgress }))
      expect(count).toBeGreaterThan(100)
      expect(new Set(found).size).toBe(found.length)
      expect(before.filter((id) => !found.includes(id))).toEqual([])
    },
  )

  it('finds what stays while calls go', async () => {
    const { lively, client, account } = await startSandbox(1500)
    const gone = new Set<number>()
    const onProgress = ({ pages }: ScanProgress) => {
      // Pages are read again because of it.
      if (pages % 3 > 0 || gone.has(pages)) return
      gone.add(pages)
      lively.removeCall(lively.calls('incoming')[pages]!)
    }
    const found = await idsOf(callsOf(client, account, everything, { onProgress }))
    const stayed = lively.calls('incoming').map(({ id }) => id)
    expect(new Set(found).size).toBe(found.length)
    expect(stayed.filter((id) => !found.includes(id))).toEqual([])
    expect(found.length).toBeGreaterThan(stayed.length)
  })
})

const other = (direction: Direction): Direction => (direction === 'incoming' ? 'outgoing' : 'incoming')

describe('a service in trouble', () => {
  it.each<[string, Fault]>([
    ['fails', { kind: 'status', status: 503 }],
    ['fails inside', { kind: 'inner-status', status: '500' }],
    ['is cut before the answer', { kind: 'cut-connection' }],
    ['is cut within the answer', { kind: 'cut-connection', after: 'headers' }],
    ['is half of its JSON', { kind: 'cut-json' }],
    ['is a web page', { kind: 'html' }],
    ['is empty', { kind: 'empty' }],
    ['lacks its records', { kind: 'set', envelope: { result: [] } }],
    ['hangs', { kind: 'hang' }],
    ['hangs within the answer', { kind: 'hang', after: 'headers' }],
    ['answers 429', { kind: 'status', status: 429 }],
    [
      'answers 429 and says to wait not at all',
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
    ],
  ])('every tenth page %s', async (_, fault) => {
    const hangs = fault.kind === 'hang'
    const { sandbox, lively, client, account } = await startSandbox(800, hangs ? { timeoutMs: 300 } : {})
    sandbox.faults.every(10, fault)
    const found = await idsOf(callsOf(client, account, everything))
    expect(found).toEqual(lively.calls('incoming').map(({ id }) => id))
    const pages = Math.ceil(found.length / 20)
    const needed = pages + Math.floor(sandbox.requests.count() / 10)
    // On a busy machine an answer may come later than a deadline that is short for the ones that hang.
    if (hangs) expect(sandbox.requests.count()).toBeGreaterThanOrEqual(needed)
    else expect(sandbox.requests.count()).toBe(needed)
  })

  it('is waited for as long as it asks, without a slot meanwhile', async () => {
    const { sandbox, lively, client, account } = await startSandbox(400)
    const onProgress = ({ pages }: ScanProgress) => {
      if (pages !== 2) return
      sandbox.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '1' } }, { times: 3 })
    }
    const scan = idsOf(callsOf(client, account, everything, { onProgress }))
    const limited = () => sandbox.requests.entries().filter(({ status }) => status === 429)
    await expect.poll(() => limited().length, { interval: 5 }).toBe(3)
    await expect.poll(() => client.inBackground, { interval: 5 }).toBe(0)
    expect(await scan).toEqual(lively.calls('incoming').map(({ id }) => id))
    const lastLimited = limited().at(-1)!
    const next = sandbox.requests.entries().find((_, n, all) => all[n - 1] === lastLimited)!
    // By the sandbox's clock, which counts whole milliseconds.
    expect(next.at.getTime() - lastLimited.at.getTime()).toBeGreaterThanOrEqual(998)
    expect(limited().map(({ params }) => params['page'])).toContain(next.params['page'])
  })

  it.each([['61'], ['0', '60']])(
    'that asks for more than a minute is not waited for (%s)',
    async (...waits) => {
      // One slot: the same page is told to wait each time.
      const { sandbox, lively, client, account } = await startSandbox(400, { maxConcurrent: 1 })
      const onProgress = ({ pages }: ScanProgress) => {
        if (pages !== 3) return
        for (const wait of waits)
          sandbox.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': wait } })
      }
      expect(await rejection(idsOf(callsOf(client, account, everything, { onProgress })))).toMatchObject({
        name: 'ScanInterruptedError',
        outcome: 'rate-limited',
        operation: 'incoming',
        progress: { records: 60, pages: 3, total: lively.calls('incoming').length },
        cause: { name: 'RateLimitedError' },
      })
    },
  )

  it("tries a page for as long as its patience lasts, without the waits that another page's answer asks for", async () => {
    const { sandbox, lively, client, account } = await startSandbox(400, { patienceMs: 700 })
    const onProgress = ({ pages }: ScanProgress) => {
      if (pages !== 2) return
      // One page is told to wait for longer than the patience, and the others fail before and after it.
      sandbox.faults.next({ kind: 'status', status: 503 }, { times: 2 })
      sandbox.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '1' } })
      sandbox.faults.next({ kind: 'status', status: 503 }, { times: 3 })
    }
    expect(await idsOf(callsOf(client, account, everything, { onProgress }))).toEqual(
      lively.calls('incoming').map(({ id }) => id),
    )
  })

  it('that stays away ends it, and how far it came is told', async () => {
    const { sandbox, client, account } = await startSandbox(800, { patienceMs: 400, halfOpenAfterMs: 50 })
    const outcomes: string[] = []
    client.on('outcome', ({ outcome }) => outcomes.push(outcome))
    let told: ScanProgress | undefined
    const onProgress = (progress: ScanProgress) => {
      told = progress
      if (progress.pages === 5) sandbox.faults.always({ kind: 'status', status: 503 })
    }
    const error = await rejection(idsOf(callsOf(client, account, everything, { onProgress })))
    expect(error).toBeInstanceOf(ScanInterruptedError)
    expect(error).toMatchObject({ progress: told, cause: { name: 'ServiceUnavailableError' } })
    expect(told?.pages).toBeGreaterThanOrEqual(5)
    expect(told?.records).toBe(20 * (told?.pages ?? 0))
    expect(outcomes).toEqual([expect.stringMatching(/^(status|resting)$/)])
    expect(client.inBackground).toBe(0)
  })

  it('that comes back meets a scan that goes on, though its circuit breaker was open', async () => {
    const { sandbox, lively, client, account } = await startSandbox(800, { halfOpenAfterMs: 30 })
    let wasOpen = false
    const onProgress = ({ pages }: ScanProgress) => {
      if (pages === 5) sandbox.faults.next({ kind: 'status', status: 503 }, { times: 12 })
      wasOpen ||= client.isCircuitOpen
    }
    const watch = setInterval(() => (wasOpen ||= client.isCircuitOpen), 1)
    onTestFinished(() => clearInterval(watch))
    expect(await idsOf(callsOf(client, account, everything, { onProgress }))).toEqual(
      lively.calls('incoming').map(({ id }) => id),
    )
    expect(wasOpen).toBe(true)
  })

  it.each([
    [401, 'CredentialsRejectedError'],
    [400, 'RequestRefusedError'],
    [404, 'ScanInterruptedError'],
  ])('%i ends it at once: %s', async (status, name) => {
    const { sandbox, client, account } = await startSandbox(800)
    const onProgress = () => sandbox.faults.always({ kind: 'status', status })
    expect(await rejection(idsOf(callsOf(client, account, everything, { onProgress })))).toMatchObject({
      name,
    })
    expect(sandbox.requests.count()).toBeLessThan(12)
  })
})

describe('people and a scan', () => {
  it('share the slots: one is always left, and whoever waits goes first', async () => {
    const stub = await startStub()
    const { held, open } = gate(ok({ total_record: '400', result: Array(20).fill({}) }))
    stub.next(ok({ total_record: '400', result: Array(20).fill({}) }))
    stub.always(held)
    const client = clientOf(stub.baseUrl)
    const account = accountOf()
    const scans = ['answered', 'missed'] as const
    const signal = AbortSignal.timeout(20_000)
    const found = scans.map((status) =>
      idsOf(callsOf(client, account, { ...everything, status }, { signal })),
    )
    await expect.poll(() => stub.requests.length).toBe(4)
    for (let n = 0; n < 10; n += 1) await turn()
    expect([stub.requests.length, client.inBackground, client.waiting]).toEqual([4, 3, 0])
    const turns = [50, 51].map((page) => client.calls(account, { ...incoming, page }))
    await expect.poll(() => stub.requests.length).toBe(5)
    expect([stub.requests.at(-1)?.params.get('page'), client.waiting]).toEqual(['50', 1])
    open()
    await Promise.all(turns)
    expect(stub.requests[5]?.params.get('page')).toBe('51')
    expect(stub.maxInFlight).toBeLessThanOrEqual(4)
    await Promise.all(found)
    expect(client.inBackground).toBe(0)
  })
})

describe('a scan that nobody wants any more', () => {
  const held = { kind: 'hold', until: new Promise<void>(() => {}) } as const

  async function startScan(fault: Fault | undefined, options: Parameters<typeof clientOf>[1] = {}) {
    const { sandbox, client, account } = await startSandbox(2000, options)
    // The connections have timers of their own.
    await Promise.all([1, 2, 3, 4].map((page) => client.calls(account, { ...incoming, page })))
    const gone = new AbortController()
    const trouble = Promise.withResolvers<void>()
    const onProgress = ({ pages }: ScanProgress) => {
      if (pages !== 3) return
      if (fault) sandbox.faults.always(fault)
      trouble.resolve()
    }
    const scan = callsOf(client, account, everything, { onProgress, signal: gone.signal })
    return { sandbox, client, account, gone, scan, inTrouble: trouble.promise }
  }

  async function nothingIsLeft(client: TelephonyClient, sandbox: ReturnType<typeof createSandbox>) {
    expect([client.inBackground, client.waiting]).toEqual([0, 0])
    // What was on its way already may arrive.
    for (let n = 0; n < 20; n += 1) await turn()
    const asked = sandbox.requests.count()
    for (let n = 0; n < 20; n += 1) await turn()
    expect(sandbox.requests.count()).toBe(asked)
  }

  it.each<[string, Fault, inFlight: number]>([
    ['while requests hang', { kind: 'hang' }, 3],
    ['while answers hang', { kind: 'hang', after: 'headers' }, 3],
    ['while it is asked to wait', { kind: 'status', status: 429, headers: { 'retry-after': '50' } }, 0],
    ['between two tries', { kind: 'status', status: 503 }, 0],
  ])('ends at once, %s', async (_, fault, inFlight) => {
    const { sandbox, client, gone, scan, inTrouble } = await startScan(fault, { backoffMs: 1000 })
    const timers = ownTimers()
    const end = rejection(idsOf(scan))
    await inTrouble
    await expect.poll(() => client.inBackground, { interval: 5 }).toBe(inFlight)
    const start = performance.now()
    gone.abort('enough')
    expect(await end).toBe('enough')
    expect(performance.now() - start).toBeLessThan(2000)
    expect(getEventListeners(gone.signal, 'abort')).toEqual([])
    await nothingIsLeft(client, sandbox)
    expect(timers()).toBe(0)
    expect(client.isCircuitOpen).toBe(false)
  })

  it('ends at once while another workspace tries whether the service is back', async () => {
    const { sandbox, client, account } = await startSandbox(200, { halfOpenAfterMs: 0, maxRetries: 0 })
    const others = { ...account, tenant: 'other' }
    sandbox.faults.next({ kind: 'status', status: 500 }, { times: 10 })
    for (let n = 0; n < 10; n += 1) await rejection(client.agents(others))
    expect(client.isCircuitOpen).toBe(true)
    const { promise: until, resolve: answer } = Promise.withResolvers<void>()
    sandbox.faults.next({ kind: 'hold', until })
    const trial = client.agents(others)
    const gone = new AbortController()
    const end = rejection(callsOf(client, account, everything, { signal: gone.signal }).next())
    await expect.poll(() => client.inBackground, { interval: 5 }).toBe(1)
    gone.abort('enough')
    expect(await end).toBe('enough')
    expect([client.inBackground, client.isCircuitOpen]).toEqual([0, true])
    answer()
    await trial
    await nothingIsLeft(client, sandbox)
    expect(client.isCircuitOpen).toBe(false)
    expect(sandbox.requests.count('incoming')).toBe(0)
  })

  it('ends while people hold every slot, and before it begins', async () => {
    const { sandbox, client, account, gone, scan } = await startScan(undefined)
    const { promise: until, resolve: answer } = Promise.withResolvers<void>()
    sandbox.faults.next({ kind: 'hold', until }, { times: 4 })
    const turns = [11, 12, 13, 14].map((page) => client.calls(account, { ...incoming, page }))
    const end = rejection(scan.next())
    await turn()
    expect(client.idleSlots('L')).toBe(0)
    gone.abort('enough')
    expect(await end).toBe('enough')
    answer()
    await Promise.all(turns)
    await nothingIsLeft(client, sandbox)
    expect(await rejection(callsOf(client, account, everything, { signal: gone.signal }).next())).toBe(
      'enough',
    )
    await nothingIsLeft(client, sandbox)
  })

  it('is no failure of the service in the reports', async () => {
    const { sandbox, client, gone, scan, inTrouble } = await startScan({ kind: 'hang' })
    const hanging = () => sandbox.requests.entries().filter(({ status }) => status === undefined).length
    const outcomes: string[] = []
    client.on('request', ({ outcome }) => outcomes.push(outcome))
    const end = rejection(idsOf(scan))
    await inTrouble
    await expect.poll(() => hanging(), { interval: 5 }).toBe(3)
    gone.abort('enough')
    await end
    expect(outcomes.slice(-3)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'cancelled']))
  })

  it('ends what is under way while whoever takes the calls is busy', async () => {
    const { sandbox, client, gone, scan } = await startScan(held)
    // Four pages of them: of what is asked for after the third nothing is answered.
    for (let n = 0; n < 80; n += 1) await scan.next()
    await expect.poll(() => client.inBackground).toBe(3)
    gone.abort('enough')
    await expect.poll(() => client.inBackground).toBe(0)
    await nothingIsLeft(client, sandbox)
    expect(await rejection(scan.next())).toBe('enough')
    expect(await scan.next()).toEqual({ done: true, value: undefined })
  })

  it('ends with `break`, and leaves nothing behind', async () => {
    const { sandbox, client, gone, scan } = await startScan(held)
    const timers = ownTimers()
    let taken = 0
    for await (const _call of scan) if (++taken === 65) break
    expect(getEventListeners(gone.signal, 'abort')).toEqual([])
    await nothingIsLeft(client, sandbox)
    expect(timers()).toBe(0)
  })
})
