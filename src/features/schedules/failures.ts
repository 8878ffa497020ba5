import { describeFailure } from '../../slack/answers/error-texts.ts'
import type { Milliseconds } from '../../util/units.ts'

/** Why a schedule could not post: for as long as nobody mends it, or for now. */
export type PostFailure =
  | PermanentFailure
  | { readonly kind: 'transient'; readonly retryAfterMs: Milliseconds | undefined }

export interface PermanentFailure {
  readonly kind: 'permanent'
  /** mrkdwn. */
  readonly why: string
  /** The owner of the schedule can do nothing about it: whoever connected the account is told too. */
  readonly isOwnerOut: boolean
}

export const permanentFailure = (why: string, isOwnerOut = false): PermanentFailure => ({
  kind: 'permanent',
  why,
  isOwnerOut,
})

/** `undefined` for what is no failure of posting, such as a store that does not answer. */
export function postFailure(error: unknown): PostFailure | undefined {
  const { kind, isPermanent, pauseText, retryAfterMs } = describeFailure(error)
  if (kind === 'error') return undefined
  return isPermanent
    ? permanentFailure(pauseText, kind === 'not-allowed')
    : { kind: 'transient', retryAfterMs }
}
