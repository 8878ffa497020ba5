import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Fault } from '../../../dev/service/faults.ts'
import { ask, METHODS, sandboxAt, toPath } from './support.ts'

const sandbox = sandboxAt()
const { faults, requests } = sandbox
const { lively } = sandbox.accounts

afterEach(() => faults.clear())

function incoming(init: RequestInit = {}) {
  return sandbox.app.request(toPath('incoming', lively), { method: METHODS.incoming, ...init })
}

describe('the time of a fault', () => {
  const STATUS: Fault = { kind: 'status', status: 503 }

  it('applies only to the next request', async () => {
    faults.next(STATUS)
    expect([(await incoming()).status, (await incoming()).status]).toEqual([503, 200])
  })

  it('applies to the given number of requests', async () => {
    faults.next(STATUS, { times: 2 })
    const statuses = [await incoming(), await incoming(), await incoming()].map(({ status }) => status)
    expect(statuses).toEqual([503, 503, 200])
  })

  it('applies to every request until it is cleared', async () => {
    faults.always(STATUS)
    expect([(await incoming()).status, (await incoming()).status]).toEqual([503, 503])
    faults.clear()
    expect((await incoming()).status).toBe(200)
  })

  it('applies to every nth request until it is cleared', async () => {
    faults.every(3, STATUS, { operation: 'incoming' })
    const statuses: number[] = []
    for (let n = 1; n <= 7; n++) statuses.push((await incoming()).status)
    expect(statuses).toEqual([200, 200, 503, 200, 200, 503, 200])
    faults.clear()
    for (let n = 1; n <= 3; n++) expect((await incoming()).status).toBe(200)
  })

  it('applies to one operation', async () => {
    faults.next(STATUS, { operation: 'outgoing' })
    expect((await incoming()).status).toBe(200)
    expect((await ask(sandbox, 'outgoing')).status).toBe(503)
    expect((await ask(sandbox, 'outgoing')).status).toBe(200)
  })

  it('comes in the order of creation, and before a permanent one', async () => {
    faults.always({ kind: 'status', status: 500 })
    faults.next({ kind: 'status', status: 501 })
    faults.next({ kind: 'status', status: 502 })
    const statuses = [await incoming(), await incoming(), await incoming()].map(({ status }) => status)
    expect(statuses).toEqual([501, 502, 500])
  })

  it('is logged with its credentials', async () => {
    requests.clear()
    faults.next(STATUS)
    await incoming()
    expect(requests.entries()).toMatchObject([
      { operation: 'incoming', credentials: 'accepted', status: 503 },
    ])
  })
})

describe('faults that need no connection', () => {
  it('responds with a status and its headers', async () => {
    faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } })
    const response = await incoming()
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3600'])
    expect(await response.json()).toMatchObject({ status: '429' })
  })

  it('delays correct and faulty responses', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    faults.next({ kind: 'delay', ms: 60_000 }, { times: 2 })
    for (const expected of [200, 500]) {
      if (expected === 500) faults.next({ kind: 'status', status: 500 })
      const onAnswer = vi.fn<(response: Response) => void>()
      const asked = Promise.resolve(incoming()).then(onAnswer)
      await vi.advanceTimersByTimeAsync(59_999)
      expect(onAnswer).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      await asked
      expect(onAnswer.mock.calls[0]?.[0].status).toBe(expected)
    }
  })

  it('hangs until the client gives up', async () => {
    faults.next({ kind: 'hang' })
    const controller = new AbortController()
    const before = requests.count()
    const onAnswer = vi.fn()
    const asked = Promise.resolve(incoming({ signal: controller.signal })).then(onAnswer)
    await expect.poll(() => requests.count()).toBe(before + 1)
    await nextTurn()
    expect(onAnswer).not.toHaveBeenCalled()
    controller.abort()
    await asked
  })

  it.each([undefined, 502])('answers a web page with status %s', async (status) => {
    faults.next(status ? { kind: 'html', status } : { kind: 'html' })
    const response = await incoming()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status ?? 200,
      'text/html; charset=utf-8',
    ])
    expect(await response.text()).toMatch(/^<!doctype html>/)
  })

  it('cuts JSON in the middle', async () => {
    const whole = await (await incoming()).text()
    faults.next({ kind: 'cut-json' })
    const response = await incoming()
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toBe(whole.slice(0, text.length))
    expect(text.length).toBe(Math.ceil(whole.length / 2))
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })

  it('sends exactly the given body', async () => {
    faults.next({ kind: 'body', body: 'null', contentType: 'text/plain' })
    const response = await incoming()
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/plain', 'null'])
  })

  it('changes every record, but nothing else', async () => {
    const right = (await ask(sandbox, 'incoming')).body
    faults.next({ kind: 'patch', patch: (record) => ({ ...record, 'DID number': '<!channel>' }) })
    const { body } = await ask(sandbox, 'incoming')
    expect(body.total_record).toBe(right.total_record)
    expect(body.result).toEqual(right.result.map((record) => ({ ...record, 'DID number': '<!channel>' })))
  })

  it('sets fields of records and of the envelope', async () => {
    faults.next({ kind: 'set', record: { Cost: 'x'.repeat(5000) }, envelope: { total_record: 'many' } })
    const { body } = await ask(sandbox, 'outgoing')
    expect(body.total_record).toBe('many')
    expect(body.result.every(({ Cost }) => Cost === 'x'.repeat(5000))).toBe(true)
    expect(body.result).toHaveLength(20)
  })

  it('leaves refusals unchanged', async () => {
    faults.next({ kind: 'set', record: { Cost: '1' } })
    expect((await ask(sandbox, 'incoming', { page: '0' })).status).toBe(400)
  })

  it("doesn't run the invoice operation for an invented response", async () => {
    const fresh = sandboxAt()
    fresh.faults.next({ kind: 'status', status: 500 })
    await ask(fresh, 'invoices')
    expect(fresh.accounts.lively.customers[0]?.deletions).toBe(0)
    fresh.faults.next({ kind: 'set', record: { status: 'odd' } })
    await ask(fresh, 'invoices')
    expect(fresh.accounts.lively.customers[0]?.deletions).toBe(1)
  })

  it.each([undefined, 'headers'] as const)('fails the body of a cut connection, after: %s', async (after) => {
    faults.next(after ? { kind: 'cut-connection', after } : { kind: 'cut-connection' })
    const response = await incoming()
    await expect(response.text()).rejects.toThrow('cut the connection')
  })
})
