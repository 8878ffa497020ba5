import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'
import { actionsOf, buttonsOf } from '../../support/shown.ts'

const app = useApp({ connected: true })

/** What everyone in #general sees, line by line. */
const told = (channel: Channel = app.slack.general) =>
  app.slack
    .messages({ channel })
    .filter(({ onlyFor }) => onlyFor === undefined)
    .map(({ text }) => text)

const general = () => `<#${app.slack.general.id}>`

describe("a channel's time zone", () => {
  it('is set for everyone there, who are told once, and nobody is notified', async () => {
    const { member, slack } = app
    const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' })
    const before = time.format()
    const set = await member.command('/calls timezone asia/tokyo')
    const clock = [before, time.format()].find((one) => set.text.includes(one))
    expect(set.text).toBe(`${general()} now shows Asia/Tokyo time (${clock} now), for everyone here.`)
    expect(told()).toEqual([`member set ${general()} to Asia/Tokyo time.`])
    expect(await member.command('/calls timezone Asia/Tokyo')).toShow("It's set for everyone here")
    expect(told()).toHaveLength(1)
    expect(slack.callsTo('chat.postMessage')).toHaveLength(1)
    expect(await member.click(set, 'command.show-calls')).toShow('Asia/Tokyo')
  })

  it.each([
    ['none', [], "the workspace's time zone, Europe/Berlin", "the workspace's time zone, Europe/Berlin."],
    ['an earlier one', ['+05:30'], 'UTC+05:30 time', 'UTC+05:30 time.'],
  ])('goes back by Undo to what was before: %s', async (_, earlier, shown, words) => {
    const { member } = app
    for (const zone of earlier) await member.command(`/calls timezone ${zone}`)
    const set = await member.command('/calls timezone Asia/Tokyo')
    const undone = await member.click(set, 'setup.zone.undo')
    expect(undone).toShow(`shows ${shown} again (`)
    expect(actionsOf(undone)).toEqual(['command.show-calls'])
    expect(told().at(-1)).toBe(`member set ${general()} back to ${words}`)
    expect(await member.command('/calls timezone')).toShow(shown.split(', ').at(-1) ?? '')
    expect(await app.admin.command('/billing audit')).toShow(earlier[0] ?? 'default')
  })

  it("stays where Undo comes after somebody else's change, or carries what no button of ours does", async () => {
    const { member, admin, slack, url } = app
    const set = await member.command('/calls timezone Asia/Tokyo')
    await admin.command('/calls timezone Europe/Paris')
    expect(await member.click(set, 'setup.zone.undo')).toShow('has changed since', 'shows Europe/Paris time')
    const later = await member.command('/calls timezone Asia/Seoul')
    for (const value of ['{"set":"Asia/Seoul","before":"Mars/Olympus"}', '{"set":1}', 'Asia/Seoul']) {
      const forged = { action_id: 'setup.zone.undo', value }
      const click = await slack.clickRaw(url, { message: later, action: forged })
      expect(await click.waitForMessage()).toShow("can't be used any more")
    }
    expect(await member.command('/calls timezone')).toShow('shows Asia/Seoul')
    expect(told()).toHaveLength(3)
  })

  it('can be undone by nobody who may not change it', async () => {
    const { member, admin } = app
    const set = await member.command('/calls timezone Asia/Tokyo')
    await admin.submit(await admin.open('/billing schedule'), { channel: app.slack.general.id })
    expect(await member.click(set, 'setup.zone.undo')).toShow('Billing posts are scheduled')
    expect(await member.command('/calls timezone')).toShow('shows Asia/Tokyo')
  })

  it.each([
    ['that the app is not in', { isMember: false }, "Callboard isn't in"],
    ['of another company too', { isExtShared: true }, 'is shared with another company'],
    ['of another workspace too', { sharedWith: ['T0TEAM9'] }, 'belongs to another workspace'],
  ])('is not told in a channel %s, and whoever set it knows', async (_, fields, words) => {
    const { member, slack } = app
    const channel = slack.addChannel({ name: 'help', ...fields })
    const set = await slack.as(member.user, { channel }).command('/calls timezone Asia/Tokyo')
    expect(set).toShow('now shows Asia/Tokyo time', "The change wasn't posted in the channel.", words)
    expect(told(channel)).toEqual([])
    expect(slack.callsTo('chat.postMessage')).toEqual([])
  })

  it.each([
    [
      'refuses it',
      'chat.postMessage',
      { body: { ok: false, error: 'restricted_action' } },
      'Slack lets only some',
    ],
    ['takes nothing now', 'chat.postMessage', { status: 429, headers: { 'retry-after': '9' } }, 'right now'],
    ['gives no answer', 'chat.postMessage', { cut: true }, 'may not be in the channel'],
    ["doesn't tell what it is", 'conversations.info', { status: 500 }, "didn't respond in time"],
  ])('is set, though Slack %s, and is told once at most', async (_, method, fault, words) => {
    const { member, slack } = app
    slack.failNext(method, fault)
    expect(await member.command('/calls timezone Asia/Tokyo')).toShow('now shows Asia/Tokyo', words)
    expect(slack.callsTo(method)).toHaveLength(1)
    expect(told()).toEqual([])
    expect(await member.command('/calls timezone')).toShow('shows Asia/Tokyo')
  })

  it('is told to nobody in a direct message, and nobody misses it', async () => {
    const { member, slack } = app
    const channel = slack.addChannel({ id: 'D0ANNA', name: 'directmessage', directWith: 'U0ANNA' })
    const set = await slack.as(member.user, { channel }).command('/calls timezone Asia/Tokyo')
    expect(set.text).toMatch(
      /^This conversation now shows Asia\/Tokyo time \(\d\d:\d\d now\), for everyone here\.$/,
    )
    expect(slack.callsTo('chat.postMessage')).toEqual([])
  })
})

describe('a time zone that is not there', () => {
  it.each([
    ['Berlin', ['Europe/Berlin'], 1],
    ['London', ['Europe/London'], 1],
    ['America', [], 3],
  ])('%s: the nearest names are one click away', async (written, names, count) => {
    const { member } = app
    const unknown = await member.command(`/calls timezone ${written}`)
    expect(unknown).toShow(`"${written}" isn't a full time zone name.`, ...names.map((name) => `Use ${name}`))
    const offered = buttonsOf(unknown)
    expect(offered.length).toBeGreaterThanOrEqual(count)
    expect(offered.length).toBeLessThanOrEqual(3)
    const [, zone = ''] = offered[0]!.value.split('timezone ')
    expect(await member.click(unknown, offered[0]!.action_id)).toShow(`now shows ${zone} time`)
    expect(told()).toEqual([`member set ${general()} to ${zone} time.`])
  })

  it('like no other is named, with what would do', async () => {
    const { member } = app
    const unknown = await member.command('/calls timezone Xyzzy')
    expect(unknown).toShow(`"Xyzzy" isn't a time zone`, 'Europe/Berlin', '+05:30')
    expect(actionsOf(unknown)).toEqual([])
  })
})

describe('/calls timezone alone', () => {
  it("offers the person's own time zone and the default, each where it is another one", async () => {
    const { member } = app
    member.user.tz = 'America/New_York'
    const shown = await member.command('/calls timezone')
    expect(shown).toShow("That's the workspace's time zone.", 'Use America/New_York')
    expect(shown).not.toShow('Use default')
    const mine = await member.command('/calls timezone')
    expect(await member.click(mine, 'command.use-mine')).toShow('now shows America/New_York time')
    const own = await member.command('/calls timezone')
    expect(own).not.toShow('Use America/New_York')
    expect(await member.click(own, 'command.use-default')).toShow("now shows the workspace's time zone")
  })
})
