import { setMaxListeners } from 'node:events'
import type { Milliseconds } from '../util/units.ts'
import { RateLimitedError, ScanInterruptedError, ServiceUnavailableError } from './errors.ts'
import { PagesAhead } from './scan-ahead.ts'
import { ScanCourse } from './scan-course.ts'
import { IdSet } from './scan-ids.ts'
import { type ReadOnce, ScanReads } from './scan-reads.ts'
import type { Call, ScanProgress } from './types.ts'

export interface ScanOptions {
  /** Ends the scan, with its reason, and what is under way. */
  readonly signal?: AbortSignal | undefined
  /** Called after the calls of each page were handed over. What it throws ends the scan. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined
}

/** What a record is known by; one that has no id, by all it says. The direction is the same for all of a scan. */
export const identityOf = (call: Call): string => (call.id === '' ? JSON.stringify(call) : call.id)

/**
 * The calls of every page, each once, in the order of the pages. Ids are kept of all of them, and nothing else: the service
 * promises no order, so new calls may move any record to any later page, and a window of the latest ids would not do.
 * @throws {TelephonyError}, the signal's reason
 */
export async function* scanPages(
  read: { readonly readOnce: ReadOnce; readonly maxUnderWay: number; readonly patienceMs: Milliseconds },
  { signal, onProgress }: ScanOptions,
): AsyncGenerator<Call, void, undefined> {
  signal?.throwIfAborted()
  const ended = new AbortController()
  const end = () => ended.abort(signal?.reason)
  signal?.addEventListener('abort', end, { once: true })
  // Each request under way listens, and each wait.
  setMaxListeners(0, ended.signal)
  const reads = new ScanReads({ ...read, signal: ended.signal })
  const ahead = new PagesAhead({ ...read, read: (page) => reads.read(page) })
  const course = new ScanCourse()
  const ids = new IdSet()
  let records = 0
  const progress = (): ScanProgress => ({ records, pages: course.pages, total: course.total })
  try {
    for (let goesOn = true; goesOn; ) {
      const read = await ahead.take(course.next, course.last)
      if (!course.accepts(read)) {
        ahead.forget(read.page.page)
        continue
      }
      const fresh = read.page.calls.filter((call) => ids.add(identityOf(call)))
      for (const call of fresh) {
        records += 1
        yield call
        signal?.throwIfAborted()
      }
      onProgress?.(progress())
      goesOn = course.goesOn(read, { fresh: fresh.length, records })
    }
  } catch (error) {
    signal?.throwIfAborted()
    const isAway = error instanceof ServiceUnavailableError || error instanceof RateLimitedError
    throw isAway ? new ScanInterruptedError(error, progress()) : error
  } finally {
    signal?.removeEventListener('abort', end)
    ended.abort()
    await ahead.end()
  }
}
