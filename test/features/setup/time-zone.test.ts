import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

/** Returns the messages that everyone in the channel sees. */
const told = (channel: Channel = app.slack.general) =>
  app.slack
    .messages({ channel })
    .filter(({ onlyFor }) => onlyFor === undefined)
    .map(({ text }) => text)

describe("a channel's time zone", () => {
  it('is set for the channel, and announced once without notifying anyone', async () => {
    const { member, slack } = app
    const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' })
    const before = time.format(new Date())
    const set = await member.command('/calls timezone asia/tokyo')
    const clock = [before, time.format(new Date())].find((one) => set.text.includes(one))
    expect(set.text).toBe(
      `This conversation now uses Asia/Tokyo (UTC+09:00), where it's ${clock}. It's set for everyone here.`,
    )
    expect(told()).toEqual(["member set this channel's time zone to Asia/Tokyo (UTC+09:00)."])
    expect(await member.command('/calls timezone Asia/Tokyo')).toShow("It's set for everyone here")
    expect(told()).toHaveLength(1)
    expect(slack.callsTo('chat.postMessage')).toHaveLength(1)
    expect(await member.click(set, 'command.show-calls')).toShow('Asia/Tokyo')
  })

  it('goes back to the default', async () => {
    const { member, admin } = app
    await member.command('/calls timezone +05:30')
    const back = await member.command('/calls timezone default')
    expect(back).toShow('now uses Europe/Berlin (', "That's the workspace's time zone.")
    expect(told().at(-1)).toBe("member set this channel's time zone to the default.")
    expect(await admin.command('/billing audit')).toShow(
      `set the time zone in <#${app.slack.general.id}>: default`,
    )
  })

  it.each([
    ['that the app is not in', { isMember: false }, "Callboard isn't in"],
    ['of another company too', { isExtShared: true }, 'is shared with another company'],
    ['of another workspace too', { sharedWith: ['T0TEAM9'] }, 'belongs to another workspace'],
  ])('is not announced in a channel %s, and the person is told', async (_, fields, words) => {
    const { member, slack } = app
    const channel = slack.addChannel({ name: 'help', ...fields })
    const set = await slack.as(member.user, { channel }).command('/calls timezone Asia/Tokyo')
    expect(set).toShow('now uses Asia/Tokyo', 'The channel may not have been told.', words)
    expect(told(channel)).toEqual([])
    expect(slack.callsTo('chat.postMessage')).toEqual([])
  })

  it.each([
    ['takes no posts now', 'chat.postMessage', { status: 429, headers: { 'retry-after': '9' } }, 'right now'],
    ['gives no answer', 'chat.postMessage', { cut: true }, "didn't respond in time"],
  ])('is set even if Slack %s, and announced at most once', async (_, method, fault, words) => {
    const { member, slack } = app
    slack.failNext(method, fault)
    expect(await member.command('/calls timezone Asia/Tokyo')).toShow('now uses Asia/Tokyo', words)
    expect(slack.callsTo(method)).toHaveLength(1)
    expect(told()).toEqual([])
  })

  it('is not announced in a direct message', async () => {
    const { member, slack } = app
    const channel = slack.addChannel({ id: 'D0ANNA', name: 'directmessage', directWith: 'U0ANNA' })
    const set = await slack.as(member.user, { channel }).command('/calls timezone Asia/Tokyo')
    expect(set.text).toMatch(
      /^This conversation now uses Asia\/Tokyo \(UTC\+09:00\), where it's \d\d:\d\d\. It's set for everyone here\.$/,
    )
    expect(slack.callsTo('chat.postMessage')).toEqual([])
  })
})

describe('an unknown time zone', () => {
  it('is replaced by its only near match', async () => {
    for (const written of ['Berlin', 'Europe/Berlni'])
      expect(await app.member.command(`/calls timezone ${written}`)).toShow('uses Europe/Berlin')
    expect(told()).toEqual([expect.stringContaining('Europe/Berlin')])
  })

  it('lists three near matches, or explains the format if there are none', async () => {
    const { member } = app
    const { text } = await member.command('/calls timezone America')
    expect(text).toMatch(
      /I don't know the time zone "America"\. Did you mean `America.+`, `America.+` or `America.+`\?/,
    )
    const unknown = await member.command('/calls timezone Mars/Olympus')
    expect(unknown).toShow('the time zone "Mars/Olympus"', 'Europe/Berlin', '+05:30')
    expect(told()).toEqual([])
  })
})

it('/calls timezone offers the default if the channel has another zone', async () => {
  const { member } = app
  const inherited = await member.command('/calls timezone')
  expect(inherited).toShow("That's the workspace's time zone.")
  expect(inherited).not.toShow('Use default')
  await member.command('/calls timezone America/New_York')
  const own = await member.command('/calls timezone')
  expect(await member.click(own, 'command.use-default')).toShow('now uses Europe/Berlin')
})
