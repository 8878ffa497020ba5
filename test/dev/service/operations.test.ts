import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../dev/service/types.ts'
import { responseSchemas } from './response-schemas.ts'
import { ask, METHODS, sandboxAt, toPath, walk } from './support.ts'

const sandbox = sandboxAt()
const { lively } = sandbox.accounts

it.each(OPERATIONS)('%s responds with JSON of the specified shape', async (operation) => {
  const response = await sandbox.app.request(toPath(operation, lively), { method: METHODS[operation] })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(responseSchemas[operation].parse(await response.json()).result).not.toEqual([])
})

it.each(['outgoing', 'incoming'] as const)('every %s record has the specified shape', async (direction) => {
  for (const page of await walk(sandbox, direction)) responseSchemas[direction].parse(page)
})

it('charges outgoing calls in decimals of one to four places', () => {
  const places = lively.calls('outgoing').map(({ cost }) => (cost.split('.')[1] ?? '').length)
  expect(new Set(places)).toEqual(new Set([0, 1, 2, 3, 4]))
})

it('lists agents by POST just as by GET', async () => {
  const post = await sandbox.app.request(toPath('agents', lively), { method: 'POST' })
  expect(await post.json()).toEqual((await ask(sandbox, 'agents')).body)
})

describe('the invoice operation', () => {
  it('returns invoices and marks only that customer as deleted, on every call', async () => {
    const fresh = sandboxAt()
    const deletions = () => fresh.accounts.lively.customers.map((customer) => customer.deletions)
    const first = await ask(fresh, 'invoices', { customer_id: 'C-4102' })
    expect(first.body.result.map(({ date }) => date)).toEqual(['2026-11-01', '2026-10-01', '2026-09-01'])
    expect(deletions()).toEqual([0, 1, 0])
    expect(await ask(fresh, 'invoices', { customer_id: 'C-4102' })).toEqual(first)
    expect(deletions()).toEqual([0, 2, 0])
    expect(fresh.accounts.lively.customers.map(({ deleted }) => deleted)).toEqual([false, true, false])
  })

  it('returns an empty list for a customer without invoices', async () => {
    const { status, body } = await ask(sandboxAt(), 'invoices', { customer_id: 'C-4103' })
    expect([status, body.result]).toEqual([200, []])
  })

  it.each(['C-0', 'C-4201'])('refuses %s, who is no customer of the account', async (customer_id) => {
    const fresh = sandboxAt()
    const { status, body } = await ask(fresh, 'invoices', { customer_id })
    expect([status, body.message]).toEqual([400, 'Missing or invalid properties: customer_id'])
    expect(fresh.accounts.quiet.customers[0]?.deletions).toBe(0)
  })
})
