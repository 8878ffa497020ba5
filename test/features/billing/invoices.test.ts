import { describe, expect, it } from 'vitest'
import type { View } from '../../../dev/slack/slack.ts'
import { useHouse } from '../../support/app.ts'

const customerOf = () => house().sandbox.accounts.lively.customers[0]!.id
const open = async (text: string, user = house().slack.people.admin) =>
  (await house().say(`invoices ${text}`.trim(), user, '/billing')).waitForView()
const submit = (view: View, again: string) =>
  house().slack.submit(house().url, { view, values: { again }, user: house().slack.people.admin })
const runs = () => house().sandbox.requests.count('invoices')
const result = (view: View, words: string) =>
  house().slack.waitFor(() => {
    const now = JSON.stringify(house().slack.view(view.id)?.blocks ?? [])
    return now.includes(words) ? now : undefined
  }, 12_000)

const house = useHouse()

describe('/billing invoices', () => {
  it('says what it does, asks for the id again, runs once and shows the invoices', async () => {
    const { connect, say, slack } = house()
    await connect()
    const customer = customerOf()
    const view = await open(customer)
    expect(JSON.stringify(view.blocks)).toContain('deleting the customer')
    const wrong = await submit(view, 'C-0000')
    expect(wrong.ackBody).toMatchObject({
      response_action: 'errors',
      errors: { again: `This is not ${customer}.` },
    })
    expect(runs()).toBe(0)
    await submit(view, ` ${customer} `)
    const shown = await result(view, 'was carried out')
    expect(shown).toContain('Proccessed')
    expect(shown).toContain('|Open>')
    expect(runs()).toBe(1)
    const audit = await (await say('audit', slack.people.admin, '/billing')).waitForMessage()
    expect(JSON.stringify(audit.blocks)).toContain(`invoice operation, customer ${customer}`)
  })

  it('asks for a customer, and is for admins', async () => {
    const { connect, say, slack } = house()
    await connect()
    expect(JSON.stringify((await open('')).blocks)).toContain('CUSTOMER-ID')
    const refused = await (
      await say(`invoices ${customerOf()}`, slack.people.member, '/billing')
    ).waitForMessage()
    expect(refused.text).toContain('Only admins and owners')
  })

  it('is run once for two submissions at once, and for one more after a restart', async () => {
    const { connect, restart, sandbox } = house()
    await connect()
    const customer = customerOf()
    const view = await open(customer)
    await restart()
    sandbox.faults.next({ kind: 'delay', ms: 300 }, { operation: 'invoices' })
    await Promise.all([submit(view, customer), submit(view, customer)])
    await result(view, 'was carried out')
    expect(runs()).toBe(1)
    const other = await open(customer)
    await submit(other, customer)
    await result(other, 'was carried out')
    expect(runs()).toBe(2)
  })

  it('is not run again by a modal that was used, on whichever process it is submitted', async () => {
    const { connect, restart, slack, url } = house()
    await connect()
    const customer = customerOf()
    const view = await open(customer)
    // Two submissions that Slack sent before the first was answered, the second to a process that knows nothing of the first.
    const values = { again: customer }
    await slack.submit(url, { view, values, user: slack.people.admin })
    await result(view, 'was carried out')
    await restart()
    const again = await slack.submit(house().url, { view, values, user: slack.people.admin, force: true })
    expect(JSON.stringify(again.ackBody)).toContain('was run already')
    expect(runs()).toBe(1)
  })

  it.each([
    ['the connection is cut', { kind: 'cut-connection' } as const, 'may have been carried out'],
    ['the answer is no JSON', { kind: 'cut-json' } as const, 'may have been carried out'],
    ['500', { kind: 'status', status: 500 } as const, 'may have been carried out'],
    ['429', { kind: 'status', status: 429 } as const, 'asks us to wait'],
    ['400', { kind: 'status', status: 400 } as const, 'refused customer'],
    ['no answer', { kind: 'hang' } as const, 'may have been carried out'],
  ])('is sent once and told plainly where %s', async (_name, fault, words) => {
    const { connect, sandbox } = house()
    await connect()
    const customer = customerOf()
    const view = await open(customer)
    sandbox.faults.always(fault, { operation: 'invoices' })
    await submit(view, customer)
    await result(view, words)
    expect(runs()).toBe(1)
  })
})

describe('where the operator has not switched it on', () => {
  const closed = useHouse({ invoiceOperation: false })

  it('its answer says so, and nothing is sent', async () => {
    const { connect, say, slack, sandbox } = closed()
    await connect()
    const message = await (await say('invoices C-1', slack.people.admin, '/billing')).waitForMessage()
    expect(message.text).toContain('INVOICE_OPERATION=on')
    expect(sandbox.requests.count('invoices')).toBe(0)
  })
})
