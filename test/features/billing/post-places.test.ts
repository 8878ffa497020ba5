import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { Browser, withOAuth } from '../../support/oauth.ts'

const mention = ({ id, name }: { id: string; name: string }) => `<#${id}|${name}>`

describe('a channel shared between workspaces of an organisation', () => {
  const app = useApp({ connected: true })
  const posts = () => app.slack.callsTo('chat.postMessage')
  const shared = () => app.slack.addChannel({ name: 'all-hands', sharedWith: ['T0TEAM9'] })

  it('gets no billing, by hand or on schedule', async () => {
    const { admin } = app
    const channel = shared()
    expect(await admin.command(`/billing post ${mention(channel)}`)).toShow('belongs to another workspace')
    const { errors } = await admin.submit(await admin.open('/billing schedule'), { channel: channel.id })
    expect(errors).toEqual({ channel: expect.stringContaining('belongs to another workspace') })
    expect(posts()).toHaveLength(0)
  })

  it.each([
    [{ is_shared: true }],
    [{ is_org_shared: true }],
    [{ is_global_shared: true }],
    [{ shared_team_ids: ['T0TEAM1', 'E0ORG'] }],
    [{ internal_team_ids: ['T0TEAM1', 'T0TEAM9'] }],
    [{ shared_team_ids: ['T0TEAM9'] }],
    [{ shared_team_ids: [], context_team_id: 'T0TEAM9' }],
  ])('is known by any of its signs: %o', async (sign) => {
    const channel = { id: app.slack.general.id, is_member: true, shared_team_ids: ['T0TEAM1'], ...sign }
    app.slack.failNext('conversations.info', { body: { ok: true, channel } })
    expect(await app.admin.command('/billing post')).toShow('belongs to another workspace')
  })

  it('is not one that names its own workspace, or the organisation, alone', async () => {
    for (const teams of [['T0TEAM1'], ['E0ORG']]) {
      const channel = { id: app.slack.general.id, is_member: true, shared_team_ids: teams }
      app.slack.failNext('conversations.info', { body: { ok: true, channel } })
      expect(await app.admin.command('/billing post')).toShow('Everyone in')
    }
  })

  it('gets none that was previewed before it was shared', async () => {
    const { admin, slack } = app
    const preview = await admin.command('/billing post')
    slack.general.sharedWith = ['T0TEAM9']
    expect(await admin.click(preview, 'billing.post.send')).toShow('belongs to another workspace')
    expect(posts()).toHaveLength(0)
  })

  it('gets no page that is shared', async () => {
    const { member, slack } = app
    const list = await member.command('/calls')
    const agents = await member.command('/agents')
    slack.general.sharedWith = ['T0TEAM9']
    expect(await member.click(list, 'calls.share')).toShow('belongs to another workspace')
    expect(await member.click(agents, 'agents.share')).toShow('belongs to another workspace')
  })

  it('is refused like one whose invitation to another company is not accepted yet', async () => {
    const channel = app.slack.addChannel({ name: 'soon', isPendingExtShared: true })
    expect(await app.admin.command(`/billing post ${mention(channel)}`)).toShow('shared with another company')
  })
})

describe('a channel typed by hand', () => {
  const app = useApp({ connected: true })

  /** May see billing, and manages nothing. */
  async function bookkeeper(): Promise<Actor> {
    const values = { billing: 'people', 'billing.people': [app.member.user.id] }
    await app.admin.submit(await app.admin.open('/billing settings'), values)
    return app.member
  }

  it('takes posts of those who are in it, however many they are', async () => {
    const { slack } = app
    const poster = await bookkeeper()
    const crowd = Array.from({ length: 2500 }, (_, n) => `U1${n}`)
    const finance = slack.addChannel({ name: 'finance', members: [...crowd, poster.user.id] })
    const preview = await poster.command(`/billing post ${mention(finance)}`)
    expect(preview).not.toShow("You aren't in")
    expect(await poster.click(preview, 'billing.post.send')).toShow('Posted in')
    expect(slack.messages({ channel: finance })).toHaveLength(1)
  })

  it('takes none of those who are not, and of an admin after it has been said', async () => {
    const { admin, slack } = app
    const poster = await bookkeeper()
    const board = slack.addChannel({ name: 'board', isPrivate: true, members: [poster.user.id] })
    const command = `/billing post ${mention(board)}`
    const before = await poster.command(command)
    board.members = []
    expect(await poster.command(command)).toShow("you aren't in", 'ask an administrator')
    expect(await poster.click(before, 'billing.post.send')).toShow("you aren't in", 'ask an administrator')
    expect(slack.messages({ channel: board })).toHaveLength(0)

    const preview = await admin.command(command)
    expect(preview).toShow("You aren't in")
    const ticked = await admin.click(preview, 'billing.post.include', ['card'])
    expect(ticked).toShow("You aren't in")
    expect(await admin.click(ticked, 'billing.post.send')).toShow('Posted in')
    expect(slack.messages({ channel: board })).toHaveLength(1)
  })
})

describe('a channel that somebody is not in', () => {
  const app = useApp({ connected: true })

  it('is told of nothing, to an administrator neither: not its name, and not what is the matter with it', async () => {
    const { admin, slack } = app
    const board = slack.addChannel({ name: 'board', isPrivate: true, members: [] })
    const command = `/billing post <#${board.id}|>`
    const preview = await admin.command(command)
    expect(preview).toShow("You aren't in", 'Post to the channel')
    expect(JSON.stringify(preview.blocks)).not.toContain('#board')
    for (const state of [{ isArchived: true }, { isArchived: false, isExtShared: true }]) {
      Object.assign(board, state)
      const refused = await admin.command(command)
      expect(refused).toShow("you aren't in")
      expect(refused).not.toShow('archived')
      expect(refused).not.toShow('another company')
    }
    const list = await admin.click(await admin.command('/billing post'), 'billing.post.cancel')
    const modal = await admin.open(list, 'billing.post.channel')
    const { errors } = await admin.submit(modal, { channel: board.id }, { force: true })
    expect(errors).toEqual({ channel: "You aren't in that channel. Join it first, or choose another one." })
  })

  it('is no channel where it was typed as Slack writes a mention', async () => {
    const { admin, slack } = app
    const board = slack.addChannel({ name: 'board', isPrivate: true })
    for (const typed of [`&lt;#${board.id}|&gt;`, `&lt;#${board.id}&gt;`, `&lt;#${board.id}|board&gt;`])
      expect(await admin.command(`/billing post ${typed}`)).toShow(
        "isn't a channel here, so nothing was posted",
      )
    expect(slack.callsTo('conversations.info')).toEqual([])
  })
})

describe('a channel chosen in the modal, while Slack takes its time,', () => {
  const app = useApp({ connected: true })

  /** Chosen in the modal, which says so by the time that Slack's 3 s are over. */
  async function choose(channel: { readonly id: string }) {
    const { admin, slack } = app
    const message = await admin.click(await admin.command('/billing post'), 'billing.post.cancel')
    const modal = await admin.open(message, 'billing.post.channel')
    slack.failNext('users.info', { delayMs: 1700 })
    slack.failNext('conversations.info', { delayMs: 1700 })
    const before = slack.messages().length
    expect(await admin.submit(modal, { channel: channel.id }, { force: true })).toShow('One moment…')
    return { modal, message, before }
  }

  it('is previewed below the message, and the modal says where', async () => {
    const { admin, slack } = app
    const { modal, message, before } = await choose(slack.general)
    expect(await slack.waitFor(() => slack.messages()[before])).toShow('Preview, not posted yet')
    await admin.sees(modal, 'The answer is where you opened this.')
    expect(slack.message(message.ts)).toEqual(message)
  })

  it('is refused in the modal', async () => {
    const shared = app.slack.addChannel({ name: 'with-partner', isExtShared: true })
    const { modal, before } = await choose(shared)
    await app.admin.sees(modal, 'shared with another company')
    expect(app.slack.messages()).toHaveLength(before)
  })
})

describe('a channel of another workspace of the organisation', () => {
  const app = useApp(withOAuth)

  it('takes no post, though the token of the organisation reaches it', async () => {
    const { slack } = app
    const organisation = { enterpriseId: 'E0ORG', enterpriseName: 'Org' }
    const [one, two] = [slack.addTeam(organisation), slack.addTeam(organisation)]
    const installer = slack.as(one.people.member)
    await new Browser(slack).install({ team: one.team, user: installer.user, isOrganisation: true })
    await app.connect(app.sandbox.accounts.lively, installer)
    const theirs = slack.addChannel({ name: 'theirs' }, two.team)
    expect(await installer.command(`/billing post ${mention(theirs)}`)).toShow("you aren't in")
    expect(await installer.command('/billing post')).toShow('Everyone in')
  })
})
