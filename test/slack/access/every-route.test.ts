import { expect, it } from 'vitest'
import type { User } from '../../../dev/slack/slack.ts'
import { noPersonText, noWorkspaceText } from '../../../src/features/slackbot/routes.ts'
import { NotAllowedError } from '../../../src/slack/access/access-rules.ts'
import { allTools, createSlackbot } from '../../features/slackbot/slackbot.ts'
import { useApp } from '../../support/app.ts'
import { findNumber } from '../../support/find-number.ts'
import { registeredRoutes, withServices } from '../../support/routes.ts'
import { events, refusals, roles } from './route-table.ts'

const app = useApp({ connected: true })
const routes = await registeredRoutes()

type Need = keyof typeof refusals

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
  const fields = { name: 'foreigner', team_id: 'T0OTHER', is_admin: true, is_owner: true }
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

/** Tries each route as each person, and expects a refusal without a request to the service if the permission is missing. */
async function tryAll(
  ways: Readonly<Record<string, Need>>,
  attempt: (way: string, somebody: Somebody) => Promise<unknown>,
): Promise<void> {
  for (const somebody of await people()) {
    const { name, may } = somebody
    for (const [way, need] of Object.entries(ways)) {
      const before = asked()
      const answer = JSON.stringify((await attempt(way, somebody)) ?? 'nothing')
      const isRefused = Object.values(refusals).some((text) => answer.includes(text))
      const what = `${way} by ${name}: `
      expect(what + (isRefused ? 'refused' : 'let in')).toBe(
        what + (may.includes(need) ? 'let in' : 'refused'),
      )
      if (isRefused) expect(answer, what).toContain(may.includes('member') ? refusals[need] : refusals.member)
      if (isRefused) expect(asked(), what).toBe(before)
    }
  }
}

it('lists every route in the table', () => {
  const registered = {
    commands: routes.commands.map(({ command, word }) => [command, word].filter(Boolean).join(' ')),
    actions: routes.actions.map(({ action, option }) => [action, option].filter(Boolean).join(' ')),
    tools: allTools.map(({ name }) => name),
    shortcuts: routes.shortcuts.map(({ shortcut }) => shortcut),
    submissions: routes.submissions.map(({ view }) => view),
    options: routes.options.map(({ action }) => action),
  }
  for (const [kind, table] of Object.entries(roles)) {
    expect(registered[kind as keyof typeof roles].toSorted(), kind).toEqual(Object.keys(table).toSorted())
  }
  expect(routes.events.map(({ event }) => event).toSorted()).toEqual(events.toSorted())
})

it('the guards check each permission for all kinds of people', async () => {
  const { slack } = app
  const env = { SLACK_BOT_TOKEN: slack.botToken, SLACK_API_URL: slack.apiUrl }
  await withServices(env, async ({ guards }) => {
    const team = { enterpriseId: undefined, teamId: slack.workspace.teamId }
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

it('commands check permissions', () =>
  tryAll(roles.commands, async (text, { user }) => {
    const exchange = await app.slack.as(user).type(`/${text}`)
    return app.slack.waitFor(() => exchange.messages[0] ?? exchange.views[0])
  }))

it('clicks check permissions', () =>
  tryAll(roles.actions, async (route, { user, may }) => {
    const { slack, url } = app
    // Routes that would break the rest of the test; other tests cover them.
    const isDestructive = ['setup.disconnect', 'lifecycle.forget'].includes(route)
    // They respond in a modal, and this click isn't in one.
    const silent = ['agents.reveal', 'billing.post.include', 'billing.settings.who.', 'calls.filter.dates']
    const isSilent = silent.includes(route) || route.endsWith('.where')
    const need = roles.actions[route as keyof typeof roles.actions]
    if ((isDestructive || isSilent) && may.includes(need)) return undefined
    const message = await slack.as(user).command('/callboard')
    const [id = '', option] = route.split(' ')
    const chosen = option === undefined ? {} : { selected_option: { value: option } }
    const action = { action_id: id.endsWith('.') ? `${id}next` : id, value: '{"id":"1"}', ...chosen }
    const exchange = await slack.clickRaw(url, { message, user, action })
    return slack.waitFor(() => exchange.messages[0] ?? exchange.views[0])
  }))

it('tools check permissions, and refuse people whom Slack does not name', async () => {
  const slackbot = await createSlackbot(app)
  await tryAll(roles.tools, (tool, { user }) => slackbot.call(tool, {}, user))
  const elsewhere = { user_id: app.member.user.id, team_id: 'T0OTHER' }
  for (const tool of Object.keys(roles.tools)) {
    const before = asked()
    for (const { user, may } of otherPeople())
      if (may.length === 0)
        expect(await slackbot.call(tool, {}, user)).toMatchObject({
          isError: true,
          text: expect.stringContaining(refusals.member),
        })
    for (const nobody of [undefined, {}, { user_id: '', team_id: 'T1' }, { user_id: 'U1' }])
      expect((await slackbot.call(tool, {}, nobody)).text).toBe(
        nobody && 'user_id' in nobody && nobody.user_id !== '' ? noWorkspaceText : noPersonText,
      )
    expect((await slackbot.call(tool, {}, elsewhere)).text).toBe(
      "Callboard isn't installed in your workspace. Ask a workspace admin to install it.",
    )
    expect(asked()).toBe(before)
  }
})

it('shortcuts check permissions', () =>
  tryAll(roles.shortcuts, (callback, { user }) =>
    findNumber(app.slack, app.slack.as(user), 'Call +44 20 7946 0042 back', callback),
  ))

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
  private_metadata: JSON.stringify({ teamId: app.slack.workspace.teamId, channel: 'C1', customerId: 'C-1' }),
  state: { values: {} },
  blocks: [],
})

it('submissions check permissions', () =>
  tryAll(roles.submissions, (callback, { user }) =>
    forge(user, { type: 'view_submission', view: view(callback) }),
  ))

it('options require permission', () =>
  tryAll(roles.options, async (action_id, { user, may }) => {
    const payload = { type: 'block_suggestion', action_id, block_id: 'x', value: '', view: view('notice') }
    const answer = await forge(user, payload)
    // Options can't show an error.
    if (answer !== '{"options":[]}') return answer
    const need = roles.options[action_id as keyof typeof roles.options]
    return may.includes('member') ? refusals[need] : refusals.member
  }))

it('the Home tab shows administrative functions to admins only', async () => {
  const { slack } = app
  for (const { name, user, may } of [...(await people()), ...otherPeople()]) {
    if (user.is_bot) continue
    const home = await slack.as(user).openHome()
    const words = JSON.stringify(home.blocks)
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
