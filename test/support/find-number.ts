import { readableText } from '../../dev/slack/readable-text.ts'
import type { Actor, Message, Slack, View } from '../../dev/slack/slack.ts'

/** Chooses *Find calls by number* in the menu of a message, and returns its final modal. */
export async function findNumber(
  slack: Slack,
  actor: Actor,
  message: string | Message | Readonly<{ text: string; thread_ts?: string }>,
  callback = 'calls.find-number',
): Promise<View> {
  const { id } = await actor.shortcut(callback, message)
  const ready = () => {
    const view = slack.view(id)
    return view && !readableText(view).includes('One moment…') ? view : undefined
  }
  return slack.waitFor(ready)
}
