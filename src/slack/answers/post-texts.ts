import { escapeText } from '../blocks/blocks.ts'
import { reinstall } from './error-texts.ts'

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const refusals: Readonly<Record<string, string>> = {
  channel_not_found: "Callboard can't see that channel any more.",
  not_in_channel:
    "Callboard isn't in that channel any more. Invite it there with `/invite @Callboard`, then try again.",
  is_archived: 'That channel is archived.',
  restricted_action_read_only_channel: 'That channel is read-only, so nobody can post there.',
  restricted_action_thread_only_channel: 'That channel only takes replies in threads. Choose another one.',
}

const restrictedText =
  "Slack lets only some people post in that channel, and Callboard isn't one of them. An admin of the workspace can change who can post there, or you can choose another channel."

/** Why a post is not there that Slack refused. @param isUselessToken whether it is the token that is refused */
export function refusedPostText(code: string, isUselessToken: boolean): string {
  if (isUselessToken) return reinstall
  const other = `Slack refused the post (${escapeText(code)}).`
  return refusals[code] ?? (code.startsWith('restricted_action') ? restrictedText : other)
}
