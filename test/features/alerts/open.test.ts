import { expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../../src/util/units.ts'
import { getRows } from '../../support/shown.ts'
import { direct, rowsOfFile } from '../export/exports.ts'
import { createSlackbot } from '../slackbot/slackbot.ts'
import { refused, useWatched } from './watched.ts'

const { app, watched } = useWatched({ time: '06:00' })

it('names in the file of an export who took and who finished calls, and when in its zone', async () => {
  const { member, admin, slack } = app
  const { post } = await watched.posted()
  await watched.take(post)
  await watched.pass(5 * minuteMs)
  await watched.finish(post, admin)
  await member.command('/calls timezone Asia/Tokyo')
  await member.command('/calls export missed today')
  await direct(slack, member, 'Here is 1 missed call')
  const [taken, done] = [expect.stringMatching(/ 15:0[1-4]:/), expect.stringMatching(/ 15:0[6-9]:/)]
  expect(rowsOfFile(slack, member)).toMatchObject([
    { 'Taken by': 'member', 'Taken at': taken, 'Done at': done },
  ])
})

it("leaves out the person's other channels, and messages that Slack refused, or are old or done", async () => {
  const { member, slack } = app
  const channel = await watched.add()
  slack.failNext('chat.postMessage', refused('restricted_action'))
  await watched.missed(1)
  expect(await member.command('/calls open')).toShow('No missed calls are waiting', 'Missed calls')
  await watched.watch(10)
  const post = watched.post(channel)
  app.clock.ahead += 8 * dayMs
  expect(await member.command('/calls open')).toShow('No missed calls are waiting')
  app.clock.ahead -= 8 * dayMs
  const outsider = slack.addPerson({ name: 'outsider' })
  channel.members = [member.user.id]
  expect(await slack.as(outsider).command('/calls open')).toShow('No missed calls are waiting')
  await watched.finish(post)
  expect(await member.command('/calls open')).toShow('No missed calls are waiting')
})

it('shows an alert in direct messages, and who closed it, only to the person who gets it', async () => {
  const { member, admin, slack } = app
  await member.sees(await watched.alerts.add({ where: 'direct' }, member), 'Saved.')
  await app.jobsDone()
  await watched.missed(1)
  expect(await member.command('/calls open')).toShow('Your direct messages')
  expect(await admin.command('/calls open')).toShow('No missed calls are waiting')
  const post = await slack.waitFor(() => slack.messages().find(({ text }) => text.startsWith('Missed call')))
  await watched.finish(post)
  expect(await member.command('/calls missed')).toShow('Done by member')
  expect(await admin.command('/calls missed')).not.toShow('Done by')
})

it('finishes what a person took in a channel that they left, if a direct message shows it', async () => {
  const { member, admin } = app
  await member.sees(await watched.alerts.add({ where: 'direct' }), 'Saved.')
  const { post, channel } = await watched.posted()
  await watched.take(post)
  channel.members = [admin.user.id]
  const list = await member.command('/calls mine open')
  expect(list).toShow('Your direct messages')
  expect(await member.click(list, 'calls.open.done')).toShow('You have no calls to finish')
})

it('comes first on Home of those who can see calls, and is a list for Slackbot', async () => {
  const { member, admin } = app
  const { post } = await watched.posted()
  expect(await member.openHome()).toShow('A missed call has been waiting since ')
  const slackbot = await createSlackbot(app)
  const answer = await slackbot.call('list_calls', { open: true }, member.user)
  expect(answer.text).toContain('A missed call has been waiting since ')
  const report = await slackbot.call('report_calls', { by: 'person' }, member.user)
  expect(report.text).toContain('A missed call is waiting')
  await watched.take(post)
  await watched.missed(1)
  expect(await member.openHome()).toShow('You have 1 call to finish. A missed call has been waiting since ')
  const place = { channel: app.slack.general.id, at: watched.now }
  const ada = { person: 'U1', name: 'Ada', at: watched.now }
  for (let n = 0; n < 10; n += 1)
    await watched.alerts.missed(place.at, { shownIn: [{ ...place, message: `A${n}` }], taken: ada })
  const { buttons } = await slackbot.call('list_calls', { open: true }, member.user)
  expect(buttons[0]?.args).toEqual({ open: true, page: 2 })
  const list = await member.command('/calls open')
  expect(await member.click(list, 'calls.open.page.next')).toShow('Page 2 of 2', 'Taken, not done')
  const taken = await member.click(await member.command('/calls taken'), 'calls.open.page.next')
  expect(taken).toShow('11 calls taken, not done', 'Page 2 of 2')
  expect(await member.click(taken, 'calls.open.done')).toShow("It's too old", 'Page 2 of 2')
  await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
  expect(await member.openHome()).not.toShow('waiting', 'to finish')
})

it('shows the calls of the message, not all of the day', async () => {
  const { channel } = await watched.posted(3)
  await watched.pass(11 * minuteMs)
  const [call] = await watched.missed(2)
  const list = await app.member.click(watched.posts(channel).at(-1)!, 'alert.show')
  expect(getRows(list)).toHaveLength(2)
  expect(list).toShow('2 missed calls')
  watched.account.addCalls({ ...call!, id: 'another', direction: 'outgoing' })
  expect(await app.member.click(list, 'calls.direction')).toShow('1 unanswered outgoing call')
})
