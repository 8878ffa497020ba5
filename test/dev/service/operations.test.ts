import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../dev/service/types.ts'
import {
  agentRecord,
  billingRecord,
  createListingSchema,
  createResultSchema,
  incomingRecord,
  invoiceRecord,
  outgoingRecord,
} from './response-schemas.ts'
import { ask, METHODS, sandboxAt, toPath, walk } from './support.ts'

const SHAPES = {
  outgoing: createListingSchema(outgoingRecord),
  incoming: createListingSchema(incomingRecord),
  billing: createResultSchema(billingRecord),
  invoices: createResultSchema(invoiceRecord),
  agents: createResultSchema(agentRecord),
}

/** Field names of the specification, in its order. */
const CALL_FIELDS = ['Date Time', 'Duration', 'Status', 'Cost', 'Recording']
const FIELDS: Record<Operation, string[]> = {
  outgoing: ['id', 'Dialed Number', ...CALL_FIELDS],
  incoming: ['id', 'DID number', ...CALL_FIELDS, 'Answered'],
  billing: [
    'call_route',
    'payment_method',
    'payment_details',
    'creditlimit',
    'billingcycle',
    'plan',
    'addon',
    'total_monthly',
  ],
  invoices: ['invoice_id', 'date', 'amount', 'status', 'invoice_url'],
  agents: ['id', 'name', 'sip_login', 'sip_password', 'callerid', 'ipaddress', 'followme', 'webphone'],
}

const sandbox = sandboxAt()
const { lively, quiet } = sandbox.accounts

describe.each(Object.keys(FIELDS) as Operation[])('%s', (operation) => {
  it('responds with JSON of the specified shape', async () => {
    const path = toPath(operation, lively)
    const response = await sandbox.app.request(path, { method: METHODS[operation] })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const body = SHAPES[operation].parse(await response.json())
    expect('total_record' in body).toBe(operation === 'outgoing' || operation === 'incoming')
    for (const record of body.result) expect(Object.keys(record)).toEqual(FIELDS[operation])
  })

  it('accepts a pair whose secret needs encoding', async () => {
    const { status } = await ask(
      sandbox,
      operation,
      operation === 'invoices' ? { customer_id: 'C-4201' } : {},
      quiet,
    )
    expect(status).toBe(200)
  })
})

it.each(['outgoing', 'incoming'] as const)('every %s record has the specified shape', async (direction) => {
  const calls = lively.calls(direction)
  for (const page of await walk(sandbox, direction)) SHAPES[direction].parse(page)
  const recorded = calls.filter(({ recording }) => recording !== '')
  const answered = calls.filter((call) => call.answered)
  expect(recorded.length / answered.length).toBeGreaterThan(0.3)
  expect(recorded.every((call) => call.answered)).toBe(true)
  expect(
    calls.filter((call) => !call.answered).every(({ seconds, cost }) => seconds === 0 && cost === '0'),
  ).toBe(true)
})

it('writes a call as specified', async () => {
  const call = lively.calls('outgoing').find(({ recording, seconds }) => recording && seconds > 3600)!
  const day = call.at.toISOString().slice(0, 10)
  const spec = day.split('-').reverse().join('-')
  const pages = await walk(sandbox, 'outgoing', { from: spec, to: spec })
  const record = pages.flatMap(({ result }) => result).find(({ id }) => id === call.id)
  expect(record).toMatchObject({
    'Dialed Number': call.number,
    Status: 'ANSWERED',
    Cost: call.cost,
    Recording: `download_file.php?filename=${call.recording}&filetype=callrecording`,
  })
  const [hours, minutes, seconds] = record!['Duration']!.split(':').map(Number)
  expect(hours! * 3600 + minutes! * 60 + seconds!).toBe(call.seconds)
})

it('charges outgoing calls in decimals of one to four places', () => {
  const places = lively.calls('outgoing').map(({ cost }) => (cost.split('.')[1] ?? '').length)
  expect(new Set(places)).toEqual(new Set([0, 1, 2, 3, 4]))
})

describe('agents', () => {
  it('are listed by POST just as by GET', async () => {
    const post = await sandbox.app.request(toPath('agents', lively), { method: 'POST' })
    expect(await post.json()).toEqual((await ask(sandbox, 'agents')).body)
  })

  it('have a webphone link with a trailing token', async () => {
    const { body } = await ask(sandbox, 'agents')
    for (const { id, callerid, webphone } of body.result) {
      const url = new URL(webphone!)
      expect(url.pathname).toBe('/agent/phone/call')
      expect(url.searchParams.get('agent_id')).toBe(id)
      expect(url.searchParams.get('from')).toBe(callerid)
      expect(url.searchParams.get('userid')).toMatch(/^\d+$/)
      expect(webphone).toMatch(/&[0-9a-f]{32}$/)
    }
  })
})

describe('billing', () => {
  const cents = (text: string) => Math.round(Number(text.replace(/^\D/, '')) * 100)
  const getParts = async (account: typeof lively) => {
    const { body } = await ask(sandbox, 'billing', {}, account)
    expect(body.result).toHaveLength(1)
    const record = billingRecord.parse(body.result[0])
    const { agents, storage, crm, did } = record.addon
    const amounts = [
      record.plan.price,
      agents.total_agent_price,
      storage.total_storage_price,
      crm.total_storage_price,
    ]
    const all = [...amounts, ...did.map(({ monthly }) => monthly)]
    return {
      record,
      difference: cents(record.total_monthly) - all.reduce((sum, each) => sum + cents(each), 0),
    }
  }

  it('equals the sum of its parts on the lively account', async () => {
    const { record, difference } = await getParts(lively)
    expect(difference).toBe(0)
    expect(new Set(record.addon.did.map(({ country }) => country)).size).toBe(4)
    expect(record.billingcycle).toBe('2026-11-15')
    expect(record.creditlimit).toBe('$500.00')
  })

  it('differs slightly from its parts on the quiet account', async () => {
    const { record, difference } = await getParts(quiet)
    expect(difference).toBe(45)
    expect(record.addon.did).toHaveLength(3)
    expect(record.billingcycle).toBe('2026-12-01')
  })
})

describe('the invoice operation', () => {
  it('returns invoices and marks the customer as deleted on every call', async () => {
    const fresh = sandboxAt()
    const state = () =>
      fresh.accounts.lively.customers.map(({ id, deleted, deletions }) => [id, deleted, deletions])
    expect(state()).toEqual([
      ['C-4101', false, 0],
      ['C-4102', false, 0],
      ['C-4103', false, 0],
    ])
    const first = await ask(fresh, 'invoices', { customer_id: 'C-4102' })
    expect(first.body.result.map(({ date, status }) => [date, status])).toEqual([
      ['2026-11-01', 'Proccessed'],
      ['2026-10-01', 'Proccessed'],
      ['2026-09-01', 'Proccessed'],
    ])
    for (const { invoice_id, invoice_url } of first.body.result) {
      expect(invoice_url).toMatch(new RegExp(`/customersupport/invoice\\.php\\?id=${invoice_id}$`))
    }
    expect(state()[1]).toEqual(['C-4102', true, 1])
    expect(await ask(fresh, 'invoices', { customer_id: 'C-4102' })).toEqual(first)
    expect(state()[1]).toEqual(['C-4102', true, 2])
    expect(state()[0]).toEqual(['C-4101', false, 0])
  })

  it('returns an empty list for a customer without invoices', async () => {
    const { status, body } = await ask(sandboxAt(), 'invoices', { customer_id: 'C-4103' })
    expect([status, body.result]).toEqual([200, []])
  })

  it("refuses another account's customer without changing it", async () => {
    const fresh = sandboxAt()
    expect((await ask(fresh, 'invoices', { customer_id: 'C-4201' })).status).toBe(400)
    expect(fresh.accounts.quiet.customers[0]?.deletions).toBe(0)
  })
})
