import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { rowsOf } from '../../support/shown.ts'

describe('/billing', () => {
  const app = useApp({ connected: true })

  it('shows plan, add-ons, payment, next date and total, and that they add up', async () => {
    const { admin } = app
    const billing = await admin.command('/billing')
    expect(billing).toShow(
      'Business Plus',
      '424242******4242',
      '$500.00',
      'Normal',
      'Germany',
      'add up to $',
      'in ',
    )
    expect(JSON.stringify(billing)).toMatch(/\d{1,2} [A-Z][a-z]{2} \d{4}, (in \d+ days?|today)/)
    // What the figures are of, too.
    expect(billing).toShow('3 agents at $12.50 = $37.50', '25GB at $0.35 a GB = $8.75', '2 CRM = $30.00')
    expect(await admin.command('/callboard')).toShow('Callboard')
    expect(await admin.command('/callboard billing')).toShow('Business Plus')
  })

  it('points a difference out', async () => {
    await app.connect(app.sandbox.accounts.quiet)
    expect(await app.admin.command('/billing')).toShow('a difference of £0.45')
  })

  it('names what it does not understand, and helps', async () => {
    const { admin, sandbox } = app
    sandbox.requests.clear()
    expect(await admin.command('/billing now')).toShow('is not understood')
    expect(await admin.command('/billing help')).toShow('/billing settings')
    expect(sandbox.requests.count()).toBe(0)
  })

  it('apologizes where the service fails, with a way to try again', async () => {
    const { admin, sandbox } = app
    sandbox.faults.next({ kind: 'html' }, { times: 3, operation: 'billing' })
    const failed = await admin.command('/billing')
    expect(failed).toShow("isn't responding")
    expect(await admin.click(failed, 'billing.refresh')).toShow('Business Plus')
  })
})

describe('who may see what', () => {
  const listeners = useApp({
    connected: true,
    config: { recordingsBaseUrl: 'https://recordings.example.com/' },
  })
  const app = useApp({ connected: true })

  const save = async (values: Parameters<Actor['submit']>[1]) =>
    app.admin.submit(await app.admin.open('/billing settings'), values)

  it('is admins and the person who connected for billing, everyone for the rest', async () => {
    const { member, slack } = app
    expect(await member.command('/billing')).toShow('Ask an admin or owner of this workspace for access')
    expect(await slack.as(slack.people.owner).command('/billing')).toShow('Business Plus')
    expect(await member.command('/calls')).toShow('Page 1 of')
    expect(await member.command('/billing settings')).toShow('Only administrators can do that')
    expect(await member.command('/billing audit')).toShow('Only administrators can do that')
  })

  it('is changed by an admin, at once, for buttons that are there already too', async () => {
    const { admin, member } = app
    const before = await member.command('/calls')
    const wrong = await save({ billing: 'people', 'billing.people': null })
    expect(wrong.errors).toMatchObject({ 'billing.people': expect.any(String) })
    await save({ calls: 'admins', billing: 'people', 'billing.people': [member.user.id] })
    expect(await member.command('/billing')).toShow('Business Plus')
    expect(await member.command('/calls')).toShow("Calls aren't shown to everyone")
    expect(await member.click(before, 'calls.page.next')).toShow("Calls aren't shown to everyone")
    expect(await admin.command('/calls')).toShow('Page 1 of')
    expect(await admin.command('/billing audit')).toShow(
      'settings, calls admins, agents everyone, billing 1 people, recordings everyone',
    )
    await save({ calls: 'everyone' })
    expect(await member.command('/calls')).toShow('Page 1 of')
  })

  it('is for recordings a rule of its own: without it one shows as there, with no link to it', async () => {
    const { admin, member } = listeners
    const listen = async (actor: Actor) => (await actor.command('/calls')).blocks
    const link = 'https://recordings.example.com/'
    expect(JSON.stringify(await listen(member))).toContain(link)
    const settings = await admin.open('/billing settings')
    await admin.submit(settings, { recordings: 'admins' })
    const ofMember = await member.command('/calls')
    expect(ofMember).not.toShow(link)
    expect(rowsOf(ofMember).map((row) => row.at(-1))).toContain('Yes')
    expect(JSON.stringify(await listen(admin))).toContain(link)
    await admin.submit(await admin.open('/billing settings'), {
      recordings: 'people',
      'recordings.people': [member.user.id],
    })
    expect(JSON.stringify(await listen(member))).toContain(link)
  })

  it('is nothing for guests, whatever the rules say', async () => {
    const { member, slack } = app
    await save({ billing: 'everyone' })
    expect(await slack.as(slack.people.guest).command('/billing')).toShow('full members')
    expect(await member.command('/billing')).toShow('Business Plus')
  })
})
