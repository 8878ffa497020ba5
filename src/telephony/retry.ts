import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimitedError, ServiceUnavailableError } from './errors.ts'

/** A person is waiting: a longer wait than this is not sat out. */
const longestWaitMs = 2000

/** How long to wait before another try; `undefined` where another one makes no sense. */
export function waitBeforeRetry(error: unknown, attempt: number): number | undefined {
  const backoff = 100 * 2 ** (attempt - 1) * (0.5 + Math.random())
  if (error instanceof RateLimitedError) {
    if (error.retryAfterMs === undefined) return backoff
    return error.retryAfterMs <= longestWaitMs ? error.retryAfterMs : undefined
  }
  if (!(error instanceof ServiceUnavailableError) || error.reason === 'timeout') return undefined
  const isPassing = error.status === undefined || error.status >= 500
  return isPassing ? backoff : undefined
}

/**
 * Tries a read again where that may help: cut connections, 5xx, a body that is not the service's, a short 429. Never for
 * the invoice operation.
 */
export async function withRetries<T>(
  work: () => Promise<T>,
  { maxRetries, signal }: { maxRetries: number; signal: AbortSignal },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const waitMs = attempt > maxRetries ? undefined : waitBeforeRetry(error, attempt)
      if (waitMs === undefined) throw error
      const slept = await sleep(waitMs, true, { signal }).catch(() => false)
      // The deadline came while waiting: what the last try met says more than that time ran out.
      if (!slept) throw error
    }
  }
}
