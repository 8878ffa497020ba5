import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../util/units.ts'
import { RateLimitedError, ServiceUnavailableError } from './errors.ts'
import { isShort } from './paging.ts'
import { backoff, isTransient } from './retry.ts'
import type { CallPage } from './types.ts'

/** One try of a page. @param attempt counts from 1 */
export type ReadOnce = (
  page: number,
  options: { readonly attempt: number; readonly signal: AbortSignal },
) => Promise<CallPage>

/** A page, and when it was read, by a clock that ticks at each sending and each receiving of one scan. */
export interface PageRead {
  readonly page: CallPage
  /** Not before the request was sent. */
  readonly sent: number
  readonly received: number
}

/** As long a wait as the service may ask for, all the waits for one page together. */
const maxPauseMs: Milliseconds = 60_000

const maxBackoffMs: Milliseconds = 2000

/** After as many, the service seems to have no more for that page. */
const maxShortAnswers = 2

/** Whether another try makes sense for somebody who has time: a reader in the background. */
function passes(error: unknown): boolean {
  if (error instanceof RateLimitedError || isTransient(error)) return true
  return (
    error instanceof ServiceUnavailableError && (error.reason === 'timeout' || error.reason === 'resting')
  )
}

/** Reads the pages of one scan, each as often as it takes. Where the service asks to wait, all of them wait. */
export class ScanReads {
  readonly #readOnce
  readonly #patienceMs
  readonly #signal
  #clock = 0
  #resumeAt = 0

  /** @param options.patienceMs a page is given up where it fails for so long, without the waits that were asked for */
  constructor(options: { readOnce: ReadOnce; patienceMs: Milliseconds; signal: AbortSignal }) {
    this.#readOnce = options.readOnce
    this.#patienceMs = options.patienceMs
    this.#signal = options.signal
  }

  /** @throws {TelephonyError}, and what ended the waiting where the signal is aborted */
  async read(number: number): Promise<PageRead> {
    let pausedMs = 0
    let shortAnswers = 0
    let failingSince: number | undefined
    for (let attempt = 1; ; attempt += 1) {
      await this.#resumed()
      this.#clock += 1
      const sent = this.#clock
      const waitMs = Math.min(backoff(attempt), maxBackoffMs)
      try {
        const page = await this.#readOnce(number, { attempt, signal: this.#signal })
        this.#clock += 1
        if (!isShort(page) || shortAnswers >= maxShortAnswers) return { page, sent, received: this.#clock }
        shortAnswers += 1
      } catch (error) {
        if (this.#signal.aborted || !passes(error)) throw error
        const now = performance.now()
        failingSince ??= now
        if (error instanceof RateLimitedError && error.retryAfterMs !== undefined) {
          const pauseMs = Math.max(error.retryAfterMs, waitMs)
          pausedMs += pauseMs
          if (pausedMs > maxPauseMs) throw error
          this.#resumeAt = Math.max(this.#resumeAt, now + pauseMs)
          continue
        }
        if (now - failingSince - pausedMs + waitMs > this.#patienceMs) throw error
      }
      await sleep(waitMs, undefined, { signal: this.#signal })
    }
  }

  async #resumed(): Promise<void> {
    for (let ms = this.#pauseMs(); ms > 0; ms = this.#pauseMs())
      await sleep(ms, undefined, { signal: this.#signal })
  }

  #pauseMs(): Milliseconds {
    return Math.ceil(this.#resumeAt - performance.now())
  }
}
