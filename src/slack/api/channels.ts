import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import { scopedKey, tenantKey, type Workspace } from '../../store/tenant.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { fold } from '../../util/text.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'
import { isDirectConversation } from '../blocks/blocks.ts'
import { findSlackCode, isUselessToken, toSlackFailure } from './slack-failure.ts'
import { flag } from './slack-json.ts'

/** `unknown`: the app can't see the channel. `not-in`: it isn't a member. */
export type ChannelState = 'ok' | 'unknown' | 'not-in' | 'archived' | 'shared' | 'org-shared' | 'direct'

/** https://docs.slack.dev/reference/objects/conversation-object */
const conversationInfoSchema = z.object({
  channel: z.object({
    is_member: flag,
    is_archived: flag,
    is_ext_shared: flag,
    is_pending_ext_shared: flag,
    is_shared: flag,
    is_org_shared: flag,
    is_global_shared: flag,
    shared_team_ids: z.array(z.string()).default([]),
    internal_team_ids: z.array(z.string()).default([]),
    context_team_id: z.string().nullish(),
    is_im: flag,
    is_mpim: flag,
  }),
})

type ConversationInfo = z.infer<typeof conversationInfoSchema>['channel']

/** An organization's token reaches the channels of all its workspaces. */
function hasOtherWorkspace(info: ConversationInfo, { teamId }: Workspace): boolean {
  if (info.is_shared || info.is_org_shared || info.is_global_shared) return true
  const teams = new Set([...info.shared_team_ids, ...info.internal_team_ids])
  if (teams.size > 1) return true
  // A single id may be the organization's (E…), which isn't another workspace, and so may the context's.
  return [...teams, info.context_team_id].some((id) => id?.startsWith('T') && id !== teamId)
}

function toChannelState(info: ConversationInfo, workspace: Workspace): ChannelState {
  if (info.is_im || info.is_mpim) return 'direct'
  if (info.is_archived) return 'archived'
  if (info.is_ext_shared || info.is_pending_ext_shared) return 'shared'
  if (hasOtherWorkspace(info, workspace)) return 'org-shared'
  return info.is_member ? 'ok' : 'not-in'
}

const namesPageSchema = z.object({ channels: z.array(z.object({ id: z.string(), name: z.string() })) })
const PAGE_LIMIT = 999

/** The channel is private, or doesn't exist. */
const INVISIBLE_CODES = ['channel_not_found', 'missing_scope', 'method_not_supported_for_channel_type']

/** Slack's refusal to tell about direct and group messages, for which this app never requests the scopes. */
const directRefusalSchema = z.object({ data: z.object({ needed: z.string().regex(/^((mp)?im:read,?)+$/) }) })

interface ChannelScope {
  readonly installation: { readonly botToken: string }
  readonly workspace: Workspace
}

interface PersonScope extends ChannelScope {
  readonly person: { readonly id: string }
}

/** Every method @throws {SlackFailure} */
export class Channels {
  readonly #webApi: WebClient
  /** Channels that were `ok` within the last minute. */
  readonly #usable: Cache<true>

  constructor({ webApi, now }: { webApi: WebClient; now: () => EpochMs }) {
    this.#webApi = webApi
    this.#usable = createCache({ max: 20_000, ttlMs: minuteMs, now })
  }

  /** Asks Slack each time, since a channel may be shared or archived at any moment. @param channelName the payload's */
  async getState(scope: ChannelScope, channel: string, channelName?: string): Promise<ChannelState> {
    const { installation, workspace } = scope
    if (isDirectConversation(channel, channelName)) return 'direct'
    try {
      const response = await this.#webApi.conversations.info({ token: installation.botToken, channel })
      const state = toChannelState(conversationInfoSchema.parse(response).channel, workspace)
      const key = scopedKey(tenantKey(workspace), channel)
      if (state === 'ok') this.#usable.set(key, true)
      else this.#usable.delete(key)
      return state
    } catch (cause) {
      if (directRefusalSchema.safeParse(cause).success) return 'direct'
      if (INVISIBLE_CODES.includes(findSlackCode(cause) ?? '')) return 'unknown'
      throw toSlackFailure('conversations.info', cause)
    }
  }

  /** Trusts `ok` for a minute, because Slack allows only 50 lookups a minute. */
  async getRecentState(scope: ChannelScope, channel: string): Promise<ChannelState> {
    if (this.#usable.get(scopedKey(tenantKey(scope.workspace), channel))) return 'ok'
    return this.getState(scope, channel)
  }

  /** Finds a channel that the person is in. */
  async findByName(scope: PersonScope, name: string): Promise<string | undefined> {
    for await (const channel of this.#listChannels(scope))
      if (fold(channel.name) === fold(name)) return channel.id
    return undefined
  }

  /** Lists the ids of the person's channels, but no private ones that the app isn't in. */
  async listJoined(scope: PersonScope): Promise<ReadonlySet<string>> {
    const joined = await Array.fromAsync(this.#listChannels(scope))
    return new Set(joined.map(({ id }) => id))
  }

  async *#listChannels({ installation, workspace, person }: PersonScope) {
    // An organization's token works for all of its workspaces.
    const tokenAndTeam = { token: installation.botToken, team_id: workspace.teamId }
    const types = 'public_channel,private_channel'
    const args = { ...tokenAndTeam, types, limit: PAGE_LIMIT, user: person.id }
    try {
      for await (const page of this.#webApi.paginate('users.conversations', args))
        yield* namesPageSchema.parse(page).channels
    } catch (cause) {
      throw toSlackFailure('users.conversations', cause)
    }
  }

  /** The app joins a public channel. Returns false if Slack names an error, unless it is that of a useless token. */
  async join({ botToken }: ChannelScope['installation'], channel: string): Promise<boolean> {
    try {
      await this.#webApi.conversations.join({ token: botToken, channel })
      return true
    } catch (cause) {
      const code = findSlackCode(cause)
      if (code !== undefined && !isUselessToken(code)) return false
      throw toSlackFailure('conversations.join', cause)
    }
  }

  /** Whether the person is in the channel. Returns false if the app can't see it. */
  async hasMember(scope: PersonScope, channel: string): Promise<boolean> {
    return (await this.listJoined(scope)).has(channel)
  }
}
