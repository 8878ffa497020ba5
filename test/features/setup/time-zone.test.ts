import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

it('is set for the channel, without a post', async () => {
  const { member, slack } = app
  app.clock.ahead = Date.parse('2026-11-23T15:00:00Z') - Date.now()
  const set = await member.command('/calls timezone asia/tokyo')
  expect(set.text).toMatch(/^This conversation now uses Asia\/Tokyo \(UTC\+09:00\), where it's 00:0/)
  expect(set).toShow(". It's set for everyone here.")
  const again = await member.command('/calls timezone Asia/Tokyo')
  expect(again).toShow('This conversation uses Asia/Tokyo', "It's set for everyone here")
  expect(slack.callsTo('chat.postMessage')).toEqual([])
  expect(await member.click(set, 'command.show-calls')).toShow('Asia/Tokyo')
  const elsewhere = slack.as(member.user, { channel: slack.addChannel({ name: 'elsewhere' }) })
  expect(await elsewhere.command('/calls timezone')).toShow('Europe/Berlin')
  // This form is for the whole workspace.
  expect(await app.admin.open('/calls connect')).not.toShow('Asia/Tokyo')
})

it('goes back to the default', async () => {
  const { member, admin, slack } = app
  expect(await member.command('/calls timezone')).toShow("That's the workspace's time zone.")
  expect(await member.command('/calls timezone +05:30')).toShow('`/calls timezone default`')
  const back = await member.command('/calls timezone Default')
  expect(back).toShow('now uses Europe/Berlin (', "That's the workspace's time zone.")
  expect(await admin.command('/billing audit')).toShow(`set the time zone in <#${slack.general.id}>: default`)
})

it.each(['Berlin', 'Europe/Berlni'])('%s is replaced by its only near match, and says so', async (name) => {
  const set = await app.member.command(`/calls timezone ${name}`)
  const correction = `I understood "${name}" as Europe/Berlin.`
  expect(set).toShow(correction, 'now uses Europe/Berlin')
  expect(await app.member.command(`/calls timezone ${name}`)).toShow(correction, 'uses Europe/Berlin')
})

it('lists three near matches of an unknown name, or explains the format if there are none', async () => {
  const { text } = await app.member.command('/calls timezone America')
  expect(text).toMatch(/time zone "America"\. Did you mean `America.+`, `America.+` or `America.+`\?/)
  const unknown = await app.member.command('/calls timezone Mars/Olympus')
  expect(unknown).toShow('the time zone "Mars/Olympus"', 'Europe/Berlin', '+05:30')
})
