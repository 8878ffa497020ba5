import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from '../util/deadline.ts'
import { RateLimitedError, ServiceUnavailableError } from './errors.ts'

/** A person is waiting: a longer wait than this is not sat out. */
const longestWaitMs = 2000

/**
 * How long to wait before another try; `undefined` where another one makes no sense.
 * @param failed how many tries failed so far
 */
export function waitBeforeRetry(error: unknown, failed: number): number | undefined {
  const backoff = 100 * 2 ** (failed - 1) * (0.5 + Math.random())
  if (error instanceof RateLimitedError) {
    if (error.retryAfterMs === undefined) return backoff
    return error.retryAfterMs <= longestWaitMs ? Math.max(error.retryAfterMs, backoff) : undefined
  }
  if (!(error instanceof ServiceUnavailableError)) return undefined
  const { reason, status } = error
  const isPassing =
    reason === 'connection' || reason === 'not-json' || (status !== undefined && status >= 500)
  return isPassing ? backoff : undefined
}

/**
 * Tries a read again where that may help: cut connections, 5xx, a body that is no JSON, a short 429. Never for the invoice
 * operation. A wait that would outlast the deadline is not begun: what the last try met says more than that time ran out.
 */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { maxRetries, deadline }: { maxRetries: number; deadline: Pick<Deadline, 'remainingMs'> },
): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number)
    } catch (error) {
      const waitMs = number > maxRetries ? undefined : waitBeforeRetry(error, number)
      if (waitMs === undefined || waitMs >= deadline.remainingMs()) throw error
      await sleep(waitMs)
    }
  }
}
