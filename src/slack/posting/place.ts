import type { Guards } from '../access/guards.ts'
import type { Answer } from '../answers/answer.ts'
import { channelRefusal } from '../answers/failures.ts'
import type { Channels } from '../api/channels.ts'
import type { Interaction } from '../routing/routes.ts'
import { notInItNote, type PostMessages } from './messages.ts'

/** A channel for a post. */
interface PostPlace {
  /** Why there is none to be made; the rest is nothing then. */
  readonly refusal?: Answer
  /** What the person has to know first. mrkdwn. */
  readonly note?: string
  /** Without the `#`. */
  readonly channelName?: string | undefined
}

/**
 * What keeps a person from posting there, or what they have to know before. In the channel that they write in they are;
 * elsewhere Slack is asked, and whoever is not in it needs to be an administrator.
 * @throws {SlackUnavailableError | TokenRefusedError | StoreError}
 */
export async function lookAt(
  { channels, guards }: { readonly channels: Channels; readonly guards: Guards },
  { actor, channel: here, channelName }: Interaction,
  channel: string,
  messages: PostMessages,
): Promise<PostPlace> {
  const { installation, person } = actor
  const { state, name } = await channels.find(actor, channel, channel === here ? channelName : '')
  if (state !== 'ok') {
    const mayTryAgain = state === 'not-in' || state === 'unknown'
    return {
      refusal: { message: messages.refused(channelRefusal(state, channel), channel, { mayTryAgain }) },
    }
  }
  const found = { channelName: name }
  if (channel === here || (await channels.hasMember(installation, channel, person.id))) return found
  return (await guards.may(actor, 'admin'))
    ? { ...found, note: notInItNote(channel) }
    : { refusal: { message: messages.notInIt(channel) } }
}
