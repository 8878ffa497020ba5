import type { Core } from '../core.ts'
import { type Channel, payloadName, type Team } from '../directory.ts'
import type { User } from '../people.ts'
import type { Json } from '../shapes.ts'
import { getTeam, type Message, type Surface, type View } from '../surfaces.ts'
import { isEmpty, type StateValues } from './elements.ts'
import { Exchange } from './exchange.ts'
import type { ShortcutInput, WrittenMessage } from './inputs.ts'
import { messageJson, surfaceFields } from './payloads.ts'
import type { ResponseUrl } from './response-urls.ts'

// Parts of the requests that Slack sends for people.

interface Issuing {
  readonly team: Team
  readonly user: User
  readonly replies?: Pick<ResponseUrl, 'kind' | 'channel'> & { readonly original?: string }
}

/** Creates an exchange whose trigger_id opens a modal, and whose response_url, if any, accepts posts. */
export function begin(
  core: Core,
  { team, user, replies }: Issuing,
  createPayload: (issued: { readonly trigger_id: string; readonly response_url?: string }) => Json,
): Exchange {
  const { id, trigger } = core.triggers.issue(team, user.id)
  const issued = replies && core.responseUrls.issue({ team, user: user.id, original: undefined, ...replies })
  const responseUrl = issued && { response_url: `${core.origin}${issued.path}` }
  const exchange = new Exchange(createPayload({ trigger_id: id, ...responseUrl }), core.changes)
  trigger.exchange = exchange
  if (issued !== undefined) issued.url.exchange = exchange
  return exchange
}

/** Returns a person and their team; by default, the first workspace's member. */
export function getAuthor(
  { directory, workspace }: Core,
  user = workspace.people.member,
): { user: User; team: Team } {
  const team = directory.getTeam(user)
  if (team === undefined) throw new Error(`${user.name} is in no team`)
  return { user, team }
}

/** Returns the person who sees the message or view. @throws {Error} if another person was given */
export function getViewer({ directory, workspace }: Core, surface: Surface, user: User | undefined): User {
  const seenBy = surface.message === undefined ? surface.view.user : surface.message.onlyFor
  const owner = seenBy === undefined ? undefined : directory.user(getTeam(surface), seenBy)
  if (user !== undefined && owner !== undefined && user.id !== owner.id)
    throw new Error(`only ${owner.name} sees that, so ${user.name} cannot click on it`)
  return user ?? owner ?? workspace.people.member
}

export function getFirstChannel({ directory }: Core, { teamId, domain }: Team): Channel {
  const channel = directory.channels.find((one) => one.teamId === teamId)
  if (channel === undefined) throw new Error(`${domain} has no channel`)
  return channel
}

/** Returns the fields of a payload that describe the place of a click. */
export function describeSurface({ views, directory }: Core, surface: Surface): Json {
  if (surface.view !== undefined) return surfaceFields(surface, views.mustGet(surface.view).entered)
  const channel = directory.channel(surface.message.team, surface.message.channel)
  return surfaceFields(surface, undefined, channel && payloadName(channel))
}

const isOfApp = (message: Message | WrittenMessage): message is Message => 'via' in message

/** Returns the message of a shortcut and its channel. @throws {Error} if the message has no shortcuts */
export function getShortcutTarget(
  core: Core,
  { user, team }: { readonly user: User; readonly team: Team },
  message: ShortcutInput['message'],
): { json: Json; channel: Channel } {
  if (!isOfApp(message)) {
    const { channel = getFirstChannel(core, team), ...own } = message
    const json = { type: 'message', user: user.id, team: team.teamId, ts: core.ids.nextTs(), ...own }
    return { json, channel }
  }
  if (message.onlyFor !== undefined) throw new Error('an ephemeral message has no shortcuts')
  const channel = core.directory.channel(team, message.channel)
  if (channel === undefined) throw new Error('the message is in no channel')
  return { json: messageJson(message), channel }
}

/** @throws {Error} if Slack wouldn't submit the modal */
export function assertSubmittable(view: View, state: StateValues): void {
  if (view.submit === undefined) throw new Error('the view has no submit button')
  for (const block of view.blocks) {
    if (block.type !== 'input' || block.optional === true) continue
    const values = Object.values(state[block.block_id ?? ''] ?? {})
    if (values.some(isEmpty))
      throw new Error(`Slack would not submit: ${block.element?.action_id} is required`)
  }
}
