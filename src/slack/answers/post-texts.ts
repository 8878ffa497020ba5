import { escapeText } from '../blocks/blocks.ts'
import { reinstall } from './error-texts.ts'

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const refusals: Readonly<Record<string, string>> = {
  channel_not_found: 'Callboard can not see that channel any more.',
  not_in_channel: 'Callboard is not in that channel any more. Invite it there with `/invite @Callboard`.',
  is_archived: 'That channel is archived.',
  restricted_action_read_only_channel: 'Nobody may post in that channel: it is read-only.',
  restricted_action_thread_only_channel: 'That channel takes replies in threads alone. Choose another one.',
}

const restrictedText =
  'Slack lets only some people post in that channel, and Callboard is not among them. An admin can change its posting permissions, or choose another channel.'

/** Why a post is not there that Slack refused. @param isUselessToken whether it is the token that is refused */
export function refusedPostText(code: string, isUselessToken: boolean): string {
  if (isUselessToken) return reinstall
  const other = `Slack refused the post (${escapeText(code)}).`
  return refusals[code] ?? (code.startsWith('restricted_action') ? restrictedText : other)
}
