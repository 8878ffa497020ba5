import { beforeEach, expect, it } from 'vitest'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { getActions, getHead, getRows } from '../../support/shown.ts'
import { createSlackbot } from '../slackbot/slackbot.ts'
import { createCall } from './calls.ts'

const app = useApp({ connected: true })
const quiet = () => app.sandbox.accounts.quiet

/** Adds an outgoing call, some hours ago. */
function dial(number: string, hoursAgo: number, answered: boolean): void {
  const at = new Date(Date.now() + app.clock.ahead - hoursAgo * hourMs)
  quiet().addCalls(createCall(number, at, { answered, agentId: quiet().agents[0]?.id ?? '' }))
}

beforeEach(async () => {
  // Noon UTC, so that all hours of a test are of one day.
  app.clock.ahead = 36 * hourMs - (Date.now() % (24 * hourMs))
  await app.connect(quiet())
  await app.member.command('/calls timezone UTC')
  dial('+442079460001', 1, false)
  dial('+442079460001', 2, false)
  dial('+442079460002', 4, false)
  dial('+442079460002', 3, true)
  dial('+442079460003', 6, true)
  dial('+442079460003', 5, false)
  dial('+442079460004', 25, false)
  dial('+442079460005', 26, false)
  dial('+442079460005', 7, true)
  app.sandbox.requests.clear()
})

it('lists the numbers that were dialed and not reached since, with one reading of outgoing calls', async () => {
  const { member, sandbox } = app
  const today = await member.command('/calls unreached')
  expect(today.onlyFor).toBe(member.user.id)
  expect(today).toShow('2 unreached numbers today')
  expect(getHead(today)).toEqual(['Number', 'Last try', 'Tries'])
  expect(getRows(today)).toEqual([
    ['+44 20 7946 0001', '11:00', '2'],
    ['+44 20 7946 0003', '07:00', '1'],
  ])
  expect(sandbox.requests.count()).toBe(1)
  expect(sandbox.requests.count('outgoing')).toBe(1)
  expect(getActions(today)).toEqual(['calls.show.unanswered', 'calls.unreached.show.week'])
  const week = await member.click(today, 'calls.unreached.show.week')
  // On Sundays, these are the days of this week.
  expect(week.text).toMatch(/^3 unreached numbers (in the last 7 days|this week)/)
  expect(await member.click(week, 'calls.show.unanswered')).toShow('6 unanswered outgoing calls')
})

it('leaves out a number that was reached after the days asked for', async () => {
  const yesterday = await app.member.command('/calls yesterday unreached')
  expect(yesterday).toShow('1 unreached number yesterday', '+44 20 7946 0004')
  expect(getRows(await app.member.command('/calls unreached until yesterday'))).toEqual(getRows(yesterday))
})

it('lists a number that was tried on these days and again later, with all tries', async () => {
  dial('+442079460004', 1, false)
  const yesterday = await app.member.command('/calls yesterday unreached')
  expect(getRows(yesterday)).toEqual([['+44 20 7946 0004', '11:00', '2']])
})

it('takes an agent, and says that everybody was reached, or that no number was dialed', async () => {
  const { member } = app
  const [agent] = quiet().agents
  const ofAgent = await member.command(`/calls unreached agent:${agent?.id}`)
  expect(ofAgent).toShow(`${agent?.name}: 2 unreached numbers today`)
  for (const words of ['unreached mine', 'unreached me', 'my unreached', 'mine callbacks today'])
    expect(await member.command(`/calls ${words}`)).toShow('Which agent are you?')
  dial('+442079460001', 0.5, true)
  dial('+442079460003', 0.5, true)
  const none = await member.command('/calls unreached')
  expect(none).toShow('No unreached numbers today', 'Every number that was dialed today has been reached.')
  expect(await member.command('/calls unreached 2018-12-24')).toShow('No number was dialed on 24 Dec 2018.')
  expect(await member.command('/calls unreachd')).toShow('Did you mean this?')
})

it('turns pages from one reading, and begins with a new one', async () => {
  const { member, sandbox } = app
  for (let n = 10; n < 30; n += 1) dial(`+4420794600${n}`, 8, false)
  const first = await member.command('/calls unreached')
  expect(first).toShow('22 unreached numbers today', 'Page 1 of 2 · 1–20 of 22')
  sandbox.requests.clear()
  const second = await member.click(first, 'calls.unreached.page.next')
  expect(second).toShow('Page 2 of 2 · 21–22 of 22')
  expect(sandbox.requests.count()).toBe(0)
  for (const other of ['calls.show.unanswered', 'calls.unreached.show.week'])
    expect(await member.click(second, other)).toShow('Page 1 of 2')
  dial('+442079460001', 0.5, true)
  expect(await member.command('/calls unreached')).toShow('21 unreached numbers today')
})

it('can be tried again if the service fails', async () => {
  const { member, sandbox } = app
  sandbox.faults.always({ kind: 'status', status: 503 })
  const failed = await member.command('/calls unreached')
  expect(failed).toShow("The phone service isn't responding.")
  sandbox.faults.clear()
  await expect
    .poll(async () => getRows(await member.click(failed, 'calls.unreached.show.retry')).length)
    .toBe(2)
})

it('is a list for Slackbot, and a line on Home of those who can see calls', async () => {
  const { admin, member } = app
  const slackbot = await createSlackbot(app)
  const answer = await slackbot.call('list_calls', { unreached: true }, member.user)
  expect(answer.text).toContain('> 2 unreached numbers today')
  expect(answer.text).toContain('> | +44 20 7946 0001 | 12:00 | 2 |')
  const home = await member.openHome()
  expect(home).toShow('4 outgoing calls today had no answer')
  expect(await member.open(home, 'command.unreached')).toShow('2 unreached numbers today')
  for (let n = 10; n < 30; n += 1) dial(`+4420794600${n}`, 8, false)
  const ofAgent = { unreached: true, agent: quiet().agents[0]?.id }
  const { buttons } = await slackbot.call('list_calls', ofAgent, member.user)
  expect(buttons[0]?.args).toMatchObject({ ...ofAgent, page: 2 })
  await admin.submit(await admin.open('/billing settings'), { calls: 'admins' })
  expect(await member.openHome()).not.toShow('had no answer')
})
