import { describe, expect, it } from 'vitest'
import { OPERATIONS, type Operation } from '../../../dev/service/types.ts'
import { ask, type Envelope, requests, sandboxAtNow, toPath, walk } from './support.ts'

const sandbox = sandboxAtNow()
const { lively } = sandbox.accounts

const call = 'Cost, Date Time, Duration, Recording, Status, id'
const addOn =
  'addon.agents.no_of_agents, addon.agents.price_per_agent, addon.agents.total_agent_price, addon.crm.no_of_crm, addon.crm.total_storage_price, addon.did.country, addon.did.monthly, addon.did.number, addon.storage.no_of_storage, addon.storage.price_per_gb, addon.storage.total_storage_price'
const plan = 'plan.crm, plan.name, plan.no_of_agents, plan.price, plan.storage'

/** The fields of each operation's records, as the specification lists them. */
const fields: Record<Operation, string> = {
  outgoing: `${call}, Dialed Number`,
  incoming: `${call}, Answered, DID number`,
  agents: 'callerid, followme, id, ipaddress, name, sip_login, sip_password, webphone',
  billing: `${addOn}, ${plan}, billingcycle, call_route, creditlimit, payment_details, payment_method, total_monthly`,
  invoices: 'amount, date, invoice_id, invoice_url, status',
}

const formats: readonly (readonly [field: RegExp, value: RegExp])[] = [
  [/^Date Time$/, /^\d{4}-\d{2}-\d{2} (0[1-9]|1[0-2]):[0-5]\d:[0-5]\d (AM|PM)$/],
  [/^Duration$/, /^\d{2}:[0-5]\d:[0-5]\d$/],
  [/^Status$/, /^(ANSWERED|NOTANSWERED)$/],
  [/^Cost$/, /^\d+(\.\d+)?$/],
  [/^Recording$/, /^(download_file\.php\?filename=[^&]+&filetype=callrecording)?$/],
  [/^(ipaddress|followme)$/, /^(enabled|disabled)$/],
  [/^webphone$/, /^https:.+\/agent\/phone\/call\?userid=\d+&agent_id=\d+&from=%2B\d+&[0-9a-f]{32}$/],
  [/price|monthly$|^creditlimit$|^amount$/, /^[^\d\s]\d+\.\d{2}$/],
  [/no_of_(agents|crm)$|^plan\.crm$/, /^\d+$/],
  [/no_of_storage$|^plan\.storage$/, /^\d+GB$/],
  [/^payment_details$/, /^\d{6}\*+\d{4}$/],
  [/^(billingcycle|date)$/, /^\d{4}-\d{2}-\d{2}$/],
  [/^status$/, /^Proccessed$/],
  [/^invoice_url$/, /\/customersupport\/invoice\.php\?id=\d+$/],
]

/** Lists the values that aren't objects, by the path of their field. */
function listValues(value: unknown, path: readonly string[] = []): [field: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item) => listValues(item, path))
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]]
  return Object.entries(value).flatMap(([name, field]) => listValues(field, [...path, name]))
}

function expectSpecified(operation: Operation, { result, ...envelope }: Envelope): void {
  expect(envelope).toMatchObject({ status: '200', message: 'Success' })
  expect(result.length).toBeGreaterThan(0)
  for (const record of result) {
    const values = listValues(record)
    expect([...new Set(values.map(([field]) => field))].sort()).toEqual(fields[operation].split(', ').sort())
    for (const [field, value] of values) {
      const format = formats.find(([name]) => name.test(field))?.[1] ?? /^/
      expect(value, field).toEqual(expect.stringMatching(format))
    }
  }
}

it.each(OPERATIONS)('%s responds with JSON of the specified shape', async (operation) => {
  const { method } = requests[operation]
  const response = await sandbox.app.request(toPath(operation, lively), { method })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expectSpecified(operation, (await response.json()) as Envelope)
})

it.each(['outgoing', 'incoming'] as const)('every %s record has the specified shape', async (direction) => {
  for (const page of await walk(sandbox, direction)) expectSpecified(direction, page)
})

describe('the invoice operation', () => {
  it('returns invoices and marks only that customer as deleted, on every call', async () => {
    const fresh = sandboxAtNow()
    const deletions = () => fresh.accounts.lively.customers.map((customer) => customer.deletions)
    const first = await ask(fresh, 'invoices', { customer_id: 'C-4102' })
    expect(first.body.result.map(({ date }) => date)).toEqual(['2026-11-01', '2026-10-01', '2026-09-01'])
    expect(deletions()).toEqual([0, 1, 0])
    expect(await ask(fresh, 'invoices', { customer_id: 'C-4102' })).toEqual(first)
    expect(deletions()).toEqual([0, 2, 0])
    expect(fresh.accounts.lively.customers.map(({ deleted }) => deleted)).toEqual([false, true, false])
  })

  it('returns an empty list for a customer without invoices', async () => {
    const { status, body } = await ask(sandboxAtNow(), 'invoices', { customer_id: 'C-4103' })
    expect([status, body.result]).toEqual([200, []])
  })

  it.each(['C-0', 'C-4201'])('refuses %s, who is no customer of the account', async (customer_id) => {
    const fresh = sandboxAtNow()
    const { status, body } = await ask(fresh, 'invoices', { customer_id })
    expect([status, body.message]).toEqual([400, 'Missing or invalid properties: customer_id'])
    expect(fresh.accounts.quiet.customers[0]?.deletions).toBe(0)
  })
})
