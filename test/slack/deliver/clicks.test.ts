import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { Clicks } from '../../../src/slack/deliver/clicks.ts'
import { useApp } from '../../support/app.ts'
import { findNumber } from '../../support/find-number.ts'
import { sharePage } from '../../support/share-page.ts'

const app = useApp({ connected: true })

const retry = (direction: string, more: Record<string, string> = {}) => ({
  action_id: 'calls.retry',
  value: JSON.stringify({ direction, page: 1 }),
  ...more,
})

const click = (message: Message, action: ReturnType<typeof retry>, fields = {}) =>
  app.slack.clickRaw(app.url, { message, user: app.member.user, action, fields })

const shared = () => app.slack.messages().filter(({ onlyFor }) => onlyFor === undefined)

it.each([
  ['that Slack rejects twice', [503, 503], {}],
  ['for which Slack asks to wait longer than 3 s', [429], { 'retry-after': '4' }],
] as const)('an answer %s counts as a failure of Slack, and ends', async (_, statuses, headers) => {
  const message = await app.member.command('/calls')
  const { length } = app.slack.callsTo('response_url')
  for (const status of statuses) app.slack.failNext('response_url', { status, headers, body: 'down' })
  await click(message, retry('incoming'))
  await app.logged('"interaction":"calls.retry","outcome":"slack-unavailable"')
  await app.logged('Slack did not accept an answer', statuses.length)
  expect(app.slack.callsTo('response_url')).toHaveLength(length + statuses.length)
})

it('a click that arrives after a later one sends no request, and counts as superseded', async () => {
  const message = await app.member.command('/calls')
  await (await click(message, retry('outgoing'))).waitForMessage(5000)
  app.sandbox.requests.clear()
  await click(message, retry('incoming', { action_ts: '1000.000000' }))
  await app.logged('"interaction":"calls.retry","outcome":"superseded"')
  expect(app.sandbox.requests.count()).toBe(0)
})

it('a click whose answer is ready after that of a later one counts as superseded', async () => {
  const message = await app.member.command('/calls')
  const { promise: until, resolve } = Promise.withResolvers<void>()
  app.sandbox.faults.next({ kind: 'hold', until }, { operation: 'incoming' })
  await click(message, retry('incoming'))
  await (await click(message, retry('outgoing'))).waitForMessage(5000)
  resolve()
  await app.logged('"interaction":"calls.retry","outcome":"superseded"')
  expect(app.slack.messages().find(({ ts }) => ts === message.ts)).toShow('outgoing calls')
})

it('in a modal, the answer to the latest click stays, too', async () => {
  const { member, sandbox, slack, url } = app
  const view = await findNumber(slack, member, 'Call +44 20 7946 0042 back')
  const press = (direction: string) =>
    slack.clickRaw(url, { view, user: member.user, action: retry(direction) })
  const { promise: until, resolve } = Promise.withResolvers<void>()
  sandbox.faults.next({ kind: 'hold', until }, { operation: 'incoming' })
  await press('incoming')
  expect(await (await press('outgoing')).waitForView()).toShow('outgoing calls')
  resolve()
  await app.logged('"interaction":"calls.retry"', 2)
  expect(slack.view(view.id)).toShow('outgoing calls')
})

it('a click without a place for its answer sends no request', async () => {
  const message = await app.member.command('/calls')
  app.sandbox.requests.clear()
  await click(message, retry('incoming'), { response_url: undefined })
  await app.logged('"interaction":"calls.retry","outcome":"forged"')
  await app.logged('a click without a response_url')
  expect(app.sandbox.requests.count()).toBe(0)
})

it('a form that was submitted after a click on its message shows its result there', async () => {
  const { member, slack } = app
  const list = await member.command('/calls')
  const form = await member.open(list, 'calls.filter')
  await member.click(list, 'calls.page.next')
  await member.submit(form, { direction: 'outgoing' })
  await expect.poll(() => slack.messages().find(({ ts }) => ts === list.ts)).toShow('outgoing calls')
})

it('a share arrives even if another button was clicked before it was ready', async () => {
  const { member, slack } = app
  const list = await member.command('/calls outgoing yesterday')
  const { promise: until, resolve } = Promise.withResolvers<void>()
  slack.failNext('conversations.info', { until })
  await member.press(list, 'calls.share')
  await member.click(list, 'calls.direction')
  resolve()
  expect(await slack.waitFor(() => shared()[0])).toShow('Shared by')
})

it('the same click delivered twice shares once', async () => {
  const { member, slack, url } = app
  const message = await member.command('/calls')
  const click = await member.press(message, 'calls.share')
  await slack.waitFor(() => shared()[0])
  const again = await slack.raw(url, { body: `payload=${encodeURIComponent(JSON.stringify(click.payload))}` })
  expect(again.status).toBe(200)
  await app.logged('"interaction":"calls.share","outcome":"superseded"')
  expect(shared()).toHaveLength(1)
  await sharePage(app, member, message)
  expect(shared()).toHaveLength(2)
})

it('answers of one message are sent one after the other', async () => {
  const clicks = new Clicks(() => 0)
  const workspace = { enterpriseId: undefined, teamId: 'T1' }
  const clicked = (actionTs: string) => ({ workspace, userId: 'U1', channel: 'C1', message: '1.0', actionTs })
  const sent: string[] = []
  const send = (actionTs: string) => {
    const { promise: isSent, resolve } = Promise.withResolvers<void>()
    const done = clicks.runInTurn(clicked(actionTs), async () => {
      await isSent
      sent.push(actionTs)
      return true
    })
    return { done, resolve }
  }
  const [first, second] = [send('2.0'), send('3.0')]
  first.resolve()
  expect(await first.done).toBe(true)
  const third = send('4.0')
  third.resolve()
  await setImmediate()
  second.resolve()
  expect(await Promise.all([second.done, third.done])).toEqual([true, true])
  expect(sent).toEqual(['2.0', '3.0', '4.0'])
  expect([1, 2].map(() => clicks.markDelivered(clicked('')))).toEqual([true, true])
  const elsewhere = [{ userId: 'U2' }, { channel: 'C2' }, { message: '2.0' }]
  for (const other of elsewhere) expect(clicks.markIfNewest({ ...clicked('1.0'), ...other })).toBe(true)
})
