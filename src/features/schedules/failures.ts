import { slackRetryAfterMs } from '../../slack/api/post-message.ts'
import { isUselessToken } from '../../slack/api/web-api.ts'
import {
  NotAllowedError,
  NotConnectedError,
  NotInstalledError,
  SlackUnavailableError,
  TokenRefusedError,
} from '../../slack/blocks/errors.ts'
import {
  CredentialsRejectedError,
  RateLimitedError,
  RequestRefusedError,
  TelephonyError,
} from '../../telephony/errors.ts'

/** Whether a schedule that could not post is paused, with why in words for people, or tries again. */
export type Verdict = ForGood | Passing

export interface ForGood {
  readonly kind: 'for-good'
  /** mrkdwn. */
  readonly why: string
  /** The person whose schedule it is can do nothing about it: whoever connected the account is told too. */
  readonly isOwnerOut: boolean
}

interface Passing {
  readonly kind: 'passing'
  readonly retryAfterMs: number | undefined
}

export const forGood = (why: string, isOwnerOut = false): ForGood => ({ kind: 'for-good', why, isOwnerOut })

const reinstall =
  "Slack no longer accepts Callboard's token. Whoever runs Callboard has to install it in this workspace again."

/** `undefined` for what is no failure of posting, such as a store that does not answer. */
export function judge(error: unknown): Verdict | undefined {
  if (error instanceof NotInstalledError || error instanceof TokenRefusedError) return forGood(reinstall)
  if (error instanceof NotAllowedError) {
    const why =
      'The person whose schedule it is may not see billing any more. Somebody who may can resume it.'
    return forGood(why, true)
  }
  if (error instanceof NotConnectedError) {
    const why =
      'The workspace is not connected to its telephony account. An admin can connect it with `/calls connect`.'
    return forGood(why)
  }
  if (error instanceof CredentialsRejectedError) {
    const why =
      'The telephony service no longer accepts the key and secret. An admin can reconnect with `/calls connect`.'
    return forGood(why)
  }
  if (error instanceof RequestRefusedError) {
    return forGood('The telephony service refused to give the billing details.')
  }
  if (error instanceof RateLimitedError) return { kind: 'passing', retryAfterMs: error.retryAfterMs }
  if (error instanceof TelephonyError) return { kind: 'passing', retryAfterMs: undefined }
  if (error instanceof SlackUnavailableError) {
    return { kind: 'passing', retryAfterMs: slackRetryAfterMs(error.cause) }
  }
  return undefined
}

const channelGone: Readonly<Record<string, string>> = {
  channel_not_found: 'Callboard can not see that channel any more.',
  not_in_channel: 'Callboard is not in that channel any more. Invite it there with `/invite @Callboard`.',
  is_archived: 'That channel is archived.',
}

/** A post that Slack refused with this code. */
export const refusal = (code: string): ForGood =>
  forGood(isUselessToken(code) ? reinstall : (channelGone[code] ?? `Slack refused the post (${code}).`))
