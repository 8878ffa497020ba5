import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { Alerts, toOption } from './alerts.ts'

const app = useApp({ connected: true })
const alerts = new Alerts(app)

const getInputs = (view: View) =>
  view.blocks.flatMap(({ type, block_id }) => (type === 'input' ? [block_id] : []))

const getLabel = (label: unknown) => z.object({ text: z.string() }).parse(label).text

/** Names two of the account's lines as an administrator. */
async function nameLines(...names: string[]) {
  const modal = await app.admin.open('/calls lines')
  const numbers = modal.blocks
    .filter(({ type }) => type === 'input')
    .map(({ label }) => getLabel(label).replaceAll(' ', ''))
  await app.admin.submit(modal, Object.fromEntries(names.map((name, index) => [`line-${index}`, name])))
  return numbers
}

describe('the form of an alert', () => {
  it('asks where, for which lines and when, and says what will happen', async () => {
    const { member, slack } = app
    const form = await member.open('/calls alert')
    expect(form).toShow('Missed-call alert', 'In a channel', 'Post after how many missed calls?')
    const hours = ['from', 'to', 'weekdays']
    const reminders = ['remind', 'mention', 'broadcast']
    const inputs = ['where', 'channel', 'lines', 'calls', 'minutes', ...hours, ...reminders]
    expect(getInputs(form)).toEqual(inputs)
    expect(JSON.stringify(form.blocks)).toContain(`"initial_conversation":"${slack.general.id}"`)
    expect(await member.submit(form)).toShow('Saved.', `<#${slack.general.id}>: each missed call`)
    const [kept] = await alerts.kept()
    expect(kept).toMatchObject({ channel: slack.general.id, owner: member.user.id, lines: [] })
    expect(Math.abs((kept?.since ?? 0) - Date.now())).toBeLessThan(10_000)
    expect(kept).not.toHaveProperty('threshold')
    expect(kept).not.toHaveProperty('hours')
    const audit = await alerts.audit()
    expect(audit).toShow(`<@${member.user.id}> set up an alert in <#${slack.general.id}>: each missed call`)
  })

  it("suggests the account's lines, named ones first", async () => {
    const { member, sandbox } = app
    const [first = '', second = ''] = await nameLines('Sales Berlin', 'Support')
    const { lively } = sandbox.accounts
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: 'seen', number: '+441214960077' })
    app.clock.ahead = 11 * 60_000
    const form = await member.open('/calls alert')
    const offered = await member.suggest(form, 'calls.line', '')
    const numbers = offered.map(({ value }) => value)
    expect(numbers).toEqual(expect.arrayContaining([first, second, '+441214960077']))
    expect(offered[0]?.text.text).toContain('Sales Berlin · +')
    const [support, ...others] = await member.suggest(form, 'calls.line', 'support')
    expect(others).toEqual([])
    const [seen] = await member.suggest(form, 'calls.line', '496 0077')
    const lines = [support!, seen!]
    expect(await member.submit(form, { lines })).toShow('Saved.', 'each missed call on Support or +44 121')
    expect((await alerts.kept())[0]?.lines).toEqual([second, '+441214960077'])
    const home = await app.admin.openHome()
    expect(home).toShow('each missed call on Support or +44 121')
    await nameLines('Sales Berlin', 'Help')
    await app.admin.sees(home, 'each missed call on Help or +44 121')
  })
})

describe('a threshold', () => {
  it('is repeated in the confirmation if it is more than one call, up to the highest of its range', async () => {
    const saved = await alerts.add({ calls: '100', minutes: '60', remind: '15' })
    const title = `<#${app.slack.general.id}>: 100 or more missed calls within 60 minutes`
    expect(saved).toShow(title, 'reminds after 15 minutes')
    expect((await alerts.kept())[0]?.threshold).toEqual({ calls: 100, minutes: 60 })
    const changed = await alerts.change({ calls: '1', remind: '0' })
    expect(changed).toShow('Saved.', ': each missed call')
    expect(changed).not.toShow('reminds')
  })

  it.each([
    ['0', '0'],
    ['101', '61'],
    ['2.5', '1e2'],
    ['-3', 'ten'],
  ])('outside its range has an error below it: %s calls, %s minutes', async (calls, minutes) => {
    expect((await alerts.add({ calls, minutes })).errors).toEqual({
      calls: 'Enter a whole number from 1 to 100.',
      minutes: 'Enter a whole number from 1 to 60.',
    })
    expect(await alerts.kept()).toEqual([])
  })
})

describe('hours', () => {
  it('are repeated in the confirmation', async () => {
    const { member } = app
    await member.command('/calls timezone Europe/Berlin')
    const form = await member.open('/calls alert')
    expect(form).toShow("In the channel's time zone, or the workspace's for direct messages.")
    const { errors } = await member.submit(form, { weekdays: [] }, { force: true })
    expect(errors).toEqual({ weekdays: 'Choose at least one day.' })
    const saved = await member.submit(form, { weekdays: ['4', '2', '1', '3'], from: '08:30', to: '18:00' })
    expect(saved).toShow('Monday to Thursday 08:30–18:00 (Europe/Berlin)')
    expect((await alerts.kept())[0]?.hours).toEqual({ weekdays: [1, 2, 3, 4], from: '08:30', to: '18:00' })
    expect(await alerts.list()).toShow('Monday to Thursday 08:30–18:00 (Europe/Berlin)')
    // Until the next day.
    const weekend = await alerts.change({ weekdays: ['6', '7'], from: '22:00', to: '06:00' })
    expect(weekend).toShow('Saturday and Sunday 22:00–06:00')
  })

  it('with the same start and end last all day, and are omitted if they apply every day', async () => {
    expect(await alerts.add({ weekdays: ['6', '7'] })).toShow('Saturday and Sunday, all day (Europe/Berlin)')
    const everyDay = ['1', '2', '3', '4', '5', '6', '7']
    expect(await alerts.change({ weekdays: everyDay })).toShow('At any time')
    expect((await alerts.kept())[0]).not.toHaveProperty('hours')
  })
})

describe('the channel', () => {
  it('is preselected if the command names it; in a direct message, the alert goes there', async () => {
    const { member, slack } = app
    const board = slack.addChannel({ name: 'board' })
    const named = await member.open(`/calls alert <#${board.id}|board>`)
    expect(await member.submit(named)).toShow(`<#${board.id}>: each`)
    // The suggestion keeps the channel.
    const unknown = await member.command(`/calls alert <#${board.id}|board> missed`)
    expect(unknown).toShow(`I didn't understand "missed". Did you mean /calls alert #board?`)
    const isOptional = ({ blocks }: View) => blocks.find(({ block_id }) => block_id === 'channel')?.optional
    expect(isOptional(named)).toBeUndefined()
    const direct = slack.addChannel({ name: 'directmessage', id: 'D0DIRECT' })
    const form = await slack.as(member.user, { channel: direct }).open('/calls alert')
    expect(JSON.stringify(form.blocks)).not.toContain('initial_conversation')
    expect(isOptional(form)).toBe(true)
    expect(await member.submit(form)).toShow(`Direct messages to <@${member.user.id}>: each`)
  })

  it('must not be shared, and Callboard must be able to join', async () => {
    const { member, slack } = app
    const away = slack.addChannel({ name: 'away', isMember: false })
    const shared = slack.addChannel({ name: 'shared', isExtShared: true })
    const form = await member.open('/calls alert')
    const refusal = async (id: string) => (await member.submit(form, { channel: id })).errors['channel']
    slack.failNext('conversations.join', { body: { ok: false, error: 'missing_scope' } })
    expect(await refusal(away.id)).toContain("Callboard isn't in that channel. Invite it there")
    expect(await refusal(shared.id)).toContain('That channel is shared with another company')
    slack.failNext('conversations.join', { body: { ok: false, error: 'team_access_not_granted' } })
    expect(await member.submit(form, { channel: away.id })).toShow("isn't installed in your workspace")
    expect(await alerts.kept()).toEqual([])
  })
})

it('joins a public channel when an alert is saved, and no other', async () => {
  const { member, slack } = app
  const away = slack.addChannel({ name: 'away', isMember: false })
  const hidden = slack.addChannel({ name: 'hidden', isMember: false, isPrivate: true })
  const elsewhere = slack.addChannel({ name: 'elsewhere', isMember: false, members: [app.admin.user.id] })
  const form = await member.open('/calls alert')
  for (const { id } of [hidden, elsewhere])
    expect((await member.submit(form, { channel: id })).errors).toHaveProperty('channel')
  expect(await member.submit(form, { channel: away.id })).toShow(`<#${away.id}>: each`)
  expect([away, hidden, elsewhere].map(({ isMember }) => isMember)).toEqual([true, false, false])
})

it("editing another person's alert makes the editor its owner", async () => {
  const { admin, member, slack } = app
  const threshold = { calls: '3', minutes: '20' }
  const hours = { from: '08:30', to: '18:00', weekdays: ['1'] }
  const reminders = { remind: '15', mention: [admin.user.id], broadcast: ['channel'] }
  await alerts.add({ lines: toOption('+442079460042'), ...threshold, ...hours, ...reminders })
  const [before] = await alerts.kept()
  app.clock.ahead = 60_000
  const other = slack.addChannel({ name: 'board' })
  expect(await alerts.change({ channel: other.id }, admin)).toShow(`<#${other.id}>: 3 or more missed calls`)
  // All else stays.
  expect(await alerts.kept()).toEqual([{ ...before, channel: other.id, owner: admin.user.id }])
  expect(await alerts.audit()).toShow(`<@${admin.user.id}> changed an alert in <#${other.id}>: 3 or more`)
  expect(await alerts.audit()).toShow('within 20 minutes, Monday 08:30–18:00')
  const stale = await member.open(await alerts.list(), 'calls.alert.menu', 'Edit…')
  await alerts.delete(await alerts.list())
  expect(await member.submit(stale)).toShow('already deleted')
})
