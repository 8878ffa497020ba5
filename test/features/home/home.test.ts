import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { View } from '../../../dev/slack/slack.ts'
import { hourMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true, config: { supportUrl: 'https://help.example.com/' } })

/** Returns the action ids of a view, without the unreached numbers, which aren't there on every day. */
const getActions = ({ blocks }: View) =>
  elementsIn(blocks)
    .map(({ element }) => element.action_id)
    .filter((id) => id !== 'command.unreached')

const openFromHome = async (action: string, by = app.member) => by.open(await by.openHome(), action)

describe('the home tab', () => {
  it('shows members their functions, and guests why they have none', async () => {
    const { member, slack, admin } = app
    const lookUp = ['command.missed-today', 'calls.find', 'command.report', 'command.agents']
    const home = await member.openHome()
    expect(home).toShow('Only you can see this.', 'Europe/Berlin (UTC', 'Admins and owners')
    const planning = ['calls.alert.new', 'calls.schedule.new', 'command.help']
    expect(getActions(home).toSorted()).toEqual([...lookUp, ...planning].toSorted())
    expect(home).not.toShow('For administrators')
    expect(JSON.stringify(home)).toContain('<https://help.example.com/|Get support>')
    await admin.submit(await admin.open('/billing settings'), { billing: 'everyone', agents: 'admins' })
    const withBilling = getActions(await member.openHome())
    expect(withBilling.slice(0, 4)).toEqual([...lookUp.slice(0, 3), 'command.billing'])
    expect(withBilling).toContain('billing.schedule.new')
    const ofGuest = await slack.as(slack.people.guest).openHome()
    expect(ofGuest).toShow('full members')
    expect(getActions(ofGuest)).toEqual([])
  })

  it('runs the commands of its buttons, and answers in a modal', async () => {
    // The account may have missed calls today or not.
    expect(await openFromHome('command.missed-today')).toShow('issed ')
    const { from, to, status } = app.sandbox.requests.entries('incoming').at(-1)?.params ?? {}
    expect(status).toBe('Not Answered')
    expect(from).toBe(to)
    expect(await openFromHome('command.agents')).toShow('13 agents')
    const filter = await openFromHome('calls.find')
    await app.member.submit(filter, { direction: 'outgoing' })
    await app.member.sees(filter, 'outgoing calls')
  })

  it('shows a report in the Messages tab', async () => {
    const { member, slack } = app
    const report = await openFromHome('command.report')
    expect(await member.sees(report, 'Show report')).toShow("The report is in Callboard's *Messages* tab.")
    // Nothing else is in that tab.
    const [message, ...others] = slack.messages()
    expect([message?.onlyFor, others]).toEqual([undefined, []])
    expect(message).toShow(' calls, ', ' · As of ')
    expect(JSON.stringify(report.blocks)).toContain(message!.ts.replace('.', ''))
    const byHour = await member.click(message!, 'report.by', 'hour')
    expect([byHour.ts, byHour.channel]).toEqual([message?.ts, message?.channel])
    expect(byHour).toShow('by hour')
    slack.failNext('chat.getPermalink', { status: 503, body: {} })
    await member.sees(await openFromHome('command.report'), "The report is in Callboard's *Messages* tab.")
  })

  it('shows in the modal that there is nothing to report, and an error', async () => {
    const { member, sandbox, slack } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record: '0', result: [] } })
    expect(await member.sees(await openFromHome('command.report'), 'Filter…')).toShow('No incoming calls ')
    sandbox.faults.clear()
    sandbox.faults.always({ kind: 'status', status: 500 }, { operation: 'incoming' })
    app.clock.ahead += hourMs
    const failed = await openFromHome('command.report')
    expect(await member.sees(failed, 'Try again')).toShow("The phone service isn't responding.")
    sandbox.faults.clear()
    for (const fault of [{ body: { ok: false, error: 'messages_tab_disabled' } }, { cut: true }]) {
      slack.failNext('chat.postMessage', fault)
      expect(await member.sees(await openFromHome('command.report'), 'Ref ')).not.toShow('The report is in')
    }
    expect(slack.messages()).toEqual([])
  })

  it('shows administrators the access, schedules and what can be changed, and follows each change', async () => {
    const { admin, slack } = app
    const home = await admin.openHome()
    expect(home).toShow('Everyone: calls, recordings', 'Administrators: billing')
    expect(home).toShow('No billing posts are scheduled yet.', 'No missed-call alerts yet.')
    await admin.sees(home, 'Today: ')
    const schedule = await admin.open(home, 'billing.schedule.new')
    await admin.submit(schedule, { where: 'channel', channel: slack.general.id })
    const scheduled = await admin.sees(home, 'Scheduled billing posts (1)')
    expect(scheduled).toShow(`<#${slack.general.id}>, each billing date`, 'Next: ', 'Today: ')
    await admin.submit(await admin.open(scheduled, 'billing.settings'), { agents: 'admins' })
    await admin.sees(scheduled, 'Administrators: agents, billing')
    expect(await admin.open(scheduled, 'command.lines')).toShow('Name your lines')
    expect(await admin.open(scheduled, 'command.help')).toShow('/calls')
    expect(await admin.open(scheduled, 'command.full-log')).toShow('Audit log')
  })

  it("counts today's calls, with three requests a minute at most", async () => {
    const { member, sandbox, clock } = app
    sandbox.requests.clear()
    expect(JSON.stringify(await member.openHome())).toMatch(/Today: [\d,]+ calls?, [\d,]+ missed/)
    const [all, missed] = sandbox.requests.entries('incoming').map(({ params }) => params)
    expect([all?.['status'], missed?.['status']]).toEqual([undefined, 'Not Answered'])
    expect(all?.['from']).toBe(all?.['to'])
    await member.openHome()
    expect(sandbox.requests.count()).toBe(3)
    clock.ahead += minuteMs + 1000
    await member.openHome()
    expect(sandbox.requests.count()).toBe(6)
  })

  it('is published without counts if the phone service is slow or fails, and with them once it replies', async () => {
    const { admin, member, sandbox } = app
    const { promise: until, resolve } = Promise.withResolvers<void>()
    sandbox.faults.next({ kind: 'hold', until }, { times: 2, operation: 'incoming' })
    const home = await member.openHome()
    expect(home).toShow("Today's calls", 'Missed today')
    // Subscriptions may change meanwhile, and the person may lose access.
    expect(await member.submit(await member.open('/calls schedule'), { where: 'direct' })).toShow('Saved')
    await admin.submit(await admin.open('/billing settings'), { agents: 'admins' })
    resolve()
    const complete = await member.sees(home, 'Today: ')
    expect(complete).toShow(' missed', 'Scheduled call reports (1)')
    expect(getActions(complete)).not.toContain('command.agents')
    app.clock.ahead += minuteMs + 1000
    sandbox.faults.always({ kind: 'status', status: 400 }, { operation: 'incoming' })
    expect(await member.openHome()).toShow("Today's calls", 'Find calls…')
  })

  it.each([
    ['no longer accepts the API key and secret', 401, true],
    ["isn't responding", 503, false],
  ])('says that the service %s', async (words, status, isReplaceOffered) => {
    const { admin, sandbox, clock } = app
    await admin.sees(await admin.openHome(), 'replied just now')
    clock.ahead += minuteMs + 1000
    sandbox.faults.always({ kind: 'status', status })
    const home = await admin.sees(await admin.openHome(), `⚠ The phone service ${words}.`)
    expect(getActions(home).includes('setup.connect')).toBe(isReplaceOffered)
    sandbox.faults.clear()
    const connected = '✓ Connected. The phone service replied'
    await expect.poll(() => admin.openHome(), { timeout: 10_000 }).toShow(connected)
  })
})

describe('the home tab of a workspace without an account', () => {
  const unconnected = useApp()

  it('offers only administrators to connect, tells members so, and follows', async () => {
    const { admin, sandbox } = unconnected
    const home = await admin.openHome()
    expect(home).toShow("isn't connected to your phone account.", 'Connect…')
    expect(home).not.toShow('Only you can', 'Today', 'Missed today', 'New…', 'Name lines…', 'Disconnect')
    const ofMember = await unconnected.member.openHome()
    expect(ofMember).toShow("isn't connected to your phone account.", 'An administrator')
    const primary = elementsIn(home.blocks).filter(({ element }) => element.style === 'primary')
    expect(primary.map(({ element }) => element.action_id)).toEqual(['setup.connect'])
    const { key, secret } = sandbox.accounts.lively
    await admin.submit(await admin.open(home, 'setup.connect'), { key, secret })
    expect(await admin.sees(home, '✓ Connected.')).not.toShow(key)
    await admin.click(await admin.command('/callboard forget'), 'lifecycle.forget')
    await admin.sees(home, "isn't connected")
  })
})
