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

export class Channels {
  readonly #webApi: WebClient

  constructor(webApi: WebClient) {
    this.#webApi = webApi
  }

  /** Asks Slack, each time: a channel may be shared or archived at any moment. @throws {SlackUnavailableError | TokenRefusedError} */
  async state({ botToken }: Installation, channel: string): Promise<ChannelState> {
    try {
      const response = await this.#webApi.conversations.info({ token: botToken, channel })
      const info = conversationInfo.parse(response).channel
      if (info.is_im || info.is_mpim) return 'direct'
      if (info.is_archived) return 'archived'
      if (info.is_ext_shared || info.is_pending_ext_shared) return 'shared'
      return info.is_member ? 'ok' : 'not-in'
    } catch (cause) {
      if (invisibleCodes.includes(slackErrorCode(cause) ?? '')) return 'unknown'
      throw slackFailure('conversations.info failed', cause)
    }
  }
}
