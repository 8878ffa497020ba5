import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from '../util/send-request.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { RateLimitedError, ServiceUnavailableError } from './errors.ts'

/** A person is waiting: where the service asks for a longer wait, there is no other try. */
const maxWaitMs: Milliseconds = 2000

const longestRetryAfterMs: Milliseconds = 365 * 86_400_000

/** RFC 9110, 5.6.7: the three ways to write an HTTP date; all of them begin with the day's name. */
const httpDate = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/

/**
 * How long the service asked us to wait, from seconds or an HTTP date; `undefined` where it said nothing that can be
 * understood.
 */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now: EpochMs,
): Milliseconds | undefined {
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestRetryAfterMs)
  if (!httpDate.test(text)) return undefined
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), longestRetryAfterMs)
}

export const usualBackoffMs: Milliseconds = 100

/** @param attempt the number of the one that failed, from 1 @param firstMs about how long after the first one */
export const backoff = (attempt: number, firstMs: Milliseconds): Milliseconds =>
  firstMs * 2 ** (attempt - 1) * (0.5 + Math.random())

/** Whether the service failed in a way that may have passed with the next try: a cut connection, 5xx, a body that is no JSON. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ServiceUnavailableError)) return false
  const { reason, status } = error
  return reason === 'connection' || reason === 'not-json' || (status !== undefined && status >= 500)
}

/**
 * How long to wait before another try; `undefined` where another one makes no sense.
 * @param attempt the number of the one that failed, from 1
 */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  firstMs = usualBackoffMs,
): Milliseconds | undefined {
  const waitMs = backoff(attempt, firstMs)
  if (error instanceof RateLimitedError) {
    if (error.retryAfterMs === undefined) return waitMs
    return error.retryAfterMs <= maxWaitMs ? Math.max(error.retryAfterMs, waitMs) : undefined
  }
  return isTransient(error) ? waitMs : undefined
}

/**
 * Tries a read again where that may help: cut connections, 5xx, a body that is no JSON, a short 429. Never for the invoice
 * operation. A wait that would outlast the deadline is not begun: the last error says more than that time ran out.
 */
export async function withRetries<T>(
  work: (attempt: number) => Promise<T>,
  {
    maxRetries,
    backoffMs,
    deadline,
  }: {
    maxRetries: number
    backoffMs?: Milliseconds | undefined
    deadline: Pick<Deadline, 'remainingMs'>
  },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      const waitMs = attempt > maxRetries ? undefined : waitBeforeRetry(error, attempt, backoffMs)
      if (waitMs === undefined || waitMs >= deadline.remainingMs()) throw error
      await sleep(waitMs)
    }
  }
}
