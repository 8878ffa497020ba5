import { describe, expect, it } from 'vitest'
import { elementsIn } from '../../../dev/slack/actions/elements.ts'
import type { View } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { sharePage } from '../../support/share-page.ts'

const app = useApp({ connected: true })

const blank = (view: View, state: unknown) => ({
  view: {
    id: view.id,
    type: view.type,
    callback_id: null,
    title: null,
    private_metadata: view.private_metadata,
    state,
  },
})

const values = [[], null, { block: [] }, { block: { action: null } }, { block: { action: [] } }]
const states = [[], null, ...values.map((one) => ({ values: one }))].map((state) => [state])
it.each(states)('the Home tab opens forms with the state %j', async (state) => {
  const view = await app.member.openHome()
  const pressed = { view, action_id: 'calls.find', user: app.member.user, fields: blank(view, state) }
  const click = await app.slack.click(app.url, pressed)
  expect(await click.waitForView(1)).toShow('Find calls')
})

it('null is the same as absent in every field of a click, a command and a submission', async () => {
  const { member, slack, url } = app
  const list = await member.command('/calls')
  const { element } = elementsIn(list.blocks).find(({ element: one }) => one.action_id === 'calls.page.next')!
  const nulls = { block_id: null, selected_option: null, selected_options: null, selected_conversation: null }
  const action = { action_id: 'calls.page.next', value: element.value, action_ts: slack.nextTs(), ...nulls }
  const absent = { container: null, enterprise: null, message: null, state: null, trigger_id: null }
  const team = { id: slack.workspace.teamId, enterprise_id: null }
  const fields = { ...absent, view: null, team, channel: { id: slack.general.id, name: null } }
  const click = await slack.clickRaw(url, { message: list, user: member.user, action, fields })
  expect(await click.waitForMessage()).toShow('Page 2 of')
  const container = { message_ts: list.ts, channel_id: slack.general.id }
  await member.command('/calls timezone Asia/Tokyo')
  const placed = { message: list, user: member.user, action: { ...action, action_ts: slack.nextTs() } }
  const inChannel = await slack.clickRaw(url, { ...placed, fields: { team, channel: null, container } })
  expect(await inChannel.waitForMessage()).toShow('Page 2 of', 'Asia/Tokyo')

  const modal = await member.open(list, 'calls.filter')
  const submission = await slack.submit(url, {
    view: modal,
    user: member.user,
    fields: { view: { ...blank(modal, { values: [] }).view, callback_id: modal.callback_id } },
  })
  expect(JSON.stringify(submission.result)).not.toContain("can't be used any more")
})

it('an event may have nulls everywhere', async () => {
  const { slack, url, member } = app
  const event = { type: 'app_home_opened', user: member.user.id, tab: 'home', channel: null, view: null }
  const fields = { authorizations: null, event_time: null, enterprise_id: null, event_context: null }
  expect((await slack.event(url, event, { fields })).status).toBe(200)
  await slack.waitFor(() => slack.home(member.user))
})

describe('users.info', () => {
  const person = (fields: object) => app.slack.as(Object.assign(app.slack.addPerson({ name: 'new' }), fields))

  const keys = ['tz', 'real_name', 'profile', 'enterprise_user', 'name', 'tz_label', 'is_admin', 'is_owner']
  const empty = { profile: { display_name: null, real_name: null }, enterprise_user: { teams: null } }
  const lists = { profile: [], enterprise_user: [] }
  it.each<object>([...keys.map((key) => ({ [key]: null })), empty, lists])('may have %j', async (fields) => {
    expect(await person(fields).command('/calls')).toShow('incoming calls')
  })

  it.each(['is_restricted', 'is_ultra_restricted', 'is_stranger', 'is_bot', 'deleted', 'team_id'])(
    'admits nobody with null in %s',
    async (field) => {
      expect(await person({ [field]: null }).command('/calls')).toShow('full members')
    },
  )
})

describe('conversations.info', () => {
  const flags = ['is_shared', 'is_org_shared', 'is_ext_shared', 'is_pending_ext_shared', 'is_global_shared']
  const absent = { is_archived: null, is_im: null, is_mpim: null, context_team_id: null }
  const lists = { shared_team_ids: null, internal_team_ids: null }
  const unset = Object.fromEntries(flags.map((flag) => [flag, false]))
  const open = { is_member: true, ...absent, ...lists, ...unset }
  const share = async (channel: object) => {
    const list = await app.member.command('/calls')
    app.slack.failNext('conversations.info', { body: { ok: true, channel, response_metadata: null } })
    return sharePage(app, app.member, list)
  }

  it('may have null in flags that protect nothing, and in lists', async () => {
    await share(open)
    expect(app.slack.messages().some(({ onlyFor }) => onlyFor === undefined)).toBe(true)
  })

  it.each(flags)('closes a channel with null in %s', async (flag) => {
    expect(await share({ ...open, [flag]: null })).toShow('Choose a channel')
    expect(app.slack.messages().every(({ onlyFor }) => onlyFor !== undefined)).toBe(true)
  })
})

it('a list with null for its next cursor ends', async () => {
  const page = { ok: true, channels: [], response_metadata: { next_cursor: null } }
  app.slack.failNext('users.conversations', { body: page })
  await app.admin.open('/billing post #nowhere')
  expect(app.slack.callsTo('users.conversations')).toHaveLength(1)
})
