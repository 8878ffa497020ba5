import { lastPage } from '../../telephony/paging.ts'
import type { CallPage, ScanProgress } from '../../telephony/types.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Tell } from './answer.ts'
import { progressText, readingText } from './reading-texts.ts'

/** What takes longer is told of. */
const tellAfterMs: Milliseconds = 2500
const tellEveryMs: Milliseconds = 1000
/** How many pages a scan reads at a time, as long as nobody else reads. */
const pagesAtATime = 3

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/**
 * How long the rest will take, by what the first pages took.
 * @param moreRequests as many as it needs besides
 */
export function expectedReadingMs(
  first: readonly CallPage[],
  tookMs: Milliseconds,
  moreRequests = 0,
): Milliseconds {
  const pages = sum(first.map((page) => (lastPage(page) ?? 1) - (lastPage(page) === 1 ? 1 : 0)))
  return ((pages + moreRequests) / pagesAtATime) * tookMs
}

/** How far a reading is that a person waits for, of one direction or of both; it tells so where it takes its time. */
export class Reading {
  readonly #options
  readonly #progress: Pick<ScanProgress, 'records' | 'total'>[]
  #toldAt: number | undefined

  /** @param options.first the first page of each direction @param options.start when they were asked for, as `performance.now()` */
  constructor(options: {
    readonly first: readonly CallPage[]
    readonly start: number
    /** Besides the pages. */
    readonly moreRequests?: number
    /** What is shown where there is no time for all of it, in words. */
    readonly otherwise?: string
    /** After which it ends. */
    readonly readForMs: Milliseconds
    readonly tell: Tell
  }) {
    this.#options = options
    // A list of one page is read with it.
    this.#progress = options.first.map((page) => ({
      records: lastPage(page) === 1 ? page.calls.length : 0,
      total: page.total,
    }))
    const expectedMs = expectedReadingMs(
      options.first,
      performance.now() - options.start,
      options.moreRequests,
    )
    if (expectedMs > tellAfterMs) this.#tellOf(expectedMs)
  }

  /** Of all directions. */
  get soFar(): Pick<ScanProgress, 'records' | 'total'> {
    const totals = this.#progress.flatMap(({ total }) => total ?? [])
    const isKnown = totals.length === this.#progress.length
    return {
      records: sum(this.#progress.map(({ records }) => records)),
      total: isKnown ? sum(totals) : undefined,
    }
  }

  /** @param at of which direction */
  progress(at: number, progress: ScanProgress): void {
    this.#progress[at] = progress
    const { start, tell } = this.#options
    const now = performance.now()
    const elapsed = now - start
    if (this.#toldAt === undefined) {
      if (elapsed > tellAfterMs) this.#tellOf(this.#remainingMs(elapsed))
      return
    }
    if (now - this.#toldAt < tellEveryMs) return
    this.#toldAt = now
    tell(progressText(this.soFar))
  }

  #remainingMs(elapsed: Milliseconds): Milliseconds {
    const { records, total = 0 } = this.soFar
    return records === 0 ? this.#options.readForMs : (elapsed * Math.max(0, total - records)) / records
  }

  #tellOf(expectedMs: Milliseconds): void {
    const { tell, readForMs, otherwise } = this.#options
    this.#toldAt = performance.now()
    tell(readingText(this.soFar.total, expectedMs, readForMs, otherwise))
  }
}
