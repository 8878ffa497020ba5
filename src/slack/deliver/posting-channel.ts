import type { Actor } from '../access/guards.ts'
import { lacksScope } from '../access/scopes.ts'
import type { Channels } from '../api/channels.ts'
import { channelRefusal } from './failures.ts'

function mayNotJoinText({ installation, person }: Actor): string {
  const invite = channelRefusal('not-in')
  const { reinstallUrl } = installation
  if (!person.isAdmin || !reinstallUrl) return invite
  return `${invite} Or install Callboard again, and let it join public channels by itself: ${reinstallUrl}`
}

/**
 * Joins a public channel that the app isn't in. @param here the channel that the person is in
 * @returns why nothing can be posted there, as plain text for the error under a field @throws {SlackFailure}
 */
export async function joinOrRefuse(
  channels: Channels,
  here: { readonly actor: Actor; readonly channel: string; readonly channelName: string },
  channel: string,
): Promise<string | undefined> {
  const { actor } = here
  const isHere = channel === here.channel
  const state = await channels.getState(actor, channel, isHere ? here.channelName : '')
  // Only members of a channel learn its state. The app knows nothing of a channel that it can't see.
  const revealsState = !isHere && state !== 'direct' && state !== 'unknown'
  if (revealsState && !(await channels.hasMember(actor, channel))) return channelRefusal('hidden')
  if (state === 'ok') return undefined
  if (state !== 'not-in') return channelRefusal(state)
  if (lacksScope(actor.installation, 'channels:join')) return mayNotJoinText(actor)
  const hasJoined = await channels.join(actor.installation, channel)
  return hasJoined ? undefined : channelRefusal('not-in')
}
