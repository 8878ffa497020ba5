import { expect, it } from 'vitest'
import { z } from 'zod'
import type { View } from '../../../dev/slack/slack.ts'
import { Repository } from '../../../src/store/engine/repository.ts'
import { tenantKey } from '../../../src/store/tenant.ts'
import { useApp } from '../../support/app.ts'
import { editStore } from '../../support/edit-store.ts'

const app = useApp({ connected: true })
const getWhoId = (area: string) => `billing.settings.who.${area}`
const open = () => app.admin.open('/billing settings')
const choose = (view: View, area: string, who: string) => app.admin.open(view, getWhoId(area), who)
const inputs = ({ blocks }: View) =>
  blocks.flatMap(({ type, block_id: id = '' }) => (type === 'input' ? [id] : []))

it('shows a list of people for each area that is for selected people', async () => {
  const settings = await open()
  // By default, billing is for administrators and the person who connected the account.
  const shown = 'calls recordings agents billing billing.people exports administrators'
  expect(inputs(settings).join(' ')).toBe(shown)
  const more = await choose(settings, 'calls', 'people')
  expect(inputs(more)).toContain('calls.people')
  const fewer = await choose(more, 'billing', 'admins')
  expect(inputs(fewer).join(' ')).toBe('calls calls.people recordings agents billing exports administrators')
})

it('keeps all choices when a list appears', async () => {
  const { admin, member, slack } = app
  const colleague = slack.addPerson({ name: 'colleague' })
  const settings = await open()
  const values = { agents: 'admins', administrators: [colleague.id] }
  const click = { action_id: getWhoId('calls'), choose: 'people', values, user: admin.user }
  const exchange = await slack.click(app.url, { view: settings, ...click })
  const asked = await exchange.waitForView(1)
  await admin.submit(asked, { 'calls.people': [member.user.id] })
  expect(await member.command('/calls')).toShow('Page 1 of')
  expect(await slack.as(colleague).open('/billing settings')).toShow('Access')
  const outsider = slack.as(slack.addPerson({ name: 'outsider' }))
  expect(await outsider.command('/calls')).toShow('have access to')
  expect(await outsider.command('/agents')).toShow('have access to')
})

it('asks for the people if the form is saved before their list appeared', async () => {
  const { admin, member } = app
  const asked = await admin.submit(await open(), { calls: 'people' })
  expect(inputs(asked)).toContain('calls.people')
  expect(await member.command('/calls')).toShow('Page 1 of')
  // Slack submits no form without selected people, so the test forces it.
  expect(inputs(await admin.submit(asked, {}, { force: true }))).toContain('calls.people')
  const saved = await admin.submit(asked, { 'calls.people': [member.user.id] })
  expect(saved).toShow('Saved. Changes apply', `Administrators and <@${member.user.id}>: calls, exports.`)
})

it('denies everyone except administrators if the rules are unreadable, until someone saves them again', async () => {
  const { admin, member, slack } = app
  const named = slack.as(slack.addPerson({ name: 'named' }))
  await admin.submit(await open(), { administrators: [named.user.id] })
  expect(await named.command('/billing')).toShow('Billing')
  await editStore(app, ({ database }) =>
    new Repository(database, 'access', z.unknown()).set({ calls: 'nobody' }, tenantKey(slack.workspace)),
  )
  for (const person of [member, named])
    for (const command of ['/calls', '/agents', '/billing', '/calls export', '/callboard access'])
      expect(await person.command(command)).toShow('an admin or owner of this workspace')
  await app.logged(`"namespace":"access","row":"/${slack.workspace.teamId}"`)
  expect(await admin.command('/calls')).toShow('Page 1 of')
  const settings = await open()
  expect(inputs(settings)).not.toContain('billing.people')
  await admin.submit(settings, { calls: 'everyone' })
  expect(await member.command('/calls')).toShow('Page 1 of')
  expect(await member.command('/agents')).toShow('an admin or owner of this workspace')
  expect(await member.command('/calls export')).toShow("You can't export calls")
})
