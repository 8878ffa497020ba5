import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Installation } from './installations.ts'
import { slackErrorCode, slackFailure } from './web-api.ts'

/** Why a channel takes no post; `ok` where it does. */
export type ChannelState = 'ok' | 'unknown' | 'not-in' | 'archived' | 'shared' | 'direct'

/** https://docs.slack.dev/reference/objects/conversation-object */
const conversationInfo = z.object({
  channel: z.object({
    is_member: z.boolean().default(false),
    is_archived: z.boolean().default(false),
    is_ext_shared: z.boolean().default(false),
    is_pending_ext_shared: z.boolean().default(false),
    is_im: z.boolean().default(false),
    is_mpim: z.boolean().default(false),
  }),
})

/** What a channel that can't be seen answers: private without the app in it, or none at all. */
const invisibleCodes = ['channel_not_found', 'missing_scope', 'method_not_supported_for_channel_type']

/** `missing_scope`, where only what this app never asks for would do: it is a direct message, or a group of them. */
const directScopes = z.object({ data: z.object({ needed: z.string().regex(/^(m?p?im:read,?)+$/) }) })

/**
 * Whether it is a direct message or a group of them, as far as its id and its name in a payload tell: a group's id is like
 * a channel's, and under the name `privategroup` it may be either.
 */
export const isDirectConversation = (channel: string, name = ''): boolean =>
  /^D/.test(channel) || name === 'directmessage' || name.startsWith('mpdm-')

export class Channels {
  readonly #webApi: WebClient

  constructor(webApi: WebClient) {
    this.#webApi = webApi
  }

  /**
   * Asks Slack, each time: a channel may be shared or archived at any moment; but for direct messages, of which this app
   * may not ask.
   * @param name what the payload calls it, where there is one
   * @throws {SlackUnavailableError | TokenRefusedError}
   */
  async state({ botToken }: Installation, channel: string, name?: string): Promise<ChannelState> {
    if (isDirectConversation(channel, name)) return 'direct'
    try {
      const response = await this.#webApi.conversations.info({ token: botToken, channel })
      const info = conversationInfo.parse(response).channel
      if (info.is_im || info.is_mpim) return 'direct'
      if (info.is_archived) return 'archived'
      if (info.is_ext_shared || info.is_pending_ext_shared) return 'shared'
      return info.is_member ? 'ok' : 'not-in'
    } catch (cause) {
      if (directScopes.safeParse(cause).success) return 'direct'
      if (invisibleCodes.includes(slackErrorCode(cause) ?? '')) return 'unknown'
      throw slackFailure('conversations.info failed', cause)
    }
  }
}
