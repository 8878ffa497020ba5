import { afterEach, expect, it } from 'vitest'
import type { Fault } from '../../../dev/service/faults.ts'
import type { Operation } from '../../../dev/service/types.ts'
import { ask, sandboxAtNow } from './support.ts'

const sandbox = sandboxAtNow()
const { faults } = sandbox

afterEach(() => faults.clear())

const request = async (operation: Operation = 'incoming') => (await ask(sandbox, operation)).status

const STATUS: Fault = { kind: 'status', status: 503 }

it('fails a number of requests, of one operation or all', async () => {
  faults.next(STATUS, { times: 2 })
  faults.next(STATUS, { operation: 'outgoing' })
  expect([await request(), await request(), await request()]).toEqual([503, 503, 200])
  expect([await request('outgoing'), await request('outgoing')]).toEqual([503, 200])
})

it('fails every request until it is cleared, after the faults that come next', async () => {
  faults.always({ kind: 'status', status: 500 })
  faults.next({ kind: 'status', status: 501 })
  faults.next({ kind: 'status', status: 502 })
  expect([await request(), await request(), await request()]).toEqual([501, 502, 500])
  faults.clear()
  expect(await request()).toBe(200)
})

it("doesn't run the invoice operation for an invented response", async () => {
  faults.next({ kind: 'status', status: 500 })
  await request('invoices')
  expect(sandbox.accounts.lively.customers[0]?.deletions).toBe(0)
  faults.next({ kind: 'set', record: { status: 'odd' } })
  await request('invoices')
  expect(sandbox.accounts.lively.customers[0]?.deletions).toBe(1)
})
