import type { Tenant } from '../../store/tenant.ts'
import { ForgedValueError, readOrigin, readTeam } from '../blocks/values.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import {
  type BlockActionsPayload,
  type EventPayload,
  getTeam,
  type ShortcutPayload,
} from '../inbound/payloads.ts'
import type { SlackEvent } from './routes.ts'

/** Who sent a payload, and from where. */
export interface Origin {
  readonly team: Tenant
  readonly userId: string
  readonly channel: string
  /** The payload's `channel_name`: `directmessage`, `privategroup`, or the channel's own; empty in a view. */
  readonly channelName?: string
  /** Commands, clicks and shortcuts have one: they may open a modal. */
  readonly triggerId?: string
  readonly modalId?: string | undefined
  /** Whether it was clicked in a modal or on the home tab. */
  readonly isInView?: boolean
}

/** @throws {ForgedValueError} for a view that this app did not make, or if no workspace is named */
export function readClickOrigin(payload: BlockActionsPayload): Origin {
  const { view, channel, container, user, trigger_id: triggerId } = payload
  if (view) {
    const modalId = view.type === 'modal' ? view.id : undefined
    return { ...readOrigin(view), userId: user.id, triggerId, modalId, isInView: true }
  }
  // Only our own messages carry their workspace.
  const team = readTeam(payload.actions[0].block_id).team ?? getTeam(payload)
  if (!team) throw new ForgedValueError('a click that names no workspace')
  const channelId = channel?.id ?? container?.channel_id ?? ''
  return { team, userId: user.id, channel: channelId, channelName: channel?.name ?? '', triggerId }
}

export const toClickPlace = (payload: BlockActionsPayload): ClickPlace => ({
  responseUrl: payload.response_url,
  message: payload.container?.message_ts ?? '',
  actionTs: payload.actions[0].action_ts,
  viewId: payload.view?.id,
})

/** @throws {ForgedValueError} if no workspace is named */
export function readShortcutOrigin(payload: ShortcutPayload): Origin {
  const { message, enterprise, user, channel, trigger_id: triggerId } = payload
  // In an organization, Slack may not say where the shortcut was chosen: then the message's workspace counts.
  const messageTeam = message.team ? { enterpriseId: enterprise?.id, teamId: message.team } : undefined
  const team = getTeam(payload) ?? messageTeam
  if (!team) throw new ForgedValueError('a shortcut that names no workspace')
  const place = { channel: channel.id, channelName: channel.name, isInView: true }
  return { team, userId: user.id, ...place, triggerId }
}

export function toSlackEvent(payload: EventPayload): SlackEvent {
  const { team_id: id, enterprise_id: enterpriseId, event, event_time: seconds } = payload
  const [authorization] = payload.authorizations
  // The id of an organization isn't a team.
  const organization = id?.startsWith('E') ? id : undefined
  const team = {
    enterpriseId: enterpriseId ?? authorization?.enterprise_id ?? organization,
    teamId: organization === undefined ? (id ?? '') : '',
  }
  const isOrganisation = authorization?.is_enterprise_install ?? team.teamId === ''
  return { team, isOrganisation, at: seconds * 1000, event }
}
