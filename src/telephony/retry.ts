import type { EpochMs, Milliseconds } from '../util/units.ts'
import { RateLimitedError, ServiceUnavailableError } from './errors.ts'

const MAX_BACKOFF_MS: Milliseconds = 2000

const MAX_RETRY_AFTER_MS: Milliseconds = 365 * 86_400_000

/** RFC 9110, 5.6.7: the three formats of an HTTP date, all of which begin with a weekday. `Date.parse` also accepts `-5`. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/

/** Parses seconds or an HTTP date. */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now: EpochMs,
): Milliseconds | undefined {
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS)
  if (!HTTP_DATE.test(text)) return undefined
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MAX_RETRY_AFTER_MS)
}

export interface RetryPolicy {
  readonly maxRetries: number
  /** If the service asks for a longer wait, there is no retry. */
  readonly maxWaitMs: Milliseconds
  /** Also retries after a timeout, and while the circuit breaker is open. */
  readonly isPatient?: boolean
  /** Marks a background request, whose tries each have their own deadline, and cancels it. */
  readonly signal?: AbortSignal | undefined
}

/** For operations that must not be carried out twice. */
export const NO_RETRIES: RetryPolicy = { maxRetries: 0, maxWaitMs: 0 }
/** For people, who wait for the response. */
export const FEW_RETRIES: RetryPolicy = { maxRetries: 2, maxWaitMs: 2000 }
/** For background work: eight retries last longer than the circuit breaker rests. */
export const PATIENT_RETRIES: RetryPolicy = { maxRetries: 8, maxWaitMs: 60_000, isPatient: true }

function isTransient(error: unknown, isPatient: boolean): boolean {
  if (!(error instanceof ServiceUnavailableError)) return error instanceof RateLimitedError
  const { reason, status = 0 } = error
  if (reason === 'timeout' || reason === 'resting') return isPatient
  return reason === 'connection' || reason === 'not-json' || status >= 500
}

/**
 * Returns `undefined` if another try would not help.
 * @param attempt Number of the failed try, from 1.
 * @param backoffMs Approximate wait before the first retry; it doubles with each one.
 */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  { maxRetries, maxWaitMs, isPatient = false }: RetryPolicy,
  backoffMs: Milliseconds,
): Milliseconds | undefined {
  if (attempt > maxRetries || !isTransient(error, isPatient)) return undefined
  const { retryAfterMs = 0 } = error instanceof RateLimitedError ? error : {}
  if (retryAfterMs > maxWaitMs) return undefined
  const ownMs = backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random())
  return Math.max(retryAfterMs, Math.min(ownMs, MAX_BACKOFF_MS))
}
