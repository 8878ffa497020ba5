import { type CallPage, lastPage, type ScanProgress } from '../../telephony/types.ts'
import { numberText } from '../../util/text.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { OnProgress } from './answer.ts'

export interface ReadingTimes {
  /** After which it ends, and shows what it has. */
  readonly readForMs: Milliseconds
  /** What takes longer says so. */
  readonly progressAfterMs: Milliseconds
  readonly progressEveryMs: Milliseconds
}

export const readingTimes: ReadingTimes = { readForMs: 25_000, progressAfterMs: 2500, progressEveryMs: 1000 }

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
  const pages = sum(first.map((page) => (lastPage(page) ?? 1) - 1))
  return ((pages + moreRequests) / pagesAtATime) * tookMs
}

/** How far a reading is that a person waits for; it says so where it takes its time. */
export class Reading {
  readonly #options
  #soFar: Pick<ScanProgress, 'records' | 'total'>
  #saidAt: number | undefined

  /** @param options.first the first page of each query @param options.start when they were asked for, as `performance.now()` */
  constructor(options: {
    readonly first: readonly CallPage[]
    readonly start: number
    readonly moreRequests?: number
    /** What is shown where there is no time for all of it, in words. */
    readonly otherwise?: string
    readonly times: ReadingTimes
    readonly onProgress: OnProgress
  }) {
    this.#options = options
    const { first, start, moreRequests } = options
    const totals = first.flatMap(({ total }) => total ?? [])
    this.#soFar = { records: 0, total: totals.length === first.length ? sum(totals) : undefined }
    const expectedMs = expectedReadingMs(first, performance.now() - start, moreRequests)
    if (expectedMs > options.times.progressAfterMs) this.#announce(expectedMs)
  }

  get soFar(): Pick<ScanProgress, 'records' | 'total'> {
    return this.#soFar
  }

  readonly update = (progress: ScanProgress): void => {
    this.#soFar = progress
    const { start, onProgress, times } = this.#options
    const now = performance.now()
    const elapsed = now - start
    if (this.#saidAt === undefined) {
      if (elapsed > times.progressAfterMs) this.#announce(this.#remainingMs(elapsed))
      return
    }
    if (now - this.#saidAt < times.progressEveryMs) return
    this.#saidAt = now
    onProgress(progressText(progress))
  }

  #remainingMs(elapsed: Milliseconds): Milliseconds {
    const { records, total = 0 } = this.#soFar
    return records === 0 ? this.#options.times.readForMs : (elapsed * Math.max(0, total - records)) / records
  }

  #announce(expectedMs: Milliseconds): void {
    const { onProgress, times, otherwise } = this.#options
    this.#saidAt = performance.now()
    onProgress(readingText(this.#soFar.total, expectedMs, times.readForMs, otherwise))
  }
}

/** `2,500` for 2,544: two digits say enough. */
function roughly(count: number): string {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return numberText(Math.round(count / unit) * unit)
}

/** `3`, `10`, `15`: seconds, by fives from ten on. */
function secondsText(ms: Milliseconds): string {
  const seconds = Math.ceil(ms / 1000)
  return String(seconds < 10 ? seconds : Math.round(seconds / 5) * 5)
}

/**
 * What a reading says once that takes its time. It stays where it is: nothing can replace what a command posted.
 * @param otherwise what is shown where there is no time for all of it
 */
function readingText(
  total: number | undefined,
  expectedMs: Milliseconds,
  readForMs: Milliseconds,
  otherwise = 'what was found by then',
): string {
  const calls = total === undefined ? 'all calls of these days' : `about ${roughly(total)} calls`
  if (expectedMs < readForMs) return `Reading ${calls}. This takes about ${secondsText(expectedMs)} s.`
  return `Reading ${calls}. After ${secondsText(readForMs)} s, you'll see ${otherwise}.`
}

const places = 12

/** How far a reading is, in a modal: a bar and its figures. */
function progressText({ records, total }: Pick<ScanProgress, 'records' | 'total'>): string {
  const read = numberText(records)
  if (total === undefined) return `Read ${read} calls so far…`
  const filled = Math.min(places, Math.floor((records / Math.max(1, total)) * places))
  return `\`${'█'.repeat(filled)}${'░'.repeat(places - filled)}\` Read ${read} of ${numberText(total)} calls…`
}
