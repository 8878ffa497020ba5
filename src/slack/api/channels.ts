import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Installation } from './installations.ts'
import { slackErrorCode, slackFailure } from './web-api.ts'

/** Why a channel takes no post; `ok` where it does. */
export type ChannelState = 'ok' | 'unknown' | 'not-in' | 'archived' | 'shared' | 'direct'

export interface Channels {
  /** Asks Slack, each time: a channel may be shared or archived at any moment. @throws {SlackUnavailableError | TokenRefusedError} */
  state(installation: Installation, channel: string): Promise<ChannelState>
}

/** https://docs.slack.dev/reference/objects/conversation-object */
const answer = z.object({
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
const unseen = ['channel_not_found', 'missing_scope', 'method_not_supported_for_channel_type']

export function createChannels({ webApi }: { webApi: WebClient }): Channels {
  return {
    async state({ botToken }, channel) {
      try {
        const info = answer.parse(await webApi.conversations.info({ token: botToken, channel })).channel
        if (info.is_im || info.is_mpim) return 'direct'
        if (info.is_archived) return 'archived'
        if (info.is_ext_shared || info.is_pending_ext_shared) return 'shared'
        return info.is_member ? 'ok' : 'not-in'
      } catch (cause) {
        if (unseen.includes(slackErrorCode(cause) ?? '')) return 'unknown'
        throw slackFailure('conversations.info failed', cause)
      }
    },
  }
}

/**
 * Why a page can't be shared here, in words; `undefined` where it can. A `response_url` needs no invitation, but the channel
 * has to be known not to be another company's too.
 */
export function shareRefusal(state: ChannelState, channel: string): string | undefined {
  return state === 'ok' || state === 'not-in' ? undefined : channelRefusal(state, channel)
}

/** The same where nothing is formatted, as under a field of a modal. */
export const refusalInPlain = (state: Exclude<ChannelState, 'ok'>): string =>
  channelRefusal(state, '').replaceAll('`', '').replace(/^<#>/, 'That channel').replace('<#>', 'that channel')

/** In words for people, with what to do. */
export function channelRefusal(state: Exclude<ChannelState, 'ok'>, channel: string): string {
  const where = `<#${channel}>`
  switch (state) {
    case 'not-in':
      return `Callboard is not in ${where}. Invite it there with \`/invite @Callboard\`, and try again.`
    case 'unknown':
      return 'Callboard can not see that channel. Invite it there with `/invite @Callboard`, and try again.'
    case 'archived':
      return `${where} is archived. Choose another channel, or bring it back first.`
    case 'shared':
      return `${where} is shared with another company, so nothing of your account is posted there. Choose a channel of your own.`
    case 'direct':
      return 'That is a direct conversation. Choose a channel instead, such as `#finance`.'
  }
}
