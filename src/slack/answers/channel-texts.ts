import type { ChannelState } from '../api/channels.ts'
import { type Answer, textAnswer } from './answer.ts'

/**
 * Says why a page can't be shared here; `undefined` where it can. A `response_url` needs no invitation, but the channel has
 * to be known not to be another company's too.
 */
export function shareRefusal(state: ChannelState, channel: string): Answer | undefined {
  if (state === 'ok' || state === 'not-in') return undefined
  return { ...textAnswer(channelRefusal(state, channel)), place: 'below' }
}

/** Where Slack's answer to a share was lost. */
export const unconfirmedShareText =
  "Your share may be in the channel, or not. Slack didn't confirm it, so I didn't send it again. Look there before you share it again."

/** Why a channel takes no post, where nothing is formatted, as under a field of a modal. */
export const plainChannelRefusal = (state: Exclude<ChannelState, 'ok'>): string =>
  channelRefusal(state, '').replaceAll('`', '').replace(/^<#>/, 'That channel').replace('<#>', 'that channel')

/** In words for people, with what to do. */
export function channelRefusal(state: Exclude<ChannelState, 'ok'>, channel: string): string {
  const where = `<#${channel}>`
  switch (state) {
    case 'not-in':
      return `Callboard isn't in ${where}. Invite it there with \`/invite @Callboard\`, then try again.`
    case 'unknown':
      return "Callboard can't see that channel. Invite it there with `/invite @Callboard`, then try again. In a group of direct messages nothing can be shared or posted."
    case 'archived':
      return `${where} is archived. Choose another channel, or unarchive it first.`
    case 'shared':
      return `${where} is shared with another company, so nothing of your phone account is shown there. Choose a channel of your own.`
    case 'org-shared':
      return `${where} is another workspace's too, so nothing of your phone account is shown there. Choose a channel that only this workspace is in.`
    case 'direct':
      return "Nothing can be shared or posted in direct messages. Choose a channel. Here, only you can see Callboard's answers."
  }
}
