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
  'The page may be in the channel, or not: Slack gave no answer to it, so it was not sent again. Look there before you share it once more.'

/** Why a channel takes no post, where nothing is formatted, as under a field of a modal. */
export const plainChannelRefusal = (state: Exclude<ChannelState, 'ok'>): string =>
  channelRefusal(state, '').replaceAll('`', '').replace(/^<#>/, 'That channel').replace('<#>', 'that channel')

/** In words for people, with what to do. */
export function channelRefusal(state: Exclude<ChannelState, 'ok'>, channel: string): string {
  const where = `<#${channel}>`
  switch (state) {
    case 'not-in':
      return `Callboard is not in ${where}. Invite it there with \`/invite @Callboard\`, and try again.`
    case 'unknown':
      return 'Callboard can not see that channel. Invite it there with `/invite @Callboard`, and try again. (In a group of direct messages nothing can be shared or posted: choose a channel.)'
    case 'archived':
      return `${where} is archived. Choose another channel, or bring it back first.`
    case 'shared':
      return `${where} is shared with another company, so nothing of your account is posted there. Choose a channel of your own.`
    case 'org-shared':
      return `${where} is another workspace's too, so nothing of your account is posted there. Choose a channel of this workspace alone.`
    case 'direct':
      return 'Callboard shares and posts in channels alone, not in direct messages. `/calls`, `/agents` and `/billing` work there too, for you alone; to share or post, choose a channel, such as `/billing post #finance`.'
  }
}
