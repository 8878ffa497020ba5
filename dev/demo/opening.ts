import { setTimeout as sleep } from 'node:timers/promises'
import { type Milliseconds, minuteMs } from '../../src/util/units.ts'
import { elementsIn } from '../slack/actions/elements.ts'
import type { Message } from '../slack/slack.ts'
import type { DemoParts } from './parts.ts'

/** Names of the account's own numbers, in the order of the form. */
export const lineNames = ['Sales Washington', 'Sales Paris', 'Sales London', 'Support Berlin']
/** Lines on which calls are missed, by their place in that order. */
const missedOn = [3, 2, 3]
const PAUSE_MS: Milliseconds = minuteMs
/** Time until Ben takes the calls. */
const WAIT_MS: Milliseconds = 3 * PAUSE_MS
/** Duration of the opening by the demo's clock: a pause before each missed call and before Ben asks, and his wait. */
export const OPENING_MS: Milliseconds = (missedOn.length + 1) * PAUSE_MS + WAIT_MS

const has = ({ blocks }: Message, actionId: string) =>
  elementsIn(blocks).some(({ element }) => element.action_id === actionId)

/**
 * Plays what happened before the demo opens: Ada connects the account, names its lines and adds an alert; calls are missed;
 * Ben takes them and asks about a number.
 */
export async function playOpening(demo: DemoParts): Promise<void> {
  const { slack, sandbox, workspaces, userMessages, traffic, customer, clock } = demo
  const [{ people, channels, account }] = workspaces
  const [{ user: ada }, { user: ben }] = people
  const [{ channel }] = channels
  const phone = sandbox.accounts[account]
  const numbers = phone.billing.addOn.numbers.map(({ number }) => number).sort()
  const [admin, colleague] = [slack.as(ada, { channel }), slack.as(ben, { channel })]

  async function fillIn(command: string, values: Record<string, string>): Promise<void> {
    const { views } = await traffic.record(command, () => admin.type(command))
    await admin.submit(await slack.waitFor(() => views.find(({ submit }) => submit !== undefined)), values)
  }

  await fillIn('/calls connect', { key: phone.key, secret: phone.secret })
  await fillIn('/calls lines', Object.fromEntries(lineNames.map((name, n) => [`line-${n}`, name])))
  await fillIn('/calls alert', {})
  for (const line of missedOn) {
    clock.moveBy(PAUSE_MS)
    phone.missCalls(1, { line: numbers[line] })
  }
  const posted = () => slack.messages({ channel }).find((message) => has(message, 'alert.take'))
  const alert = await slack.waitFor(posted, 8000)
  // The app notes when it posted the message once Slack has answered.
  await sleep(200)
  clock.moveBy(WAIT_MS)
  await traffic.record('Clicks Take all', () => colleague.press(alert, 'alert.take'))
  await colleague.sees(alert, 'Taken by')
  clock.moveBy(PAUSE_MS)
  for (const view of slack.openViews()) slack.closeView({ view, user: ada })
  slack.endSession(ada)
  const text = `A customer writes that nobody calls back. When did we last call ${customer}?`
  userMessages.add({ channel: channel.id, author: ben.id, onlyFor: undefined, text })
}
