import { fileRefusals } from '../../../src/slack/api/files.ts'
import type { Chapter, Recorder } from './recorder.ts'
import { minuteMs, refusal } from './stage.ts'

const sparse = {
  kind: 'set',
  record: { callerid: '', sip_login: '', ipaddress: 'maybe', webphone: '' },
} as const

export const agents: Chapter = {
  feature: 'Agents',
  async play(stage) {
    const { sandbox, ada, ben, support } = stage
    const first = await stage.say('First page', '/agents')
    await stage.press('Last page', [first, 'agents.page.next'])
    await stage.sayAll({
      'By a part of the name': '/agents smith',
      'One of that name': '/agents hollis',
      'Nobody of that name': '/agents nobody',
      'Beyond the last page': '/agents page:5',
      Help: '/agents help',
      'Words that make no sense': '/agents page:0 status:on',
    })
    stage.pass(2 * minuteMs)
    sandbox.faults.next({ kind: 'set', envelope: { result: [] } })
    await stage.say('No agents', '/agents')
    stage.pass(2 * minuteMs)
    await ada.press(first, 'agents.share')
    await stage.posted('Shared in a channel', support, 'Agents')
    const list = await stage.say('', '/agents hollis')
    const details = await stage.open('Details, to an admin', [list, 'Details'])
    await stage.open('SIP password', [details, 'agents.reveal'])
    await stage.open('Details, to a member', [await ben.command('/agents hollis'), 'Details'], ben)
    sandbox.faults.always(sparse, { operation: 'agents' })
    stage.pass(2 * minuteMs)
    await stage.say('Nothing but a name', '/agents hollis')
    const odd = await stage.open('Details that are not all there', [
      await stage.say('', '/agents hollis'),
      'Details',
    ])
    await stage.open('SIP password, no webphone', [odd, 'agents.reveal'])
    sandbox.faults.clear()
    sandbox.faults.always({ kind: 'set', envelope: { result: [] } }, { operation: 'agents' })
    stage.pass(2 * minuteMs)
    await stage.open('Not there any more', [list, 'Details'])
    sandbox.faults.clear()
  },
}

const billed = (record: Readonly<Record<string, unknown>>) => ({ kind: 'set', record }) as const

export const billing: Chapter = {
  feature: 'Billing',
  async play(stage) {
    const { sandbox, slack, ada, ben, gus } = stage
    await stage.say('Help, to a member who does not', '/billing help', ben)
    await stage.sayAll({ 'Billing, to an admin': '/billing', 'Help, to an administrator': '/billing help' })
    const settings = await stage.open('Access, without selected people', '/billing settings')
    const wrong = { 'billing.people': [gus.user.id, slack.people.bot.id], administrators: [gus.user.id] }
    const people = await ada.open(settings, 'billing.settings.who.billing', 'people')
    await stage.submit('Access, people who are refused', people, wrong)
    await stage.submit('Access, saved', people, {
      'billing.people': [ada.user.id, ben.user.id],
      administrators: null,
    })
    const slow = await stage.open('Access', '/billing settings')
    stage.pass(2 * minuteMs)
    slack.failNext('users.info', {})
    slack.failNext('users.info', { delayMs: 2200, status: 500 })
    const names = ['Access, being saved', 'Access, being saved, and it fails on our side'] as const
    await stage.submitSlowly(names, slow, { administrators: [ben.user.id] })
    await stage.sayAll(
      { 'Billing, to a member': '/billing', 'Help, to a member who sees billing': '/billing help' },
      ben,
    )
    await stage.send(await ada.open('/billing settings'), { administrators: null })
    await stage.sayAll({ "Words that Callboard doesn't know": '/billing everything' }, ben)
    await stage.say('A slip of the keyboard', `/billing psot <#${stage.finance.id}|finance>`)
    for (const [name, record] of Object.entries({
      'A total that is more than its items': { total_monthly: '$999.50' },
      'A total that is less than its items': { total_monthly: '$114.00' },
      'Amounts that can not be read': { billingcycle: '29/11', total_monthly: 'on request' },
      'Billed today': { billingcycle: '2026-11-05' },
    })) {
      sandbox.faults.next(billed(record), { operation: 'billing' })
      await stage.say(name, '/billing')
    }
    await stage.connect(sandbox.accounts.quiet)
    sandbox.faults.next({
      kind: 'patch',
      patch: (record) => ({
        ...record,
        creditlimit: '£0.00',
        total_monthly: '£19.00',
        addon: { ...Object(record['addon']), did: [] },
      }),
    })
    await stage.say('A plan and nothing else', '/billing')
  },
}

/** The audit log, of all that was done before. */
export const audit: Chapter = {
  feature: 'Billing',
  hasOAuth: true,
  isConnected: false,
  async play(stage) {
    const { slack, ada } = stage
    await stage.install(slack.workspace, ada)
    await stage.say('Audit log, empty', '/billing audit')
    await stage.connect()
    await doEverything(stage)
    const log = await stage.say('Audit log', '/billing audit')
    await stage.press('Audit log, one page of several', [log, 'billing.audit.page.next'])
    await stage.press('Audit log, sent as a file', [log, 'billing.audit.export'])
    await stage.posted('Audit log, above its file', ada, 'audit log')
    for (const error of fileRefusals) {
      slack.failNext('files.getUploadURLExternal', refusal(error))
      await stage.press(`A file that Slack refuses: ${error}`, [
        await stage.say('', '/billing audit'),
        'billing.audit.export',
      ])
    }
  },
}

/** Whatever is recorded. */
async function doEverything(stage: Recorder): Promise<void> {
  const { ada, ben, support, finance, lively } = stage
  await stage.say('', '/calls timezone Europe/Berlin')
  const details = await ada.open(await stage.say('', '/agents hollis'), 'agents.row', 'details')
  await ada.open(details, 'agents.reveal')
  for (const administrators of [[ben.user.id], null])
    await ada.submit(await ada.open('/billing settings'), { administrators, agents: 'admins' })
  await ada.submit(await ada.open('/billing schedule'), { channel: finance.id, day: 'monthly 1' })
  for (const action of ['pause', 'resume'])
    await ada.click(await stage.say('', '/billing schedules'), `billing.schedule.${action}`)
  await ada.click(await stage.say('', '/billing schedules'), 'billing.schedule.delete', 'Delete schedule…')
  await ada.click(await stage.say('', `/billing post <#${finance.id}>`), 'billing.post.send')
  await ada.press(await stage.say('', '/calls missed'), 'calls.share')
  const [customer] = lively.customers
  if (customer) await ada.submit(await ada.open(`/billing invoices ${customer.id}`), { again: customer.id })
  for (let n = 0; n < 6; n += 1) {
    const zone = await stage.say('', `/calls timezone Asia/${n % 2 ? 'Tokyo' : 'Seoul'}`)
    await ada.click(zone, 'setup.zone.undo')
  }
  await ada.submit(await ada.open('/calls alert'), { channel: support.id })
  for (const action of ['pause', 'resume'])
    await ada.click(await stage.say('', '/calls alerts'), `calls.alert.${action}`)
}

export const withOneToken: Chapter = {
  feature: 'Billing',
  async play(stage) {
    const { slack } = stage
    slack.failNext('files.getUploadURLExternal', refusal('missing_scope'))
    const log = await stage.say('', '/billing audit')
    await stage.press("A file that Slack refuses, with one workspace's token", [log, 'billing.audit.export'])
  },
}

export const organisation: Chapter = {
  feature: 'Billing',
  hasOAuth: true,
  async play(stage) {
    const { slack } = stage
    const { team, people } = slack.addTeam({ enterpriseId: 'E0DEMO', enterpriseName: 'Larkfield Group' })
    const admin = slack.as(people.member)
    await stage.install(team, admin, true)
    await stage.open('Access, in an organisation', '/billing settings', admin)
  },
}

export const posts: Chapter = {
  feature: 'Billing posts',
  async play(stage) {
    const { slack, sandbox, ada, ben, gus, finance, warehouse } = stage
    const inFinance = `/billing post <#${finance.id}|finance>`
    const bill = await stage.say('', '/billing')
    const form = await stage.open('Where to post', [bill, 'billing.post.channel'])
    await stage.submit('Where to post, a channel that is refused', form, { channel: warehouse.id })
    stage.pass(31 * minuteMs)
    await stage.submit('Where to post, opened too long ago', form, { channel: finance.id })
    const preview = await stage.say('Preview', inFinance)
    await stage.press('Preview with everything', [preview, 'billing.post.include', ['card', 'limit']])
    await stage.press('Posted', [preview, 'billing.post.send'])
    await stage.posted('The post in a channel', finance, 'Billing')
    await stage.press('Posted before', [preview, 'billing.post.send'])
    await stage.press('Discarded', [await stage.say('', inFinance), 'Discard'])
    const send = async (name: string) =>
      stage.press(name, [await stage.say('', inFinance), 'billing.post.send'])
    const failing = {
      'Posted, and Slack tells no address': ['chat.getPermalink', refusal('message_not_found')],
      'Refused by Slack': ['chat.postMessage', refusal('restricted_action')],
      'Not taken just now': ['chat.postMessage', { status: 429, headers: { 'retry-after': '30' } }],
      'Perhaps posted': ['chat.postMessage', { cut: true }],
    } as const
    for (const [name, [method, fault]] of Object.entries(failing)) {
      slack.failNext(method, fault)
      await send(name)
      stage.pass(2 * minuteMs)
    }
    const before = await stage.say('', inFinance)
    sandbox.faults.next({ kind: 'set', record: { total_monthly: '$1.00' } }, { operation: 'billing' })
    await stage.press('Preview once more, the figures having changed', [before, 'billing.post.send'])
    await stage.sayAll({
      'A channel that Callboard is not in': `/billing post <#${warehouse.id}|warehouse>`,
      'No channel': '/billing post finanse',
    })
    finance.isExtShared = true
    await stage.say('A channel that takes no posts', inFinance)
    finance.isExtShared = false
    finance.members = [gus.user.id]
    stage.pass(2 * minuteMs)
    await stage.say('Preview for a channel that the administrator is not in', inFinance)
    const values = { 'billing.people': [ben.user.id] }
    await stage.send(
      await ada.open(await ada.open('/billing settings'), 'billing.settings.who.billing', 'people'),
      values,
    )
    await stage.say('A channel that the person is not in', inFinance, ben)
  },
}

const slow = { kind: 'delay', ms: 2600 } as const

export const invoices: Chapter = {
  feature: 'Invoice operation',
  async play(stage) {
    const { sandbox, ada, lively } = stage
    const [first, second, third] = lively.customers.map(({ id }) => id)
    await stage.open('Which customer', '/billing invoices')
    const wrong = await ada.open('/billing invoices C 7301')
    await stage.submit('Which customer, something that is no id', wrong)
    const run = async (customer = '') => ({
      form: await ada.open(`/billing invoices ${customer}`),
      again: customer,
    })
    const { form, again } = await run(first)
    await stage.open('Confirmation', `/billing invoices ${first}`)
    await stage.submit('Confirmation, another id typed', form, { again: 'C-0000' })
    sandbox.faults.next(slow, { operation: 'invoices' })
    await stage.submitSlowly(['Running', 'Result'], form, { again })
    const none = await run(third)
    await stage.submit('Result without invoices', none.form, { again: none.again })
    const many = await run(second)
    const invoice = (index: number) => ({
      invoice_id: String(730100 + index),
      date: `2026-${String(10 - (index % 10)).padStart(2, '0')}-01`,
      amount: `$${38 + index}.00`,
      status: index === 0 ? 'Pending' : 'Proccessed',
      invoice_url: `https://invoices.example.com/${730100 + index}.pdf`,
    })
    const result = Array.from({ length: 64 }, (_, index) => invoice(index))
    sandbox.faults.next({ kind: 'set', envelope: { result } }, { operation: 'invoices' })
    await stage.submit('Result, more than are shown', many.form, { again: many.again })
    await stage.restart()
    const used = await ada.submit(many.form, { again: many.again }, { force: true })
    await stage.settled('Run before', used)
    for (const [name, fault] of Object.entries({
      'the key and secret are not accepted': { kind: 'status', status: 401 },
      refused: { kind: 'status', status: 400 },
      'too many requests': { kind: 'status', status: 429 },
      'the answer was lost': { kind: 'cut-connection' },
    } as const)) {
      const { form: own, again: id } = await run(first)
      sandbox.faults.always(fault, { operation: 'invoices' })
      await stage.submit(`Failed: ${name}`, own, { again: id })
      sandbox.faults.clear()
      await stage.connect()
      stage.pass(2 * minuteMs)
    }
  },
}

export const noInvoices: Chapter = {
  feature: 'Invoice operation',
  config: { invoiceOperation: false },
  play: (stage) => stage.say('Switched off', '/billing invoices C-1'),
}

export const unreachable: Chapter = {
  feature: 'Invoice operation',
  async play(stage) {
    const form = await stage.ada.open('/billing invoices C-4101')
    await stage.unplug()
    await stage.submit('Failed: not reached', form, { again: 'C-4101' })
  },
}
