import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../../src/util/units.ts'
import { Watched } from '../../features/alerts/watched.ts'
import { eachKind, Schedules } from '../../features/subscriptions/schedules.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

/** Bodies with status 200 that proxies, captive portals and Slack's own gateways send. */
const notSlack = [
  '<html><body>Scheduled maintenance: {"ok":false,"error":"forbidden"}</body></html>',
  'forbidden',
  'null',
  '[]',
  { error: 'forbidden' },
  { ok: false, error: 'Access denied by policy' },
]

describe.each(eachKind)('a schedule of the kind %s', (_, kind) => {
  it.each(notSlack)("doesn't stop if Slack's response is %j", async (body) => {
    const schedules = new Schedules(app, kind)
    const finance = await schedules.add()
    app.slack.failNext('chat.postMessage', { status: 200, body })
    await schedules.pass()
    expect(schedules.notices().join()).not.toContain('have stopped')
    expect(await schedules.list()).toShow('Next: ')
    await schedules.pass()
    expect(schedules.posts(finance)).toHaveLength(1)
  })
})

it.each(notSlack)("an alert isn't paused if Slack's response is %j", async (body) => {
  const watched = new Watched(app)
  await watched.connect()
  const channel = await watched.add()
  app.slack.failNext('chat.postMessage', { status: 200, body })
  watched.miss(1)
  await watched.watch(3)
  expect(watched.notices()).toEqual([])
  await watched.pass(minuteMs)
  expect(watched.posts(channel)).toHaveLength(1)
})

it.each(notSlack)("an answer is sent again if the response_url's response is %j", async (body) => {
  const { member, slack } = app
  const list = await member.command('/calls')
  const before = slack.callsTo('response_url').length
  slack.failNext('response_url', { status: 200, body })
  expect(await member.click(list, 'calls.page.next')).toShow('Page 2 of')
  expect(slack.callsTo('response_url')).toHaveLength(before + 2)
})
