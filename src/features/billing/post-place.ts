import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { channelRefusal } from '../../slack/answers/channel-texts.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { notInItMessage, notInItNote, refusedMessage } from './post-texts.ts'

/** `<#C123|name>`, as Slack writes a channel that was chosen from its suggestions. */
export const channelWord = (word: Word | undefined): string | undefined =>
  word?.key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word?.value ?? '')?.[1] : undefined

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
  { channels, guards }: Pick<Services, 'channels' | 'guards'>,
  { actor, channel: here, channelName }: Interaction,
  channel: string,
): Promise<PostPlace> {
  const { installation, person } = actor
  const { state, name } = await channels.find(actor, channel, channel === here ? channelName : '')
  if (state !== 'ok') {
    const mayTryAgain = state === 'not-in' || state === 'unknown'
    return { refusal: { message: refusedMessage(channelRefusal(state, channel), channel, { mayTryAgain }) } }
  }
  const found = { channelName: name }
  if (channel === here || (await channels.hasMember(installation, channel, person.id))) return found
  return (await guards.may(actor, 'admin'))
    ? { ...found, note: notInItNote(channel) }
    : { refusal: { message: notInItMessage(channel) } }
}
