import type { Milliseconds } from '../../util/units.ts'
import { describeFailure } from '../answers/error-texts.ts'
import { refusedPostText } from '../answers/post-texts.ts'
import type { PostResult } from '../api/post-message.ts'
import { isUselessToken } from '../api/web-api.ts'

export interface PermanentFailure {
  readonly kind: 'permanent'
  /** mrkdwn. */
  readonly why: string
  /** Whoever set it up can do nothing about it: whoever connected the account is told too. */
  readonly isOwnerOut: boolean
}

/** Why what goes to a channel by itself is not there: for as long as nobody mends it, or for now. */
export type PostFailure =
  | PermanentFailure
  | { readonly kind: 'transient'; readonly retryAfterMs: Milliseconds | undefined }

export const permanentFailure = (why: string, isOwnerOut = false): PermanentFailure => ({
  kind: 'permanent',
  why,
  isOwnerOut,
})

/** What kept it from being sent; `undefined` for what is no failure of posting, such as a store that does not answer. */
export function failureOfError(error: unknown): PostFailure | undefined {
  const { kind, isPermanent, pauseText, retryAfterMs } = describeFailure(error)
  if (kind === 'error') return undefined
  return isPermanent
    ? permanentFailure(pauseText, kind === 'not-allowed')
    : { kind: 'transient', retryAfterMs }
}

/** What Slack said where it didn't take it. */
export const failureOfResult = (result: Extract<PostResult, { kind: 'refused' | 'not-now' }>): PostFailure =>
  result.kind === 'refused'
    ? permanentFailure(refusedPostText(result.code, isUselessToken(result.code)))
    : { kind: 'transient', retryAfterMs: result.retryAfterMs }
