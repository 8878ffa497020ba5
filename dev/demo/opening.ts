import { elementsIn } from '../slack/actions/elements.ts'
import { isView } from '../slack/readable-text.ts'
import type { Message, View } from '../slack/slack.ts'
import type { DemoClock } from './demo-clock.ts'
import type { TrafficLog } from './traffic.ts'
import type { UserMessages } from './user-messages.ts'
import type { DemoParts } from './workspaces.ts'

/** By the account's own numbers in order, as the form for their names has them. */
const lineNames = ['Sales Washington', 'Sales Paris', 'Sales London', 'Support Berlin']
/** Their places in that order. */
const missedOn = [3, 2, 3]

const has = ({ blocks }: Message, actionId: string) =>
  elementsIn(blocks).some(({ element }) => element.action_id === actionId)

type Parts = Pick<DemoParts, 'slack' | 'sandbox' | 'workspaces' | 'customer'> & {
  readonly userMessages: UserMessages
  readonly traffic: TrafficLog
  readonly clock: DemoClock
}

/**
 * What went before the demo opens, done as people do it: the account is connected, its lines are named and an alert is set up
 * where they aren't yet; calls are missed, and a colleague takes them and asks for a number.
 */
export async function playOpening(parts: Parts): Promise<void> {
  const { slack, sandbox, workspaces, userMessages, traffic, customer, clock } = parts
  const [{ people, channels, account }] = workspaces
  const [{ user: ada }, { user: ben }] = people
  const [{ channel }] = channels
  const phone = sandbox.accounts[account]
  const numbers = phone.billing.addOn.numbers.map(({ number }) => number).sort()
  const [admin, colleague] = [slack.as(ada, { channel }), slack.as(ben, { channel })]

  /** The form that a command opens, or what it answers in place of it. */
  async function ask(command: string): Promise<Message | View> {
    const { views, messages } = await traffic.record(command, () => admin.type(command))
    return slack.waitFor(() => views.find(({ submit }) => submit !== undefined) ?? messages[0])
  }

  try {
    let naming = await ask('/calls lines')
    if (!isView(naming)) {
      // Not by the refusal's button: what answers that would come after the session's end.
      await admin.submit(await admin.open('/calls connect'), { key: phone.key, secret: phone.secret })
      naming = await ask('/calls lines')
    }
    const names = lineNames.map((name, index) => [`line-${index}`, name] as const)
    const isNamed = naming.blocks.some(({ element }) => element?.['initial_value'] !== undefined)
    if (isView(naming) && !isNamed) await admin.submit(naming, Object.fromEntries(names))
    const alerts = await ask('/calls alert')
    if (isView(alerts)) await admin.submit(alerts)

    const pause = clock.behindMs / (missedOn.length + 2)
    for (const line of missedOn) {
      clock.catchUp(pause)
      phone.missCalls(1, { line: numbers[line] })
    }
    // An earlier demo may have muted the alert, or connected another account.
    const posted = () => slack.messages({ channel }).find((message) => has(message, 'alert.take'))
    const alert = await slack.waitFor(posted, 8000)
    clock.catchUp(pause)
    await traffic.record("Clicks I'll take it", () => colleague.press(alert, 'alert.take'))
    await colleague.sees(alert, 'Taken by')
  } finally {
    clock.catchUp()
    for (const view of slack.openViews()) slack.closeView({ view, user: ada })
    slack.endSession(ada)
    const text = `A customer writes that nobody calls back. When did we last call ${customer}?`
    userMessages.add({ channel: channel.id, author: ben.id, onlyFor: undefined, text })
  }
}
