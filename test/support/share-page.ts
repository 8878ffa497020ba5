import type { Actor, Message } from '../../dev/slack/slack.ts'
import type { TestApp } from './app.ts'

/** Clicks a share button. @returns the post that everyone sees, or the answer that says why there is none */
export async function sharePage(
  { slack, clock }: TestApp,
  by: Actor,
  list: Message,
  action = 'calls.share',
): Promise<Message> {
  // Slack accepts one post a second.
  clock.ahead += 2000
  const before = new Set(slack.messages().map(({ ts }) => ts))
  await by.press(list, action)
  return slack.waitFor(() => slack.messages().find(({ ts }) => !before.has(ts)))
}
