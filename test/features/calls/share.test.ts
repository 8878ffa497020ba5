import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { sharePage } from '../../support/share-page.ts'
import { getActions, getRows } from '../../support/shown.ts'

const app = useApp({ connected: true })
const forEverybody = () => app.slack.messages().filter(({ onlyFor }) => onlyFor === undefined)
/** Returns messages that only this person sees. */
const forOne = ({ id } = app.member.user) => app.slack.messages().filter(({ onlyFor }) => onlyFor === id)
const gone = ({ ts }: Message) => app.slack.waitFor(() => (app.slack.message(ts) ? undefined : 'gone'))

describe('Share…', () => {
  it("asks, then posts the shown page with the person's name, and keeps the list", async () => {
    const { member, slack } = app
    const list = await member.command('/calls missed')
    expect(member.dialog(list, 'calls.share')).toBe(
      'Share in #general?\nEveryone here, guests included, will see this. The audit log records who shared it.\nShare\nCancel',
    )
    const shared = await sharePage(app, member, list)
    expect(forEverybody()).toEqual([shared])
    expect(getRows(shared)).toEqual(getRows(list))
    expect(getActions(shared)).toEqual(['share.remove'])
    expect(shared).toShow('Shared by member with Callboard')
    expect(slack.message(list.ts)).toEqual(list)
  })

  it('is recorded in the audit log with content and channel', async () => {
    const { admin, member, slack } = app
    const list = await member.command('/calls missed')
    await sharePage(app, member, list)
    await sharePage(app, member, await member.command('/agents anna'), 'agents.share')
    slack.general.isExtShared = true
    await sharePage(app, member, list)
    const audit = await admin.command('/billing audit')
    const [who, where] = [`<@${member.user.id}> shared `, ` in <#${slack.general.id}>`]
    expect(audit).toShow(`${who}${getRows(list).length} calls${where}`, `${who}3 agents${where}`)
    expect(JSON.stringify(audit.blocks).split(who)).toHaveLength(3)
  })

  it("describes a channel whose name Slack doesn't return", async () => {
    const channel = app.slack.addChannel({ name: 'board', isPrivate: true })
    const member = app.slack.as(app.slack.people.member, { channel })
    expect(member.dialog(await member.command('/agents hollis'), 'agents.share')).toContain(
      'Share in this channel?\nEveryone here, guests included, will see this.',
    )
  })

  it.each([
    ['', 'Anna &lt;@U0ADMIN1&gt; Smith'],
    ['Nick', 'Nick'],
  ])('names the person with the display name "%s" without a mention', async (display_name, shown) => {
    const profile = { real_name: 'Anna <@U0ADMIN1> Smith', display_name, team: app.slack.workspace.teamId }
    const anna = app.slack.as(app.slack.addPerson({ name: 'anna.smith', profile }))
    const shared = await sharePage(app, anna, await anna.command('/calls'))
    expect(shared).toShow(`Shared by ${shown} with Callboard`)
  })

  it('mentions nobody and shows no link previews', async () => {
    const { member, sandbox, slack } = app
    const [agent] = sandbox.accounts.lively.agents
    Object.assign(agent!, { name: '@channel #general' })
    const list = await member.command('/agents channel')
    const shared = await sharePage(app, member, list, 'agents.share')
    expect(shared).toShow('@channel #general')
    expect(shared.text).toContain('@\u200bchannel #general')
    const args = { unfurl_links: false, unfurl_media: false }
    expect(slack.callsTo('chat.postMessage')).toMatchObject([{ args }])
  })
})

describe('sharing', () => {
  const buttons = [
    ['calls', '/calls missed', 'calls.share'],
    ['agents', '/agents', 'agents.share'],
    ['a report', '/calls report last month', 'report.share'],
  ] as const

  it.each(buttons)('%s is refused if a company joins the channel meanwhile', async (_, command, button) => {
    const { member, sandbox, slack } = app
    const list = await member.command(command)
    // Reads the page again.
    await app.restart()
    sandbox.requests.clear()
    Object.defineProperty(slack.general, 'isExtShared', { get: () => sandbox.requests.count() > 0 })
    expect(await member.click(list, button)).toShow('shared with another company')
    expect([forEverybody(), forOne().length]).toEqual([[], 2])
  })

  it("isn't done if the audit log can't record it", async () => {
    const list = await app.member.command('/calls missed')
    const accept = app.stored.refuse('audit-log%')
    expect(await app.member.click(list, 'calls.share')).toShow('something went wrong in Callboard')
    accept()
    expect(forEverybody()).toEqual([])
  })

  it.each(buttons)('%s happens once for a click that two processes get', async (_, command, button) => {
    const { member, slack } = app
    const list = await member.command(command)
    const exchange = await slack.click(app.url, { message: list, action_id: button, user: member.user })
    const [shared] = await slack.waitFor(() => (forEverybody().length === 1 ? forEverybody() : undefined))
    const body = new URLSearchParams({ payload: JSON.stringify(exchange.payload) }).toString()
    await app.restart()
    expect((await slack.raw(app.url, { body })).status).toBe(200)
    await app.logged(`"interaction":"${button}"`, 2)
    expect(forEverybody()).toEqual([shared])
    const again = await sharePage(app, member, list, button)
    expect(forEverybody()).toEqual([shared, again])
  })
})

describe('Remove', () => {
  const share = async () => sharePage(app, app.member, await app.member.command('/calls'))

  it("removes the person's own posts, and for an admin all posts", async () => {
    const own = await share()
    expect(app.member.dialog(own, 'share.remove')).toContain('This removes it for everyone here')
    for (const by of [app.member, app.admin]) {
      const shared = await share()
      await by.press(shared, 'share.remove')
      await gone(shared)
    }
    app.slack.failNext('response_url', { status: 400, body: { ok: false, error: 'cant_delete_message' } })
    expect(await app.member.click(own, 'share.remove')).toShow('let Callboard do this (cant_delete_message)')
    expect(forEverybody()).toEqual([own])
  })

  it('is refused to others privately, and to a former administrator at once', async () => {
    const shared = await share()
    const other = app.slack.as(app.slack.addPerson({ name: 'other' }))
    expect(await other.click(shared, 'share.remove')).toShow('Only the person who shared this')
    const guest = app.slack.as(app.slack.people.guest)
    expect(await guest.click(shared, 'share.remove')).toShow('full members')
    for (const { user } of [other, guest]) expect(forOne(user)).toHaveLength(1)
    expect(forEverybody()).toEqual([shared])
    expect(await app.admin.command('/calls')).toShow('Page 1 of')
    Object.assign(app.admin.user, { is_admin: false, is_owner: false, is_primary_owner: false })
    expect(await app.admin.click(shared, 'share.remove')).toShow('Only the person who shared this')
  })
})

describe('a shared list', () => {
  it.each([
    ['the connection is cut', { cut: true }],
    ['Slack answers 502', { status: 502, body: 'Bad Gateway' }],
  ])('is sent once if %s after it was shown, and the person is asked to check', async (_, fault) => {
    const { member, slack } = app
    const list = await member.command('/calls')
    slack.failNext('chat.postMessage', { ...fault, isDone: true })
    await member.press(list, 'calls.share')
    const told = () => forOne().find(({ ts }) => ts !== list.ts)
    expect(await slack.waitFor(told)).toShow('may or may not be in the channel')
    expect(forEverybody()).toHaveLength(1)
    expect(slack.message(list.ts)).toEqual(list)
  })

  it('is posted as a member of the channel that Slack lets post, and nowhere else', async () => {
    const { member, slack } = app
    const list = await member.command('/calls')
    slack.general.isMember = false
    const told = await sharePage(app, member, list)
    expect(told).toShow(`Callboard isn't in <#${slack.general.id}>. Invite it there`)
    slack.failNext('chat.postMessage', { body: { ok: false, error: 'restricted_action' } })
    slack.general.isMember = true
    const refused = await sharePage(app, member, list)
    expect(refused).toShow('Slack lets only some people post in that channel')
    expect([told.onlyFor, refused.onlyFor, forEverybody()]).toEqual([member.user.id, member.user.id, []])
    expect(await sharePage(app, member, list)).toShow('Shared by')
    expect(slack.callsTo('chat.postMessage')).toHaveLength(2)
  })
})

it("repeats an ephemeral message if Slack's response is lost", async () => {
  const list = await app.member.command('/calls')
  app.slack.failNext('response_url', { cut: true })
  expect(await app.member.click(list, 'calls.page.next')).toShow('Page 2')
})
