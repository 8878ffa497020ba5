import { hourMs } from '../../../src/util/units.ts'
import { chapter, type Stage } from './stage.ts'

const customer = 'C-4101'

const invoice = (_: unknown, index: number) => ({
  invoice_id: String(730100 + index),
  date: `2026-${String(10 - (index % 10)).padStart(2, '0')}-01`,
  amount: `$${38 + index}.00`,
  status: index === 0 ? 'Pending' : 'Proccessed',
  invoice_url: `https://invoices.example.com/${730100 + index}.pdf`,
})

export const billingChapters = [
  chapter('Agents', {}, async (stage) => {
    const { ada } = stage
    await stage.take('First page', ada.command('/agents'))
    await stage.take('No matches', ada.command('/agents nobody'))
    const one = await stage.take('One agent', ada.command('/agents hollis'))
    const details = await stage.take('Details, to an administrator', ada.open(one, 'agents.details'))
    await ada.press(details, 'agents.reveal')
    await stage.take('SIP password', ada.sees(details, 'webphone'))
  }),
  chapter('Billing', {}, async (stage) => {
    const { ada } = stage
    await stage.take('The bill', ada.command('/billing'))
    const settings = await stage.take('Access', ada.open('/billing settings'))
    const people = await ada.open(settings, 'billing.settings.who.billing', 'people')
    const refused = { 'billing.people': ['U0GUS1'], administrators: ['U0GUS1'] }
    await stage.take('Access, with mistakes', ada.submit(people, refused))
    await stage.connect(ada, 'quiet')
    await stage.take('A plan and nothing else', ada.command('/billing'))
  }),
  chapter('Billing', { hasOAuth: true }, async (stage) => {
    const { ada } = stage
    await stage.install()
    await stage.connect()
    for (const manager of stage.addChannels()) {
      await stage.fillIn(manager, '/calls alert')
      await manager.command('/calls timezone Europe/London')
    }
    const rules = { administrators: ['U0BEN1'], agents: 'admins' }
    await stage.take('Access, saved', stage.fillIn(ada, '/billing settings', rules))
    await stage.fillIn(ada, '/calls alert')
    await stage.take('Audit log', ada.command('/billing audit'))
  }),
  chapter('Billing posts', {}, async (stage) => {
    const { ada } = stage
    const command = `/billing post <#${stage.channel('finance').id}|finance>`
    const bill = await ada.command('/billing')
    await stage.take('Preview', ada.open(bill, 'command.post'))
    const preview = await ada.open(command)
    await stage.take('Posted', ada.submit(preview, { include: ['card', 'limit'] }))
    await stage.take('The post', stage.posted(stage.channel('finance'), 'Billing'))
    stage.pass(2)
    const warehouse = Object.assign(stage.channel('warehouse'), { isArchived: true })
    const archived = await ada.open(`/billing post <#${warehouse.id}|warehouse>`)
    await stage.take('An archived channel', ada.submit(archived, {}, { force: true }))
  }),
  chapter('Deleting a customer', {}, async (stage) => {
    const { ada, sandbox } = stage
    const form = await stage.take('Confirm', ada.open(`/billing delete-customer ${customer}`))
    const result = Array.from({ length: 64 }, invoice)
    sandbox.faults.next({ kind: 'set', envelope: { result } }, { operation: 'invoices' })
    await stage.take('Deleted', ada.submit(form, { again: customer }))
  }),
]

const support = { where: 'channel', channel: 'C0SUPPORT1' }
const finance = { where: 'channel', channel: 'C0FINANCE1' }
const weekly = { ...finance, rhythm: 'weekly 1', time: '09:00' }

/** Moves the clock to the next Monday, 9:00, when the weekly schedule is due. */
async function due(stage: Stage): Promise<void> {
  await stage.tick(0, 300)
  const weekMs = 7 * 24 * hourMs
  const monday = Date.parse('2026-11-09T08:00:05Z')
  const weeks = Math.max(0, Math.floor((stage.now - monday) / weekMs) + 1)
  stage.pass((monday + weeks * weekMs - stage.now) / 60_000)
}

/** Records the list and the form of one kind of schedule. */
async function listAndForm(stage: Stage, noun: string, prefix: string): Promise<void> {
  const { ada } = stage
  const add = async (values: object) => stage.settled(await stage.fillIn(ada, noun, { ...values }))
  await stage.take('None yet', ada.command(`${noun}s`))
  await stage.take('New schedule', ada.open(noun))
  await add({ ...support, rhythm: 'weekly 1' })
  await stage.take('Saved', add({ ...finance, rhythm: 'monthly first' }))
  const list = await ada.command(`${noun}s`)
  await stage.take('Delete?', ada.open(list, `${prefix}.menu`, 'delete'))
  for (let n = 0; n < 10; n += 1) await add({ ...finance, rhythm: 'monthly last', time: `${10 + n}:00` })
  await stage.take('First page', ada.command(`${noun}s`))
}

export const scheduleChapters = [
  chapter('Scheduled billing posts', {}, (stage) =>
    listAndForm(stage, '/billing schedule', 'billing.schedule'),
  ),
  chapter('Scheduled reports', {}, (stage) => listAndForm(stage, '/calls schedule', 'calls.schedule')),
  chapter('Scheduled billing posts', {}, async (stage) => {
    const { ada } = stage
    await stage.fillIn(ada, '/billing schedule', weekly)
    await due(stage)
    await stage.take('Posted', stage.posted(stage.channel('finance'), 'Bill of'))
    const agents = { no_of_agents: '4', price_per_agent: '$12.50', total_agent_price: '$50.00' }
    const record = { addon: { agents }, total_monthly: '$199.00' }
    stage.sandbox.faults.always({ kind: 'set', record }, { operation: 'billing' })
    await due(stage)
    await stage.take('Posted, with what changed', stage.posted(stage.channel('finance'), 'Changed since'))
  }),
  chapter('Scheduled reports', {}, async (stage) => {
    const { ada } = stage
    await stage.fillIn(ada, '/calls schedule', weekly)
    await due(stage)
    await stage.take('Posted', stage.posted(stage.channel('finance'), 'Scheduled by'))
    stage.sandbox.faults.always({ kind: 'status', status: 401 }, { operation: 'incoming' })
    await due(stage)
    await stage.take('Stopped', stage.posted(ada, 'have stopped'))
    await stage.take('One that stopped', ada.command('/calls schedules'))
  }),
]
