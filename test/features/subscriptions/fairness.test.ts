import { expect, it } from 'vitest'
import type { Actor, Message } from '../../../dev/slack/slack.ts'
import { dayMs, hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { installTeam, withOAuth } from '../../support/oauth.ts'
import { weekly } from './schedules.ts'

// Requests of slow accounts outlast the test.
const app = useApp({ ...withOAuth, runtime: { service: { timeoutMs: 60_000 } } })

/** Schedules posts to the admin of a new workspace. */
async function addSchedules(times: readonly string[]): Promise<Actor> {
  const { admin } = await installTeam(app.slack)
  await app.connect(app.sandbox.accounts.lively, admin)
  for (const time of times) {
    const form = await admin.open('/billing schedule')
    expect(await admin.submit(form, { where: 'direct', ...weekly, time })).toShow('Saved')
  }
  return admin
}

it('posts of slow accounts delay no other workspace', async () => {
  const { slack, sandbox, clock } = app
  for (let n = 0; n < 3; n += 1) await addSchedules(['09:00', '09:01', '09:02', '09:03', '09:04', '09:05'])
  const other = await addSchedules(['12:00'])
  const isPost = ({ channel, text }: Message) =>
    channel === slack.directChannel(other.user)?.id && text.startsWith('Billing')
  const { promise: until, resolve: answer } = Promise.withResolvers<void>()
  const before = sandbox.requests.count('billing')
  sandbox.faults.next({ kind: 'hold', until }, { operation: 'billing', times: 18 })
  // After 09:05 and before 12:00 in Berlin.
  const dueAt = Math.floor(Date.now() / dayMs + 3) * dayMs + 9 * hourMs
  clock.ahead = dueAt - Date.now()
  await expect.poll(() => sandbox.requests.count('billing') - before).toBeGreaterThanOrEqual(5)
  sandbox.faults.clear()
  clock.ahead += 3 * hourMs
  expect(await slack.waitFor(() => slack.messages().find(isPost))).toShow('Business Plus')
  answer()
  await app.jobsDone()
})
