import { expect, it } from 'vitest'
import type { User } from '../../../dev/slack/slack.ts'
import { noPersonText, noWorkspaceText } from '../../../src/features/slackbot/routes.ts'
import { NotAllowedError } from '../../../src/slack/access/access-rules.ts'
import { allTools, createSlackbot } from '../../features/slackbot/slackbot.ts'
import { useApp } from '../../support/app.ts'
import { findNumber } from '../../support/find-number.ts'
import { registeredRoutes, withServices } from '../../support/routes.ts'
import { events, type Need, refusals, roles } from './route-table.ts'

const app = useApp({ connected: true })
const routes = await registeredRoutes()

interface Somebody {
  readonly name: string
  readonly user: User
  readonly may: readonly Need[]
}

const all: readonly Need[] = ['member', 'admin', 'calls', 'export', 'agents', 'billing']

/** One person for each set of permissions: calls and agents are for admins here, billing also for one member. */
async function people(): Promise<Somebody[]> {
  const { slack, admin, member } = app
  const modal = await admin.open('/billing settings')
  const values = { calls: 'admins', agents: 'admins', billing: 'people', 'billing.people': [member.user.id] }
  await admin.submit(modal, values)
  return [
    { name: 'a guest', user: slack.people.guest, may: [] },
    { name: 'a member', user: slack.addPerson({ name: 'colleague' }), may: ['member'] },
    { name: 'a member who may see billing', user: member.user, may: ['member', 'billing'] },
    { name: 'an admin', user: admin.user, may: all },
  ]
}

/** Other people who may click or type; each of them is treated like one of those four. */
function otherPeople(): Somebody[] {
  const { owner, ultraGuest, stranger, deleted, bot } = app.slack.people
  const allRoles = { is_admin: true, is_owner: true }
  const enterprise_user = { id: 'W1', enterprise_id: 'E1', enterprise_name: 'Org', ...allRoles, teams: [] }
  const fields = { name: 'foreigner', team_id: 'T0OTHER', ...allRoles, enterprise_user }
  return [
    { name: 'a guest of one channel', user: ultraGuest, may: [] },
    { name: 'a stranger of a shared channel', user: stranger, may: [] },
    { name: "another workspace's admin", user: app.slack.addPerson(fields), may: [] },
    { name: 'somebody who was deactivated', user: deleted, may: [] },
    { name: 'a bot', user: bot, may: [] },
    { name: 'an owner', user: owner, may: all },
  ]
}

const asked = () => app.sandbox.requests.entries().length

it('lists every route in the table', () => {
  const registered = {
    commands: routes.commands.map(({ command, word }) => [command, word].filter(Boolean).join(' ')),
    actions: routes.actions.map(({ action, option }) => [action, option].filter(Boolean).join(' ')),
    tools: allTools.map(({ name }) => name),
    shortcuts: routes.shortcuts.map(({ shortcut }) => shortcut),
    submissions: routes.submissions.map(({ view }) => view),
    options: routes.options.map(({ action }) => action),
  }
  for (const [kind, table] of Object.entries(roles))
    expect(registered[kind as keyof typeof roles].toSorted(), kind).toEqual(Object.keys(table).toSorted())
  expect(routes.events.map(({ event }) => event).toSorted()).toEqual(events.toSorted())
})

it('the guards check each permission for all kinds of people', async () => {
  const env = { SLACK_BOT_TOKEN: app.slack.botToken, SLACK_API_URL: app.slack.apiUrl }
  await withServices(env, async ({ guards }) => {
    const team = { enterpriseId: undefined, teamId: app.slack.workspace.teamId }
    for (const { name, user, may } of otherPeople())
      for (const need of all) {
        const answer = await guards.admit(team, user.id, need).then(
          () => 'let in',
          (error: unknown) => error instanceof NotAllowedError && error.needs,
        )
        expect([name, need, answer]).toEqual([name, need, may.includes(need) ? 'let in' : 'member'])
      }
  })
})

/** Sends a submission or a menu's search that the app never offered. */
async function forge(user: User, payload: object): Promise<string> {
  const { teamId } = app.slack.workspace
  const common = { user: { id: user.id }, team: { id: teamId, domain: 'x' }, api_app_id: 'A1', token: 'x' }
  const body = new URLSearchParams({ payload: JSON.stringify({ ...common, ...payload }) })
  return (await app.slack.raw(app.url, { body: String(body) })).text
}

const view = (callback_id: string) => ({
  id: 'V0FORGED',
  type: 'modal',
  callback_id,
  private_metadata: JSON.stringify({ workspace: app.slack.workspace, channel: 'C1', customerId: 'C-1' }),
  state: { values: {} },
  blocks: [],
})

/** Routes that would break the rest of the test; other tests cover them. */
const destructive = ['setup.disconnect', 'lifecycle.forget']
/** Routes that respond in a modal, where the click doesn't come from one. */
const silent = ['agents.reveal', 'billing.settings.who.', 'calls.filter.dates']

async function click(route: string, { user, may }: Somebody, need: Need): Promise<unknown> {
  const { slack, url } = app
  const isUnanswered = destructive.includes(route) || silent.includes(route)
  if (isUnanswered && may.includes(need)) return 'nothing'
  const message = await slack.as(user).command('/callboard')
  const [id = '', option] = route.split(' ')
  const chosen = option === undefined ? {} : { selected_option: { value: option } }
  const action = { action_id: id.endsWith('.') ? `${id}next` : id, value: '{"id":"1"}', ...chosen }
  const exchange = await slack.clickRaw(url, { message, user, action })
  return slack.waitFor(() => exchange.messages[0] ?? exchange.views[0])
}

/** Tries a route as a person, and returns the answer. */
type Attempt = (route: string, somebody: Somebody, need: Need) => unknown

const attempts: Readonly<Record<keyof typeof roles, Attempt>> = {
  commands: async (text, { user }) => {
    // Alone, it is the help.
    const typed = text === 'callboard' ? '/callboard missed' : `/${text}`
    const exchange = await app.slack.as(user).type(typed)
    return app.slack.waitFor(() => exchange.messages[0] ?? exchange.views[0])
  },
  actions: click,
  tools: async (tool, { user }) => (await createSlackbot(app)).call(tool, {}, user),
  shortcuts: (callback, { user }) =>
    findNumber(app.slack, app.slack.as(user), 'Call +44 20 7946 0042 back', callback),
  submissions: (callback, { user }) => forge(user, { type: 'view_submission', view: view(callback) }),
  options: async (action_id, { user, may }, need) => {
    const payload = { type: 'block_suggestion', action_id, block_id: 'x', value: '', view: view('notice') }
    const answer = await forge(user, payload)
    // Options can't show an error.
    if (answer !== '{"options":[]}') return answer
    return may.includes('member') ? refusals[need] : refusals.member
  },
}

it.each(Object.keys(attempts) as (keyof typeof roles)[])(
  '%s refuse people without permission, before they ask the service',
  async (kind) => {
    for (const somebody of await people())
      for (const [route, need] of Object.entries(roles[kind])) {
        const { name, may } = somebody
        const before = asked()
        const answer = JSON.stringify(await attempts[kind](route, somebody, need))
        const isRefused = Object.values(refusals).some((text) => answer.includes(text))
        expect([route, name, isRefused]).toEqual([route, name, !may.includes(need)])
        if (!isRefused) continue
        expect(answer, route).toContain(may.includes('member') ? refusals[need] : refusals.member)
        expect(asked(), route).toBe(before)
      }
  },
)

it('tools refuse people whom Slack does not name', async () => {
  const slackbot = await createSlackbot(app)
  const elsewhere = { user_id: app.member.user.id, team_id: 'T0OTHER' }
  const before = asked()
  for (const tool of Object.keys(roles.tools)) {
    for (const { user, may } of otherPeople())
      if (may.length === 0) expect((await slackbot.call(tool, {}, user)).text).toContain(refusals.member)
    for (const nobody of [undefined, {}, { user_id: '', team_id: 'T1' }])
      expect((await slackbot.call(tool, {}, nobody)).text).toBe(noPersonText)
    expect((await slackbot.call(tool, {}, { user_id: 'U1' })).text).toBe(noWorkspaceText)
    expect((await slackbot.call(tool, {}, elsewhere)).text).toContain("isn't installed in your workspace")
  }
  expect(asked()).toBe(before)
})

it('the Home tab shows administrative functions to admins only', async () => {
  for (const { name, user, may } of [...(await people()), ...otherPeople()]) {
    if (user.is_bot) continue
    const words = JSON.stringify((await app.slack.as(user).openHome()).blocks)
    expect([name, words.includes('For administrators')]).toEqual([name, may.includes('admin')])
    expect([name, words.includes('full members')]).toEqual([name, !may.includes('member')])
  }
})

it('by default, calls and agents are for every member, billing for admins and the person who connected', async () => {
  const { slack, admin, member } = app
  const colleague = slack.addPerson({ name: 'colleague' })
  for (const command of ['/calls', '/agents']) {
    expect(await slack.as(colleague).command(command)).not.toShow('have access to')
    expect(await slack.as(slack.people.guest).command(command)).toShow(refusals.member)
  }
  expect(await member.command('/billing')).toShow(refusals.billing)
  expect(await admin.command('/billing')).not.toShow('have access to')
  // The person who connected the account may still see it as a member.
  admin.user.is_admin = false
  expect(await admin.command('/billing')).not.toShow('have access to')
  expect(await admin.command('/billing settings')).toShow(refusals.admin)
})
