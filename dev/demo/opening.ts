import { elementsIn } from '../slack/actions/elements.ts'
import type { Message } from '../slack/slack.ts'
import { firstCommand } from './tour.ts'
import type { TrafficLog } from './traffic.ts'
import type { UserMessages } from './user-messages.ts'
import type { DemoParts } from './workspaces.ts'

const has = ({ blocks }: Message, actionId: string) =>
  elementsIn(blocks).some(({ element }) => element.action_id === actionId)

type Parts = Pick<DemoParts, 'slack' | 'sandbox' | 'appUrl' | 'workspaces'> & {
  readonly userMessages: UserMessages
  readonly traffic: TrafficLog
}

/**
 * What went before the demo opens, done as people do it: the account is connected where it isn't yet, somebody asks what was
 * missed, and a colleague looks it up and shares it.
 */
export async function playOpening({
  slack,
  sandbox,
  workspaces,
  userMessages,
  traffic,
}: Parts): Promise<void> {
  const [{ people, channels, account }] = workspaces
  const [{ user: ada }, { user: ben }] = people
  const [{ channel }] = channels
  const actor = slack.as(ada, { channel })
  const lookUp = async () =>
    (await traffic.record(firstCommand, () => actor.type(firstCommand))).waitForMessage()

  const text = 'What did we miss yesterday?'
  userMessages.add({ channel: channel.id, author: ben.id, onlyFor: undefined, text })
  let list = await lookUp()
  if (has(list, 'setup.connect')) {
    const { key, secret } = sandbox.accounts[account]
    // Not by the refusal's button: what answers that would come after the session's end.
    const { id } = await actor.submit(await actor.open('/calls connect'), { key, secret })
    const notice = slack.view(id)
    if (notice) slack.closeView({ view: notice, user: ada })
    list = await lookUp()
  }
  // An earlier demo may have connected another account, or none of whose calls was missed.
  if (has(list, 'calls.share')) {
    const shared = await traffic.record('Shares the list', () => actor.press(list, 'calls.share'))
    await shared.waitForMessage()
  }
  slack.endSession(ada)
}
