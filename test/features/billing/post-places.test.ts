import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { Browser, withOAuth } from '../../support/oauth.ts'

const mention = ({ id, name }: { id: string; name: string }) => `<#${id}|${name}>`

describe('a channel shared between workspaces of an organization', () => {
  const app = useApp({ connected: true })
  const posts = () => app.slack.callsTo('chat.postMessage')
  /** Submits the modal, and returns the error below its channel. */
  const refusalIn = async (channel: { readonly id: string }) =>
    (await app.admin.submit(await app.admin.open('/billing post'), { channel: channel.id }, { force: true }))
      .errors['channel']
  const shared = () => app.slack.addChannel({ name: 'all-hands', sharedWith: ['T0TEAM9'] })

  it('gets no bill, by hand or on schedule', async () => {
    const { admin } = app
    const channel = shared()
    expect(await refusalIn(channel)).toContain('belongs to another workspace')
    const { errors } = await admin.submit(await admin.open('/billing schedule'), { channel: channel.id })
    expect(errors).toEqual({ channel: expect.stringContaining('belongs to another workspace') })
    expect(posts()).toHaveLength(0)
  })

  it('gets no bill if it becomes shared while the service is read', async () => {
    const { admin, slack, sandbox } = app
    const { general } = slack
    const modal = await admin.open('/billing post')
    const patch = (record: Record<string, unknown>) => {
      general.sharedWith = ['T0TEAM9']
      return record
    }
    sandbox.faults.next({ kind: 'patch', patch }, { operation: 'billing' })
    const { errors } = await admin.submit(modal, { channel: general.id }, { force: true })
    expect(errors['channel']).toContain('belongs to another workspace')
    expect(posts()).toEqual([])
  })

  it('is recognized by each of its fields', async () => {
    const signs = [
      { is_shared: true },
      { is_org_shared: true },
      { is_global_shared: true },
      { shared_team_ids: ['T0TEAM1', 'E0ORG'] },
      { internal_team_ids: ['T0TEAM1', 'T0TEAM9'] },
      { shared_team_ids: ['T0TEAM9'] },
      { shared_team_ids: [], context_team_id: 'T0TEAM9' },
    ]
    for (const sign of signs) {
      const channel = { id: app.slack.general.id, is_member: true, shared_team_ids: ['T0TEAM1'], ...sign }
      app.slack.failNext('conversations.info', { body: { ok: true, channel } })
      expect(await refusalIn(app.slack.general)).toContain('belongs to another workspace')
    }
    expect(posts()).toEqual([])
    for (const teams of [['T0TEAM1'], ['E0ORG']]) {
      const channel = { id: app.slack.general.id, is_member: true, shared_team_ids: teams }
      app.slack.failNext('conversations.info', { body: { ok: true, channel } })
      expect(await refusalIn(app.slack.general)).toBeUndefined()
    }
    expect(posts()).toHaveLength(2)
  })

  it('gets no shared page', async () => {
    const { member, slack } = app
    const list = await member.command('/calls')
    const agents = await member.command('/agents')
    slack.general.sharedWith = ['T0TEAM9']
    expect(await member.click(list, 'calls.share')).toShow('belongs to another workspace')
    expect(await member.click(agents, 'agents.share')).toShow('belongs to another workspace')
  })

  it('is refused while an invitation of another company is pending', async () => {
    const channel = app.slack.addChannel({ name: 'soon', isPendingExtShared: true })
    expect(await refusalIn(channel)).toContain('shared with another company')
  })
})

describe('a channel typed by hand', () => {
  const app = useApp({ connected: true })

  /** May see billing, but not manage anything. */
  async function bookkeeper(): Promise<Actor> {
    const values = { billing: 'people', 'billing.people': [app.member.user.id] }
    await app.admin.submit(await app.admin.open('/billing settings'), values)
    return app.member
  }

  it('accepts posts of its members, however many there are', async () => {
    const { slack } = app
    const poster = await bookkeeper()
    const crowd = Array.from({ length: 2500 }, (_, n) => `U1${n}`)
    const finance = slack.addChannel({ name: 'finance', members: [...crowd, poster.user.id] })
    const modal = await poster.open(`/billing post ${mention(finance)}`)
    expect(await poster.submit(modal)).toShow('Posted in')
    expect(slack.messages({ channel: finance })).toHaveLength(1)
  })

  it('refuses posts of people who are not in it, whatever was previewed', async () => {
    const { admin, slack } = app
    const poster = await bookkeeper()
    const board = slack.addChannel({ name: 'board', isPrivate: true, members: [poster.user.id] })
    const command = `/billing post ${mention(board)}`
    const before = await poster.open(command)
    board.members = []
    for (const [person, modal] of [
      [poster, before],
      [poster, await poster.open(command)],
      [admin, await admin.open(command)],
    ] as const) {
      const { errors } = await person.submit(modal, {}, { force: true })
      expect(errors).toEqual({ channel: expect.stringContaining("You aren't in that channel") })
    }
    expect(slack.messages({ channel: board })).toHaveLength(0)
  })
})

describe('a channel that the person is not in', () => {
  const app = useApp({ connected: true })

  it('stays secret, even from an administrator', async () => {
    const { admin, slack } = app
    const board = slack.addChannel({ name: 'board', isPrivate: true, members: [] })
    const modal = await admin.open(`/billing post <#${board.id}|>`)
    expect(JSON.stringify(modal.blocks)).not.toContain('#board')
    for (const state of [{ isArchived: true }, { isArchived: false, isExtShared: true }]) {
      Object.assign(board, state)
      const { errors } = await admin.submit(modal, {}, { force: true })
      expect(errors).toEqual({ channel: "You aren't in that channel. Join it first, or choose another one." })
    }
  })

  it.each([
    ['कीमत', 'कीमत'],
    ['ทีมขาย', '#ทีมขาย'],
    ['caf\u00e9', 'cafe\u0301'],
    ['caf\u00e9', 'cafe'],
  ])('named %s is found as %s', async (name, typed) => {
    const { id } = app.slack.addChannel({ name })
    app.slack.addChannel({ name: `${name}-2` })
    expect(await app.admin.open(`/billing post ${typed}`)).not.toShow("I couldn't find a channel")
    expect(app.slack.callsTo('conversations.members').map(({ args }) => args['channel'])).toContain(id)
  })

  it("isn't found by a typed mention", async () => {
    const { admin, slack } = app
    const board = slack.addChannel({ name: 'board', isPrivate: true })
    for (const typed of [`&lt;#${board.id}|&gt;`, `&lt;#${board.id}&gt;`, `&lt;#${board.id}|board&gt;`])
      expect(await admin.open(`/billing post ${typed}`)).toShow("I couldn't find a channel named")
    expect(slack.callsTo('conversations.info')).toEqual([])
  })
})

describe('a channel of another workspace of the organization', () => {
  const app = useApp(withOAuth)

  it("gets no post, although the organization's token reaches it", async () => {
    const { slack } = app
    const organization = { enterpriseId: 'E0ORG', enterpriseName: 'Org' }
    const [one, two] = [slack.addTeam(organization), slack.addTeam(organization)]
    const installer = slack.as(one.people.member)
    await new Browser(slack).install({ team: one.team, user: installer.user, isOrganization: true })
    await app.connect(app.sandbox.accounts.lively, installer)
    const theirs = slack.addChannel({ name: 'theirs' }, two.team)
    const modal = await installer.open('/billing post')
    const { errors } = await installer.submit(modal, { channel: theirs.id }, { force: true })
    expect(errors['channel']).toContain("You aren't in that channel")
    expect(await installer.submit(await installer.open('/billing post'))).toShow('Posted in')
  })
})
