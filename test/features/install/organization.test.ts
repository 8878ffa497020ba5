import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { Browser, organization, withOAuth } from '../../support/oauth.ts'
import { getButtons, getRows } from '../../support/shown.ts'

const app = useApp(withOAuth)

/** Two workspaces of an organization with an account each, and a person of the second one to whom Slack assigns the first. */
async function installed() {
  const { slack, sandbox } = app
  const [first, second] = [slack.addTeam(organization), slack.addTeam(organization)]
  const admin = slack.as(first.people.admin)
  const otherAdmin = slack.as(slack.join(admin.user, second.team))
  await new Browser(slack).install({ team: first.team, user: admin.user, isOrganization: true })
  await app.connect(sandbox.accounts.quiet, admin)
  await app.connect(sandbox.accounts.lively, otherAdmin)
  const teams = [first.team.teamId, second.team.teamId]
  const roles = { is_admin: false, is_owner: false }
  const enterprise = { id: 'W0EVE', enterprise_id: 'E0ORG', enterprise_name: 'Org', ...roles, teams }
  const names = { name: 'eve', team_id: first.team.teamId, enterprise_user: enterprise }
  const eve = slack.as(slack.addPerson(names, second.team))
  return { slack, admin, otherAdmin, second: second.team, eve }
}

it('keeps a click in the workspace of its message, even if Slack names another one for the person', async () => {
  const { eve } = await installed()
  const message = await eve.command('/calls')
  const [first, ...rows] = getRows(message)
  expect(rows.length).toBe(19)
  const next = await eve.click(message, 'calls.page.next')
  expect(next).toShow('Page 2 of', '21–40')
  expect(getRows(next)).not.toContainEqual(first)
  expect(getRows(await eve.click(next, 'calls.page.first'))).toEqual([first, ...rows])

  await eve.submit(await eve.open(next, 'calls.filter'), { direction: 'outgoing' })
  expect(await eve.sees(next, 'Page 1 of')).toShow('Outgoing calls')
  expect(await eve.click(await eve.command('/agents'), 'agents.page.next')).toShow('Page 2 of')
  // A button beside text.
  const mine = await eve.click(await eve.command('/calls mine'), 'calls.me.0')
  expect(await eve.open(mine, 'calls.me-other')).toShow('Which agent are you?')
})

it('keeps a click and a form in the workspace of its message, even if the payload names another one', async () => {
  const { slack, eve } = await installed()
  const message = await eve.command('/calls')
  const team = { id: eve.user.team_id, domain: 'first', enterprise_id: 'E0ORG' }
  await slack.click(app.url, { message, action_id: 'calls.page.next', user: eve.user, fields: { team } })
  await expect.poll(() => slack.message(message.ts)).toShow('Page 2 of')
  const view = await eve.open(slack.message(message.ts)!, 'calls.filter')
  await slack.submit(app.url, { view, user: eve.user, values: { direction: 'outgoing' }, fields: { team } })
  expect(await eve.sees(message, ' outgoing calls')).toShow('Page 1 of')
})

it('exports the same calls for a person in two workspaces at once', async () => {
  const { slack, admin, otherAdmin } = await installed()
  slack.failNext('chat.postMessage', { delayMs: 300 })
  const answers = await Promise.all([admin, otherAdmin].map((by) => by.command('/calls export')))
  for (const answer of answers) expect(answer).toShow('Exporting')
  await app.jobsDone()
})

it('finds the installation of the organization in every field where Slack names it', async () => {
  const { slack, eve, second } = await installed()
  const message = { text: 'Call +44 20 7946 0042 back' }
  const choice = { callback_id: 'calls.find-number', message, user: eve.user }
  for (const fields of [{ enterprise: null }, { team: null }, { team: { id: second.teamId, domain: 'x' } }]) {
    const opened = await slack.shortcut(app.url, { ...choice, fields })
    await eve.sees(await opened.waitForView(), 'calls to +44 20 7946 0042')
  }
  const event = { type: 'app_home_opened', user: eve.user.id, tab: 'home' }
  await slack.event(app.url, event, { team: second, fields: { enterprise_id: undefined } })
  expect(await slack.waitFor(() => slack.home(eve.user))).toShow('Find calls…')
  // Without a workspace, there is no tab to show.
  await slack.event(app.url, event, { fields: { team_id: 'E0ORG', authorizations: undefined } })
  await app.logged('"outcome":"not-installed"')
})

it('finds a channel by name only in the workspace of the command', async () => {
  const { slack, admin, otherAdmin, second } = await installed()
  slack.addChannel({ name: 'finance' }, second)
  expect(await otherAdmin.open('/billing post finance')).not.toShow("couldn't find")
  expect(await admin.open('/billing post finance')).toShow("couldn't find a channel")
})

it('refuses a click that names no workspace on a message that names none', async () => {
  const { slack, eve } = await installed()
  const message = await eve.command('/calls')
  const asked = app.sandbox.requests.entries().length
  const value = getButtons(message).find(({ action_id }) => action_id === 'calls.page.next')?.value ?? ''
  const action = { action_id: 'calls.page.next', value, block_id: 'calls.paging|12345678' }
  const exchange = await slack.clickRaw(app.url, { message, action, user: eve.user })
  expect(await exchange.waitForMessage()).toShow("can't be used any more")
  expect(slack.message(message.ts)).toShow('Page 1 of')
  expect(app.sandbox.requests.entries().length).toBe(asked)
})
