import { setTimeout as sleep } from 'node:timers/promises'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { RateLimitedError, ServiceUnavailableError } from './errors.ts'

/** A person is waiting: where the service asks for a longer wait, there is no other try. */
const maxWaitMs: Milliseconds = 2000

/** The longest wait that the service may ask a reader with patience for, and all the waits for one page together. */
const maxPauseMs: Milliseconds = 60_000

const maxBackoffMs: Milliseconds = 2000

const longestRetryAfterMs: Milliseconds = 365 * 86_400_000

/** RFC 9110, 5.6.7: the three ways to write an HTTP date; all of them begin with the day's name. */
const httpDate = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/

/** From seconds or an HTTP date; `undefined` where the service said nothing that can be understood. */
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

export interface RetryPolicy {
  /** About how long before the first retry; twice as long before each that follows. */
  readonly backoffMs: Milliseconds
  /** Without a number, patience alone ends it. */
  readonly maxRetries?: number
  /** A wait that would outlast this is not begun: the last error says more than that time ran out. */
  readonly remainingMs?: () => Milliseconds
  /** For somebody who has time: it may fail for so long, without the waits that the service asks for. */
  readonly patienceMs?: Milliseconds
  readonly signal?: AbortSignal
  /** Nothing is sent before, as `performance.now()`: all the pages of a reading share what one of them is told. */
  readonly pause?: { until: number }
}

/** Whether the next try may succeed. A time-out, or an open circuit breaker, may pass for somebody who has time. */
function isTransient(error: unknown, isPatient: boolean): boolean {
  if (!(error instanceof ServiceUnavailableError)) return error instanceof RateLimitedError
  const { reason, status } = error
  if (reason === 'timeout' || reason === 'resting') return isPatient
  return reason === 'connection' || reason === 'not-json' || (status !== undefined && status >= 500)
}

/** `undefined` where another try makes no sense. @param attempt the number of the one that failed, from 1 */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  { backoffMs, patienceMs }: RetryPolicy,
): Milliseconds | undefined {
  const isPatient = patienceMs !== undefined
  if (!isTransient(error, isPatient)) return undefined
  const { retryAfterMs = 0 } = error instanceof RateLimitedError ? error : {}
  if (retryAfterMs > (isPatient ? maxPauseMs : maxWaitMs)) return undefined
  const ownMs = backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random())
  return Math.max(retryAfterMs, Math.min(ownMs, maxBackoffMs))
}

/**
 * Tries again where that may help. What must not be carried out twice is given `maxRetries: 0`.
 * @throws what the last try failed with, and the signal's reason where it is aborted during a wait
 */
export async function withRetries<T>(work: (attempt: number) => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { maxRetries = Infinity, remainingMs = () => Infinity, patienceMs = Infinity, signal } = policy
  const { pause = { until: 0 } } = policy
  const wait = async (ms: Milliseconds) => {
    // Rejects where the signal aborts, with an error of its own.
    await sleep(ms, undefined, { signal }).catch(() => {})
    signal?.throwIfAborted()
  }
  let failingMs = 0
  let pausedMs = 0
  for (let attempt = 1; ; attempt += 1) {
    // Another page may be told to wait longer meanwhile.
    for (let ms = leftMs(pause); ms > 0; ms = leftMs(pause)) await wait(ms)
    const start = performance.now()
    try {
      return await work(attempt)
    } catch (error) {
      const now = performance.now()
      if (attempt > 1) failingMs += now - start
      const isOver = attempt > maxRetries || signal?.aborted
      const waitMs = isOver ? undefined : waitBeforeRetry(error, attempt, policy)
      if (waitMs === undefined || waitMs >= remainingMs()) throw error
      if (error instanceof RateLimitedError && error.retryAfterMs !== undefined) {
        pausedMs += waitMs
        if (pausedMs > maxPauseMs) throw error
        pause.until = Math.max(pause.until, now + waitMs)
      } else {
        failingMs += waitMs
        if (failingMs > patienceMs) throw error
        await wait(waitMs)
      }
    }
  }
}

const leftMs = ({ until }: { readonly until: number }): Milliseconds => Math.ceil(until - performance.now())
