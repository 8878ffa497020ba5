import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { View } from '../../../dev/slack/slack.ts'
import { dayMs, hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

describe('/billing delete-customer', () => {
  const getCustomer = () => app.sandbox.accounts.lively.customers[0]!.id
  const runs = () => app.sandbox.requests.count('invoices')
  const open = () => app.admin.open(`/billing delete-customer ${getCustomer()}`)
  const confirm = (modal: View) => app.admin.submit(modal, { again: getCustomer() }, { force: true })

  it('explains the consequence, asks for the ID again, runs once and shows the invoices', async () => {
    const { admin } = app
    const customer = getCustomer()
    const modal = await open()
    expect(modal).toShow(
      'Delete customer?',
      `This permanently deletes customer ${customer} at the phone service`,
      "It can't be undone.",
      `Type ${customer} to confirm`,
    )
    const wrong = await admin.submit(modal, { again: 'C-0000' })
    expect(wrong.errors).toEqual({ again: `This isn't ${customer}.` })
    expect(runs()).toBe(0)
    await admin.submit(modal, { again: ` ${customer} ` })
    expect(await admin.sees(modal, 'deleted.')).toShow('Proccessed', '|Open>')
    expect(runs()).toBe(1)
    expect(await admin.command('/billing audit')).toShow(`phone service to delete customer ${customer}`)
  })

  it('shows a wrong ID as text in the waiting modal', async () => {
    const { admin, clock, slack } = app
    const modal = await admin.open('/billing delete-customer <!here>')
    // The person is read again after a while.
    clock.ahead += hourMs
    const { promise: until, resolve } = Promise.withResolvers<void>()
    slack.failNext('users.info', { until })
    expect(await admin.submit(modal, { again: 'C-0000' })).toShow('One moment…')
    resolve()
    const { blocks } = await admin.sees(modal, "This isn't")
    expect(JSON.stringify(blocks)).toContain("This isn't &lt;!here&gt;.")
  })

  it('requires the ID of one customer', async () => {
    for (const words of ['', ' C 41', ` ${'4'.repeat(101)}`])
      expect(await app.admin.command(`/billing delete-customer${words}`)).toShow('Add the ID of one customer')
    expect(runs()).toBe(0)
  })

  it('never truncates links of invoices', async () => {
    const path = 'customersupport/'.repeat(10)
    const unlinked = ['a'.repeat(1000), 'a|b', 'a>b']
    const result = Array.from({ length: 61 }, (_, n) => ({
      invoice_id: `4101${n}`,
      invoice_url: `https://billing.example/${unlinked[n] ?? path}?id=${n}&a=1`,
    }))
    app.sandbox.faults.next({ kind: 'set', envelope: { result } }, { operation: 'invoices' })
    const modal = await open()
    await confirm(modal)
    const { blocks } = await app.admin.sees(modal, '61 invoices, the first 60:')
    expect([...JSON.stringify(blocks).matchAll(/\?id=(\d+)&amp;a=1\|Open>/g)]).toHaveLength(57)
  })

  it('runs once per modal, even weeks later on another process', async () => {
    const modal = await open()
    await app.disconnect()
    expect(await confirm(modal)).toShow("isn't connected")
    await app.connect()
    app.sandbox.faults.next({ kind: 'delay', ms: 300 }, { operation: 'invoices' })
    await Promise.all([confirm(modal), confirm(modal)])
    expect(runs()).toBe(1)
    await app.restart()
    app.clock.ahead += 29 * dayMs
    expect(await confirm(modal)).toShow('was already sent')
    expect(runs()).toBe(1)
    await confirm(await open())
    await expect.poll(runs).toBe(2)
  })

  it("isn't sent without an entry in the audit log", async () => {
    const modal = await open()
    app.stored.refuse('audit-log')
    expect(await confirm(modal)).toShow('something went wrong')
    expect(runs()).toBe(0)
  })

  it.each([
    ['the connection is cut', { kind: 'cut-connection' }, 'may have been carried out'],
    ['the answer is no JSON', { kind: 'cut-json' }, 'may have been carried out'],
    ['500', { kind: 'status', status: 500 }, 'may have been carried out'],
    ['429', { kind: 'status', status: 429 }, 'asks Callboard to wait'],
    ['400', { kind: 'status', status: 400 }, 'Nothing was done for customer'],
    ['no answer', { kind: 'hang' }, 'may have been carried out'],
  ] as const)('is sent only once, and says so, if %s', async (_name, fault, words) => {
    const modal = await open()
    app.sandbox.faults.always(fault, { operation: 'invoices' })
    await confirm(modal)
    await app.admin.sees(modal, words)
    expect(runs()).toBe(1)
    expect(await app.admin.command('/billing audit')).toShow(`to delete customer ${getCustomer()}`)
  })
})

describe('/billing delete-customer without INVOICE_OPERATION', () => {
  const app = useApp({ connected: true, config: { invoiceOperation: false } })

  it('is off, says who can turn it on, and is offered neither by help nor by the manifest', async () => {
    expect(await app.admin.command('/billing delete-customer C-1')).toShow('INVOICE_OPERATION=on')
    expect(app.sandbox.requests.count('invoices')).toBe(0)
    expect(await app.admin.command('/billing help')).not.toShow('delete')
    expect(await readFile('manifest.yml', 'utf8')).not.toContain('delete-customer')
  })
})

it('/billing invoices says that there is no list, and never names the deletion', async () => {
  const answer = await app.admin.command('/billing invoices')
  expect(answer).toShow('The phone service has no list of invoices.')
  expect(answer).not.toShow('delet')
  expect(app.sandbox.requests.count('invoices')).toBe(0)
})
