import { describe, expect, it } from 'vitest'
import type { Actor, Message } from '../../../dev/slack/slack.ts'
import { paymentText } from '../../../src/features/billing/figures.ts'
import { toBilling } from '../../../src/telephony/wire.ts'
import { useApp } from '../../support/app.ts'
import { getActions, getRows } from '../../support/shown.ts'

it.each([
  ['Visa', '**** 4242', 'Visa ending 4242'],
  ['', '**** 4242', 'Card ending 4242'],
  ['Bank transfer', '', 'Bank transfer'],
])('is paid by "%s" "%s": %s', (payment_method, payment_details, text) => {
  expect(paymentText(toBilling({ payment_method, payment_details }))).toBe(text)
})

describe('/billing', () => {
  const app = useApp({ connected: true })
  const faultyBill = (record: Record<string, unknown>) =>
    app.sandbox.faults.always({ kind: 'set', record }, { operation: 'billing' })

  /** Posts the bill in #general. */
  async function post(): Promise<Message> {
    const { admin, slack } = app
    await admin.submit(await admin.open('/billing post'))
    const isPost = ({ onlyFor }: Message) => onlyFor === undefined
    return slack.waitFor(() => slack.messages({ channel: slack.general }).find(isPost))
  }

  it('shows the total, the next date, the card, and items that add up', async () => {
    const billing = await app.admin.command('/billing')
    expect(billing).toShow(
      'Billing: $244.99 a month',
      'Visa ending 4242',
      "✓ Items add up to the total. Call costs aren't included.",
      'Agents: 10 · Storage: 50GB · CRMs: 1',
      '$500.00',
    )
    const rows = getRows(billing)
    expect(rows.slice(0, 4)).toEqual([
      ['Business Plus plan', '$149.00'],
      ['Extra agents (3, $12.50 each)', '$37.50'],
      ['Extra storage (25GB, $0.35 a GB)', '$8.75'],
      ['Extra CRMs (2)', '$30.00'],
    ])
    expect(rows).toContainEqual(['Number (+49 30 23125042, Germany)', '$5.99'])
    expect(rows.at(-1)).toEqual(['Total per month', '$244.99'])
    expect(billing).not.toShow('424242')
    expect(billing.text).toMatch(/Next billing date \d{1,2} [A-Z][a-z]{2} \d{4}\./)
    expect(await app.admin.command('/callboard')).toShow('Callboard')
    expect(await app.admin.command('/callboard billing')).toShow('Business Plus')
  })

  it('warns of a difference, and leaves out items that cost nothing', async () => {
    await app.connect(app.sandbox.accounts.quiet)
    const billing = await app.admin.command('/billing')
    expect(billing).toShow(
      'Billing: £33.20 a month',
      '⚠ Items add up to £32.75, but the total is £33.20. Ask your phone provider about the difference.',
      'Agents: 1 · Storage: 5GB',
      '£50.00',
    )
    expect(billing).not.toShow('£0.00', 'Extra')
    const bill = await post()
    expect(bill).toShow('Billing: £33.20 a month', '⚠ Items add up to £32.75, but the total is £33.20')
  })

  it('shows items whose amount is unreadable', async () => {
    const addon = { storage: {}, crm: { no_of_crm: '2', total_storage_price: '' }, did: [] }
    faultyBill({ plan: { name: '', price: '$149.00' }, addon })
    const shown = await app.admin.command('/billing')
    expect(shown).toShow('Not every amount could be read')
    expect(getRows(shown)).toContainEqual(['Extra CRMs (2)', '–'])
    expect(shown).not.toShow('Number', 'Extra storage', 'Extra agents')
    const posted = await post()
    expect(getRows(posted)).toContainEqual(['Extra CRMs', '–'])
    expect(posted.text).toMatch(/Next billing date \d+ \w+ \d{4}\.$/m)
  })

  it('names no sum of numbers in different currencies', async () => {
    const did = ['$3.00', '£2.00'].map((monthly, n) => ({ number: `+4930${n}`, monthly }))
    faultyBill({ addon: { did } })
    expect(getRows(await post())).toContainEqual(['Numbers', '–'])
  })

  it.each([
    ['missing', undefined],
    ['null', null],
    ['a list', []],
    ['of empty parts', { agents: {}, storage: null, crm: [], did: [{}, null, { number: '', monthly: '' }] }],
    ['of zeros', { agents: { no_of_agents: '0', total_agent_price: '' }, storage: { no_of_storage: 0 } }],
  ])('has no add-ons if these are %s, and its total is checked', async (_, addon) => {
    const record = { plan: { name: 'Basic', price: '$149.00' }, addon, total_monthly: '$149.00' }
    const patch = (bill: object) => ({ ...bill, ...record, billingcycle: '' })
    app.sandbox.faults.always({ kind: 'patch', patch }, { operation: 'billing' })
    const shown = await app.admin.command('/billing')
    expect(getRows(shown)).toEqual([
      ['Basic plan', '$149.00'],
      ['Total per month', '$149.00'],
    ])
    expect(shown).toShow('✓ Items add up to the total.')
    expect(shown).not.toShow('Next billing date')
    expect(await post()).not.toShow('Next billing date', 'Extra', 'Numbers')
  })

  it('shows an unreadable total below at most thirty items', async () => {
    const did = Array.from({ length: 40 }, (_, n) => ({ number: `+4930${n}`, country: '', monthly: '$1.00' }))
    faultyBill({ addon: { did }, total_monthly: 'about $40' })
    const shown = getRows(await app.admin.command('/billing'))
    expect(shown).toContainEqual(['Number (+49300)', '$1.00'])
    expect(shown.slice(-2)).toEqual([
      [expect.stringMatching(/^… and \d+ more$/), '–'],
      ['Total per month', 'about $40'],
    ])
  })

  it('is lines of text if Slack rejects the table, without the card in a channel', async () => {
    app.slack.failNext('response_url', { status: 400, body: { ok: false, error: 'invalid_blocks' } })
    const billing = await app.admin.command('/billing')
    expect(billing).toShow('• Extra CRMs (2): *$30.00*', '• Total per month: *$244.99*', 'Visa ending 4242')
    const preview = await app.admin.open('/billing post')
    expect(preview).toShow('• Extra CRMs: *$30.00*', '• Total per month: *$244.99*')
    expect(preview).not.toShow('Visa', '$500.00')
  })

  it('has buttons, and Change access… for administrators only', async () => {
    const { admin, member } = app
    await admin.submit(await admin.open('/billing settings'), { billing: 'everyone' })
    const everyone = ['command.post', 'billing.schedule.new']
    expect(getActions(await member.command('/billing'))).toEqual(everyone)
    const billing = await admin.command('/billing')
    expect(getActions(billing)).toEqual([...everyone, 'billing.settings'])
    expect(await admin.open(billing, 'billing.schedule.new')).toShow('Channel')
  })

  it('quotes unknown words, and suggests the nearest command', async () => {
    const { admin, sandbox } = app
    const { id } = app.slack.general
    sandbox.requests.clear()
    const unknown = await admin.command('/billing now')
    expect(unknown).toShow(`I didn't understand "now".`)
    expect(await admin.click(unknown, 'command.help')).toShow('/billing post #finance')
    const slip = await admin.command(`/billing psot <#${id}|general>`)
    expect(slip).toShow(`I didn't understand "psot #general". Did you mean this?`, '/billing post #general')
    // Slack doesn't write the name of a private channel.
    const nameless = await admin.command(`/billing psot <#${id}|>`)
    expect(nameless).toShow(`I didn't understand "psot the channel".`, '/billing post the channel')
    expect(sandbox.requests.count()).toBe(0)
    expect(await admin.open(slip, 'command.meant')).toShow('Post billing')
  })

  it('has help with buttons', async () => {
    const { admin, member, sandbox } = app
    sandbox.requests.clear()
    const help = await admin.command('/billing help')
    expect(help).toShow('/billing post #finance', '/billing delete-customer')
    expect(sandbox.requests.count()).toBe(0)
    expect(await admin.click(help, 'command.show')).toShow('Billing: $244.99 a month')
    expect(await member.command('/billing help')).not.toShow('/billing delete-customer')
  })
})

describe('who may see what', () => {
  const recordings = 'https://recordings.example.com/'
  const app = useApp({ connected: true, config: { recordingsBaseUrl: recordings } })
  const save = async (values: Parameters<Actor['submit']>[1]) =>
    app.admin.submit(await app.admin.open('/billing settings'), values)

  it('is changed by an admin, which also affects existing buttons at once', async () => {
    const { admin, member } = app
    const before = await member.command('/calls')
    await save({ calls: 'admins', billing: 'people', 'billing.people': [member.user.id] })
    expect(await member.command('/billing')).toShow('Business Plus')
    expect(await member.command('/calls')).toShow("You don't have access to calls")
    expect(await member.click(before, 'calls.page.next')).toShow("You don't have access to calls")
    expect(await admin.command('/calls')).toShow('Page 1 of')
    expect(await admin.command('/billing audit')).toShow(
      'limited calls to administrators',
      `limited billing to administrators and <@${member.user.id}>`,
    )
    await save({ calls: 'everyone' })
    expect(await member.command('/calls')).toShow('Page 1 of')
  })

  it('restricts links to recordings separately', async () => {
    const { admin, member } = app
    const list = async (by: Actor) => JSON.stringify((await by.command('/calls')).blocks)
    expect(await list(member)).toContain(recordings)
    await save({ recordings: 'admins' })
    const limited = await member.command('/calls')
    expect(JSON.stringify(limited)).not.toContain(recordings)
    expect(getRows(limited).map((row) => row.at(-1))).toContain('Yes')
    expect(await list(admin)).toContain(recordings)
    const asked = await save({ recordings: 'people' })
    await admin.submit(asked, { 'recordings.people': [member.user.id] })
    expect(await list(member)).toContain(recordings)
  })
})
