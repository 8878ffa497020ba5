import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })
const whoOf = (area: string) => `billing.settings.who.${area}`
const open = () => app.admin.open('/billing settings')
const choose = (view: View, area: string, who: string) => app.admin.open(view, whoOf(area), who)
const inputs = ({ blocks }: View) =>
  blocks.flatMap(({ type, block_id: id = '' }) => (type === 'input' ? [id] : []))
const values = ({ id }: View) => app.slack.view(id)

it('asks for people where an area is for selected people, and for no others', async () => {
  const settings = await open()
  // Billing is for administrators and whoever connected.
  expect(inputs(settings)).toEqual([
    'calls',
    'recordings',
    'agents',
    'billing',
    'billing.people',
    'exports',
    'administrators',
  ])
  const more = await choose(settings, 'calls', 'people')
  expect(inputs(more)).toContain('calls.people')
  const fewer = await choose(more, 'billing', 'admins')
  expect(inputs(fewer)).toEqual([
    'calls',
    'calls.people',
    'recordings',
    'agents',
    'billing',
    'exports',
    'administrators',
  ])
  expect(values(fewer)?.blocks).toEqual(fewer.blocks)
})

it('keeps what was chosen while a list comes and goes', async () => {
  const { admin, member, slack } = app
  const colleague = slack.addPerson({ name: 'colleague' })
  const settings = await open()
  const exchange = await slack.click(app.url, {
    view: settings,
    action_id: whoOf('calls'),
    choose: 'people',
    values: { agents: 'admins', administrators: [colleague.id] },
    user: admin.user,
  })
  const asked = await exchange.waitForView(1)
  await admin.submit(asked, { 'calls.people': [member.user.id] })
  expect(await member.command('/calls')).toShow('Page 1 of')
  expect(await slack.as(colleague).open('/billing settings')).toShow('Access')
  const outsider = slack.as(slack.addPerson({ name: 'outsider' }))
  expect(await outsider.command('/calls')).toShow('have access to')
  expect(await outsider.command('/agents')).toShow('have access to')
})

it('stays as it was filled in where Slack does not show a list', async () => {
  const { admin, slack } = app
  const settings = await open()
  slack.failNext('views.update', { status: 500 })
  await admin.press(settings, whoOf('calls'), 'people')
  await app.logged('a modal was not updated')
  expect(values(settings)).toEqual(settings)
  // It is asked for when it is saved.
  expect(inputs(await admin.submit(settings, { calls: 'people' }))).toContain('calls.people')
})

it('asks for the people where it is saved before they could be chosen', async () => {
  const { admin, member } = app
  const asked = await admin.submit(await open(), { calls: 'people' })
  expect(inputs(asked)).toContain('calls.people')
  expect(await member.command('/calls')).toShow('Page 1 of')
  // Slack itself asks for them.
  const empty = await admin.submit(asked, {}, { force: true })
  expect(empty.errors).toEqual({ 'calls.people': 'Choose at least one person.' })
  expect(await admin.submit(asked, { 'calls.people': [member.user.id] })).toShow('Saved. Changes apply now.')
})

it('refuses guests and bots below the list that names them', async () => {
  const { admin, member, slack } = app
  const { guest, bot } = slack.people
  const settings = await open()
  const { errors } = await admin.submit(settings, {
    'billing.people': [member.user.id, guest.id],
    administrators: [bot.id],
  })
  expect(errors).toEqual({
    'billing.people': expect.stringContaining("guest isn't a full member"),
    administrators: expect.stringContaining("bot isn't a full member"),
  })
  expect(await member.command('/billing')).toShow('have access to')
})

it('says that it is saved once it is, where Slack is slow to tell who somebody is', async () => {
  const { admin, slack } = app
  const settings = await open()
  const colleague = slack.addPerson({ name: 'colleague' })
  // The administrator's own role comes first.
  slack.failNext('users.info', {})
  slack.failNext('users.info', { delayMs: 2200 })
  expect(await admin.submit(settings, { administrators: [colleague.id] })).toShow('Saving…')
  await admin.sees(settings, 'Saved. Changes apply now.')
  expect(await slack.as(colleague).open('/billing settings')).toShow('Access')
})

describe.each([
  ['is not JSON', "'no JSON'"],
  ['lacks its envelope', "json_extract(value, '$.value')"],
  ['has a malformed field', "json_set(value, '$.value.calls.who', 'nobody')"],
])('access rules whose record %s', (_, spoiled) => {
  it('deny everyone except administrators until someone saves them again', async () => {
    const { admin, member, slack } = app
    const named = slack.as(slack.addPerson({ name: 'named' }))
    await admin.submit(await open(), { administrators: [named.user.id] })
    expect(await named.command('/billing')).toShow('Billing')
    await app.restart(() => {
      const db = new DatabaseSync(app.storePath)
      db.exec(`UPDATE callboard_store SET value = ${spoiled} WHERE namespace = 'access'`)
      db.close()
    })
    for (const person of [member, named])
      for (const command of ['/calls', '/agents', '/billing', '/calls export', '/callboard access'])
        expect(await person.command(command)).toShow('an admin or owner of this workspace')
    await app.logged(`"namespace":"access","row":"/${slack.workspace.teamId}"`)
    expect(await admin.command('/calls')).toShow('Page 1 of')
    const settings = await open()
    expect(inputs(settings)).toEqual([
      'calls',
      'recordings',
      'agents',
      'billing',
      'exports',
      'administrators',
    ])
    await admin.submit(settings, { calls: 'everyone' })
    expect(await member.command('/calls')).toShow('Page 1 of')
    expect(await member.command('/agents')).toShow('an admin or owner of this workspace')
  })
})
