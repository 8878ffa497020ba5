import type { SubscriptionFailure } from '../../slack/deliver/failures.ts'
import type { Notice } from '../../slack/deliver/notices.ts'
import type { Failing } from '../../store/alerts.ts'
import { backoff, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'

/** Owners are notified only of failures that last longer, unless a person has to fix them. */
const NOTICE_DELAY_MS: Milliseconds = 15 * minuteMs
const MAX_ALERT_BACKOFF_MS: Milliseconds = 10 * minuteMs
/** The longest wait that a service may ask for. */
const MAX_WAIT_MS: Milliseconds = hourMs
/** Taken off each wait, because the poll that should end it may come a moment sooner. */
const EARLY_MS: Milliseconds = 15_000

/** @param before the failure in the stored state, if the previous attempt failed, too */
export function afterFailure(before: Failing | undefined, failure: SubscriptionFailure, now: EpochMs) {
  const { why, isPermanent, retryAfterMs = 0 } = failure
  const count = (before?.count ?? 0) + 1
  // Only a person can end a permanent one, which takes a while.
  const firstMs = isPermanent ? MAX_ALERT_BACKOFF_MS : minuteMs
  const backoffMs = backoff(count, { firstMs, maxMs: MAX_ALERT_BACKOFF_MS })
  const waitMs = Math.max(backoffMs, Math.min(retryAfterMs, MAX_WAIT_MS))
  // The owner is notified again only if the reason changes to one that a person can fix.
  const mustTellAgain = isPermanent && why !== before?.why
  return {
    // The clock may have been ahead.
    since: Math.min(before?.since ?? now, now),
    count,
    why,
    isPermanent,
    retryAt: now + waitMs - EARLY_MS,
    isTold: before?.isTold && !mustTellAgain,
  }
}

/** Whether people should know of the failure. */
export const isNotable = ({ since, isPermanent }: Failing, now: EpochMs): boolean =>
  isPermanent || now - since >= NOTICE_DELAY_MS - EARLY_MS

/** Ignores times in the far future: they were stored while the clock was ahead. */
export const isUpcoming = (time: EpochMs | undefined, now: EpochMs): boolean =>
  time !== undefined && time > now && time <= now + MAX_WAIT_MS

/** Returns the failure to store. @param notify receives an id by which repeated notices are dropped */
export async function notifyOnce(
  failing: Failing,
  now: EpochMs,
  statement: string,
  notify: (id: string, notice: Notice) => Promise<void>,
): Promise<Failing> {
  const { since, why, isPermanent, isTold = false } = failing
  if (isTold || !isNotable(failing, now)) return failing
  await notify(`${since}/${isPermanent ? 'permanent' : 'transient'}`, {
    text: `${statement} ${why} The alerts resume by themselves once that's fixed.`,
    command: { id: 'alerts', text: 'Manage alerts', command: '/calls alerts' },
  })
  return { ...failing, isTold: true }
}
