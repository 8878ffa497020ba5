import type { ReadingTimes } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/answer.ts'
import { type CallPage, lastPage, type ScanProgress } from '../../telephony/types.ts'
import { numberText } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'

/** Number of pages that a scan fetches at a time if there is no other scan. */
const CONCURRENT_PAGES = 3

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/**
 * Estimates from the first pages how long the others will take.
 * @param moreRequests needed besides these pages
 */
export function expectedReadingMs(
  first: readonly CallPage[],
  tookMs: Milliseconds,
  moreRequests = 0,
): Milliseconds {
  const pages = sum(first.map((page) => (lastPage(page) ?? 1) - 1))
  return ((pages + moreRequests) / CONCURRENT_PAGES) * tookMs
}

/** Tracks a scan that a person waits for, and announces once that it takes a while. */
export class Reading {
  readonly #options
  #soFar: Pick<ScanProgress, 'records' | 'total'>
  #isAnnounced = false

  /**
   * @param options.first the first page of each query
   * @param options.start of the first requests, as `performance.now()`
   * @param options.otherwise shown if there is no time to read everything
   */
  constructor(options: {
    readonly first: readonly CallPage[]
    readonly start: number
    readonly moreRequests?: number
    readonly otherwise?: string
    readonly times: ReadingTimes
    readonly onProgress: OnProgress
  }) {
    this.#options = options
    const { first, start, moreRequests, times } = options
    const totals = first.flatMap(({ total }) => total ?? [])
    this.#soFar = { records: 0, total: totals.length === first.length ? sum(totals) : undefined }
    const expectedMs = expectedReadingMs(first, performance.now() - start, moreRequests)
    if (expectedMs > times.progressAfterMs) this.#announce(expectedMs)
  }

  get soFar(): Pick<ScanProgress, 'records' | 'total'> {
    return this.#soFar
  }

  readonly update = (progress: ScanProgress): void => {
    this.#soFar = progress
    const elapsed = performance.now() - this.#options.start
    if (!this.#isAnnounced && elapsed > this.#options.times.progressAfterMs)
      this.#announce(this.#remainingMs(elapsed))
  }

  #remainingMs(elapsed: Milliseconds): Milliseconds {
    const { records, total = 0 } = this.#soFar
    return records === 0 ? this.#options.times.readForMs : (elapsed * Math.max(0, total - records)) / records
  }

  #announce(expectedMs: Milliseconds): void {
    this.#isAnnounced = true
    const { onProgress, times, otherwise = 'results' } = this.#options
    const { total } = this.#soFar
    const calls = total === undefined ? 'all calls of these days' : `about ${roughNumber(total)} calls`
    onProgress(
      expectedMs < times.readForMs
        ? `Reading ${calls}. This takes about ${secondsText(expectedMs)}.`
        : `Reading ${calls}. You'll have ${otherwise} within ${secondsText(times.readForMs)}.`,
    )
  }
}

/** Rounds to two digits: `2,500` for 2,544. */
function roughNumber(count: number): string {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return numberText(Math.round(count / unit) * unit)
}

/** Rounds to 5 s from 10 s on. */
function secondsText(ms: Milliseconds): string {
  const seconds = Math.ceil(ms / 1000)
  const rounded = seconds < 10 ? seconds : Math.round(seconds / 5) * 5
  return rounded === 1 ? '1 second' : `${rounded} seconds`
}
