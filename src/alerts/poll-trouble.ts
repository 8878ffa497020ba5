import { describeFailure } from '../slack/deliver/failures.ts'
import type { WatchRecord } from '../store/alerts.ts'
import { RateLimitedError, ScanInterruptedError } from '../telephony/errors.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

/** Nobody is notified of a service that is back before. */
const awayForMs: Milliseconds = 15 * 60_000

/** The words for why there is no news, and whether somebody has to mend it. */
function reasonOf(error: unknown): { readonly why: string; readonly isForPeople: boolean } {
  const { kind, pauseText } = describeFailure(error)
  switch (kind) {
    case 'credentials-rejected':
    case 'not-connected':
    case 'unreadable':
      return { why: pauseText, isForPeople: true }
    case 'refused':
      return { why: 'The phone service refused to list the missed calls.', isForPeople: false }
    case 'error':
      return { why: 'Something went wrong in Callboard.', isForPeople: false }
    default: {
      const asksToWait = error instanceof RateLimitedError
      return {
        why: asksToWait ? 'The phone service asks us to wait.' : "The phone service isn't responding.",
        isForPeople: false,
      }
    }
  }
}

/**
 * What becomes of an account of which a poll failed.
 * @param failedAt when it began @param polledAt when one went well last
 */
export function afterFailure(
  watch: WatchRecord,
  error: unknown,
  { failedAt, polledAt }: { readonly failedAt: EpochMs; readonly polledAt: EpochMs | undefined },
): WatchRecord {
  const { failing, trouble } = watch
  const since = failing?.since ?? failedAt
  const failed = { ...watch, polledAt, failing: { since, count: (failing?.count ?? 0) + 1 } }
  const { why, isForPeople } = reasonOf(error)
  if (!isForPeople && failedAt - since < awayForMs && !trouble) return failed
  // Whoever was told that there is no news is told again only of what they can mend.
  const isTold = trouble?.isTold === true && (trouble.why === why || !isForPeople)
  return { ...failed, trouble: { since: trouble?.since ?? polledAt ?? since, why, isTold } }
}

/** How long the service asked to wait. */
export function retryAfterOf(error: unknown): Milliseconds | undefined {
  const cause = error instanceof ScanInterruptedError ? error.cause : error
  return cause instanceof RateLimitedError ? cause.retryAfterMs : undefined
}
