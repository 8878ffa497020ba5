import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'
import type { Installation } from './installations.ts'
import { slackErrorCode, slackFailure } from './web-api.ts'

/** Why a channel takes no post; `ok` where it does. */
export type ChannelState = 'ok' | 'unknown' | 'not-in' | 'archived' | 'shared' | 'org-shared' | 'direct'

/** https://docs.slack.dev/reference/objects/conversation-object */
const conversationInfo = z.object({
  channel: z.object({
    name: z.string().optional(),
    is_member: z.boolean().default(false),
    is_archived: z.boolean().default(false),
    is_ext_shared: z.boolean().default(false),
    is_pending_ext_shared: z.boolean().default(false),
    /** With another company, or with other workspaces of the organisation. */
    is_shared: z.boolean().default(false),
    is_org_shared: z.boolean().default(false),
    is_global_shared: z.boolean().default(false),
    shared_team_ids: z.array(z.string()).default([]),
    internal_team_ids: z.array(z.string()).default([]),
    context_team_id: z.string().nullish(),
    is_im: z.boolean().default(false),
    is_mpim: z.boolean().default(false),
  }),
})

type ConversationInfo = z.infer<typeof conversationInfo>['channel']

/**
 * Whether another workspace of the organisation sees the channel too, or it alone: an organisation's token reaches the
 * channels of all its workspaces. An organisation's id (E…) alone says nothing of either.
 */
function isOfAnotherWorkspace(info: ConversationInfo, { teamId }: Tenant): boolean {
  const teams = new Set([...info.shared_team_ids, ...info.internal_team_ids])
  const isAnother = (id: string) => id.startsWith('T') && id !== teamId
  return (
    info.is_shared ||
    info.is_org_shared ||
    info.is_global_shared ||
    teams.size > 1 ||
    [...teams, info.context_team_id ?? ''].some(isAnother)
  )
}

function stateOf(info: ConversationInfo, team: Tenant): ChannelState {
  if (info.is_im || info.is_mpim) return 'direct'
  if (info.is_archived) return 'archived'
  if (info.is_ext_shared || info.is_pending_ext_shared) return 'shared'
  if (isOfAnotherWorkspace(info, team)) return 'org-shared'
  return info.is_member ? 'ok' : 'not-in'
}

const membersPage = z.object({ members: z.array(z.string()) })
const membersPerPage = 999
const mostMemberPages = 20

/** What a channel that can't be seen answers: private without the app in it, or none at all. */
const invisibleCodes = ['channel_not_found', 'missing_scope', 'method_not_supported_for_channel_type']

/** https://docs.slack.dev/reference/methods/conversations.join#errors: it takes an invitation then. */
const notJoinedCodes = [
  'missing_scope',
  'method_not_supported_for_channel_type',
  'restricted_action',
  'channel_not_found',
  'is_archived',
]

/** `missing_scope`, where only what this app never asks for would do: it is a direct message, or a group of them. */
const directScopes = z.object({ data: z.object({ needed: z.string().regex(/^(m?p?im:read,?)+$/) }) })

/**
 * Whether it is a direct message or a group of them, as far as its id and its name in a payload show: a group's id is like
 * a channel's, and under the name `privategroup` it may be either.
 */
export const isDirectConversation = (channel: string, name = ''): boolean =>
  /^D/.test(channel) || name === 'directmessage' || name.startsWith('mpdm-')

/** A channel as Slack has it now. `name` is without the `#`; Slack gives none for a channel that the app can't see. */
interface FoundChannel {
  readonly state: ChannelState
  readonly name?: string | undefined
}

interface ChannelsOf {
  readonly installation: Installation
  readonly team: Tenant
}

export class Channels {
  readonly #webApi: WebClient
  /** By tenant and channel: those that could be posted to within the last minute. */
  readonly #open: BoundedMap<true>

  constructor({ webApi, now }: { webApi: WebClient; now: () => EpochMs }) {
    this.#webApi = webApi
    this.#open = new BoundedMap({ max: 20_000, ttlMs: minuteMs, now })
  }

  /**
   * Asks Slack, each time: a channel may be shared or archived at any moment; but for direct messages, of which this app
   * may not ask.
   * @param name what the payload calls it, where there is one
   * @throws {SlackUnavailableError | TokenRefusedError}
   */
  async find({ installation, team }: ChannelsOf, channel: string, name?: string): Promise<FoundChannel> {
    if (isDirectConversation(channel, name)) return { state: 'direct' }
    try {
      const response = await this.#webApi.conversations.info({ token: installation.botToken, channel })
      const info = conversationInfo.parse(response).channel
      const state = stateOf(info, team)
      if (state === 'ok') this.#open.set(`${tenantKey(team)}/${channel}`, true)
      return { state, name: info.name }
    } catch (cause) {
      if (directScopes.safeParse(cause).success) return { state: 'direct' }
      if (invisibleCodes.includes(slackErrorCode(cause) ?? '')) return { state: 'unknown' }
      throw slackFailure('conversations.info failed', cause)
    }
  }

  /**
   * The same for a person, who is told nothing of a channel that they aren't in: not its name, and of its state only whether
   * it takes posts.
   * @param here where they are
   */
  async findFor(
    of: ChannelsOf & { readonly person: { readonly id: string } },
    channel: string,
    here: { readonly channel: string; readonly channelName: string },
  ): Promise<FoundChannel & { readonly isIn: boolean }> {
    const isHere = channel === here.channel
    const found = await this.find(of, channel, isHere ? here.channelName : '')
    const { state } = found
    // Of what can't be seen there is nothing to tell.
    if (isHere || state === 'direct' || state === 'unknown') return { ...found, isIn: true }
    const isIn = await this.hasMember(of.installation, channel, of.person.id)
    return isIn ? { ...found, isIn } : { state: state === 'ok' ? state : 'unknown', isIn }
  }

  async state(of: ChannelsOf, channel: string, name?: string): Promise<ChannelState> {
    return (await this.find(of, channel, name)).state
  }

  /**
   * Joins a channel, as far as the app may: a public one, where the workspace has granted the optional scope. @returns whether it
   * did @throws {SlackUnavailableError | TokenRefusedError}
   */
  async join({ botToken }: Installation, channel: string): Promise<boolean> {
    try {
      await this.#webApi.conversations.join({ token: botToken, channel })
      return true
    } catch (cause) {
      if (notJoinedCodes.includes(slackErrorCode(cause) ?? '')) return false
      throw slackFailure('conversations.join failed', cause)
    }
  }

  /**
   * As it was within the last minute, for what changes a message that is there already: Slack takes fifty questions a minute.
   * @throws {SlackUnavailableError | TokenRefusedError}
   */
  async recentState(of: ChannelsOf, channel: string): Promise<ChannelState> {
    return this.#open.get(`${tenantKey(of.team)}/${channel}`) ? 'ok' : this.state(of, channel)
  }

  /**
   * Whether a person is in a channel, looking at its first 20,000 members; of one that the app can't see nobody knows. Slack
   * asks for the scopes channels:read and groups:read, which the app has. @throws {SlackUnavailableError | TokenRefusedError}
   */
  async hasMember({ botToken }: Installation, channel: string, userId: string): Promise<boolean> {
    const asked = { token: botToken, channel, limit: membersPerPage }
    let pages = 0
    try {
      for await (const page of this.#webApi.paginate('conversations.members', asked)) {
        pages += 1
        if (membersPage.parse(page).members.includes(userId)) return true
        if (pages === mostMemberPages) return false
      }
    } catch (cause) {
      if (invisibleCodes.includes(slackErrorCode(cause) ?? '')) return false
      throw slackFailure('conversations.members failed', cause)
    }
    return false
  }
}
