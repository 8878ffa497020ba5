import { describe, expect, it } from 'vitest'
import type { Actor, Channel } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { Browser, organization, withOAuth } from '../../support/oauth.ts'

const app = useApp({ connected: true })
const posts = () => app.slack.callsTo('chat.postMessage')
const mention = ({ id, name }: { id: string; name: string }) => `<#${id}|${name}>`
const outsider = "You aren't in that channel. Join it first, or choose another one."

/** Submits the form, and returns the error below its channel. */
async function getRefusal({ id }: Channel, by = app.admin): Promise<string | undefined> {
  const modal = await by.open('/billing post')
  return (await by.submit(modal, { channel: id }, { force: true })).errors['channel']
}

/** May see billing, but not manage anything. */
async function bookkeeper(): Promise<Actor> {
  const values = { billing: 'people', 'billing.people': [app.member.user.id] }
  await app.admin.submit(await app.admin.open('/billing settings'), values)
  return app.member
}

describe('a channel gets no bill', () => {
  it.each([
    ['archived', { isArchived: true }, 'is archived'],
    ['shared with another company', { isExtShared: true }, 'shared with another company'],
    ['about to be shared', { isPendingExtShared: true }, 'shared with another company'],
    ["shared with the organization's other workspace", { sharedWith: ['T0TEAM9'] }, 'another workspace'],
    // It looks like a group direct message.
    ['private, without Callboard', { isPrivate: true, isMember: false }, /\/invite @Callboard.*group direct/],
  ])('if it is %s, by hand or on schedule', async (_, state, why) => {
    const channel = app.slack.addChannel({ name: 'finance', ...state })
    expect(await getRefusal(channel)).toMatch(why)
    const form = await app.admin.open('/billing schedule')
    const { errors } = await app.admin.submit(form, { channel: channel.id }, { force: true })
    expect(errors['channel']).toMatch(why)
    expect(posts()).toEqual([])
  })

  it('if it becomes shared while the service is read, until it no longer is', async () => {
    const { admin, slack, sandbox } = app
    const finance = slack.addChannel({ name: 'finance' })
    const modal = await admin.open('/billing post finance')
    expect(JSON.stringify(modal)).toContain('"exclude_external_shared_channels":true')
    const patch = (record: Record<string, unknown>) => {
      finance.sharedWith = ['T0TEAM9']
      return record
    }
    sandbox.faults.next({ kind: 'patch', patch }, { operation: 'billing' })
    const { errors } = await admin.submit(modal, {}, { force: true })
    expect(errors['channel']).toContain('belongs to another workspace')
    expect(posts()).toEqual([])
    finance.sharedWith = []
    expect(await admin.submit(modal)).toShow('Posted in')
  })

  it.each([
    { is_shared: true },
    { is_org_shared: true },
    { is_global_shared: true },
    { shared_team_ids: ['T0TEAM1', 'E0ORG'] },
    { internal_team_ids: ['T0TEAM1', 'T0TEAM9'] },
    { shared_team_ids: ['T0TEAM9'] },
    { shared_team_ids: [], context_team_id: 'T0TEAM9' },
  ])('if Slack says %o', async (sign) => {
    const channel = { id: app.slack.general.id, is_member: true, shared_team_ids: ['T0TEAM1'], ...sign }
    app.slack.failNext('conversations.info', { body: { ok: true, channel } })
    expect(await getRefusal(app.slack.general)).toContain('belongs to another workspace')
    expect(posts()).toEqual([])
  })

  it('from a person who is not in it, who learns nothing about it', async () => {
    const poster = await bookkeeper()
    const board = app.slack.addChannel({ name: 'board', isPrivate: true, members: [poster.user.id] })
    const before = await poster.open(`/billing post ${mention(board)}`)
    board.members = []
    expect((await poster.submit(before, {}, { force: true })).errors).toEqual({ channel: outsider })
    for (const state of [{}, { isArchived: true }, { isArchived: false, isExtShared: true }]) {
      Object.assign(board, state)
      expect(await getRefusal(board, poster)).toBe(outsider)
      expect(await getRefusal(board, app.admin)).toBe(outsider)
    }
    const modal = await app.admin.open(`/billing post <#${board.id}|>`)
    expect(JSON.stringify(modal.blocks)).not.toContain('#board')
    expect(posts()).toEqual([])
  })
})

it.each([['T0TEAM1'], ['E0ORG']])('a channel of %s alone gets the bill', async (team) => {
  const channel = { id: app.slack.general.id, is_member: true, shared_team_ids: [team] }
  app.slack.failNext('conversations.info', { body: { ok: true, channel } })
  expect(await getRefusal(app.slack.general)).toBeUndefined()
  expect(posts()).toHaveLength(1)
})

it.each([
  ['कीमत', 'कीमत'],
  ['ทีมขาย', '#ทีมขาย'],
  ['caf\u00e9', 'cafe\u0301'],
  ['caf\u00e9', 'cafe'],
])('a channel named %s is found as %s', async (name, typed) => {
  const { id } = app.slack.addChannel({ name })
  app.slack.addChannel({ name: `${name}-2` })
  const modal = await app.admin.open(`/billing post ${typed}`)
  expect(JSON.stringify(modal)).toContain(`"initial_conversation":"${id}"`)
})

it("a channel isn't found by a typed mention", async () => {
  const board = app.slack.addChannel({ name: 'board', isPrivate: true })
  for (const typed of [`&lt;#${board.id}|&gt;`, `&lt;#${board.id}&gt;`, `&lt;#${board.id}|board&gt;`])
    expect(await app.admin.open(`/billing post ${typed}`)).toShow("I couldn't find a channel named")
  expect(app.slack.callsTo('conversations.info')).toEqual([])
})

describe('a channel of another workspace of the organization', () => {
  const app = useApp(withOAuth)

  it("gets no post, although the organization's token reaches it", async () => {
    const { slack } = app
    const one = slack.addTeam(organization)
    const two = slack.addTeam(organization)
    const installer = slack.as(one.people.member)
    await new Browser(slack).install({ team: one.team, user: installer.user, isOrganization: true })
    await app.connect(app.sandbox.accounts.lively, installer)
    expect(await getRefusal(slack.addChannel({ name: 'theirs' }, two.team), installer)).toBe(outsider)
    expect(await installer.submit(await installer.open('/billing post'))).toShow('Posted in')
  })
})
