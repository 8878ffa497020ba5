import type { ReadingTimes } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/answer.ts'
import { type CallPage, lastPage, type ScanProgress } from '../../telephony/types.ts'
import { formatNumber } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'

/** Number of pages that a scan fetches at a time if there is no other scan. */
const CONCURRENT_PAGES = 3

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/**
 * Estimates from the first pages how long the others will take.
 * @param moreRequests besides the remaining pages of the lists
 */
export function estimateScanMs(
  first: readonly CallPage[],
  tookMs: Milliseconds,
  moreRequests = 0,
): Milliseconds {
  const remainingPages = sum(first.map((page) => (lastPage(page) ?? 1) - 1))
  return ((remainingPages + moreRequests) / CONCURRENT_PAGES) * tookMs
}

/** Announces once, at the start or later, that a scan takes a while, and tracks its progress. */
export class ScanAnnouncer {
  readonly #options
  #progress: Pick<ScanProgress, 'records' | 'total'>
  #isAnnounced = false

  /**
   * @param options.first the first page of each query
   * @param options.start of the first requests, as `performance.now()`
   * @param options.partialResult what is shown if time runs out, such as `the totals`
   */
  constructor(options: {
    readonly first: readonly CallPage[]
    readonly start: number
    readonly moreRequests?: number
    readonly partialResult?: string
    readonly times: ReadingTimes
    readonly onProgress: OnProgress
  }) {
    this.#options = options
    const { first, start, moreRequests, times } = options
    const totals = first.flatMap(({ total }) => total ?? [])
    this.#progress = { records: 0, total: totals.length === first.length ? sum(totals) : undefined }
    const expectedMs = estimateScanMs(first, performance.now() - start, moreRequests)
    if (expectedMs > times.progressAfterMs) this.#announce(expectedMs)
  }

  get progress(): Pick<ScanProgress, 'records' | 'total'> {
    return this.#progress
  }

  readonly update = (progress: ScanProgress): void => {
    this.#progress = progress
    const elapsed = performance.now() - this.#options.start
    if (!this.#isAnnounced && elapsed > this.#options.times.progressAfterMs)
      this.#announce(this.#remainingMs(elapsed))
  }

  #remainingMs(elapsed: Milliseconds): Milliseconds {
    const { records, total } = this.#progress
    if (records === 0 || total === undefined) return Number.POSITIVE_INFINITY
    return (elapsed * Math.max(0, total - records)) / records
  }

  #announce(expectedMs: Milliseconds): void {
    this.#isAnnounced = true
    const { onProgress, times, partialResult = 'results' } = this.#options
    const { total } = this.#progress
    const calls = total === undefined ? 'all calls of these days' : `about ${formatRounded(total)} calls`
    onProgress(
      expectedMs < times.readForMs
        ? `Reading ${calls}. This takes about ${secondsText(expectedMs)}.`
        : `Reading ${calls}. You'll have ${partialResult} within ${secondsText(times.readForMs)}.`,
    )
  }
}

/** Rounds to two significant digits: `2,500` for 2,544. */
function formatRounded(count: number): string {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return formatNumber(Math.round(count / unit) * unit)
}

/** Rounds up to whole seconds; from 10 s on, to the nearest 5. */
function secondsText(ms: Milliseconds): string {
  const seconds = Math.ceil(ms / 1000)
  const rounded = seconds < 10 ? seconds : Math.round(seconds / 5) * 5
  return rounded === 1 ? '1 second' : `${rounded} seconds`
}
