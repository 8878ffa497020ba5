import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../util/units.ts'
import { RateLimitedError, ReadingCutError, ScanInterruptedError, ServiceUnavailableError } from './errors.ts'
import { isShort } from './paging.ts'
import { backoff, isTransient } from './retry.ts'
import { type PageRead, ScanCursor } from './scan-cursor.ts'
import type { Call, CallPage, ScanProgress } from './types.ts'

export interface ReadCallsOptions {
  /** The first page of each query, where they were read just now: they are not read again. */
  readonly first?: readonly CallPage[] | undefined
  /** Each query after the one before it, rather than all at a time. */
  readonly isInOrder?: boolean
  /** So many calls of all queries together are handed over; where there are more, a `ReadingCutError` is thrown then. */
  readonly limit?: number | undefined
  /** Ends the reading with a `ReadingCutError` once it is aborted: there is no more time. */
  readonly budget?: AbortSignal | undefined
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called after the calls of each page were handed over, with the figures of all queries. What it throws ends the reading. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined
}

/** What is new on a page. */
export interface CallBatch {
  /** Which query it is of. */
  readonly at: number
  readonly calls: readonly Call[]
}

/** What a record is known by; one that has no id, by all it says. The direction is the same for all of a list. */
export const identityOf = (call: Call): string => (call.id === '' ? JSON.stringify(call) : call.id)

/** One try of a page. @param attempt counts from 1 */
export type ReadOnce = (
  page: number,
  options: { readonly attempt: number; readonly signal: AbortSignal },
) => Promise<CallPage>

/** One query's pages, from the first to the last. @param signal ends it, and what is in flight of it */
export type ReadList = (options: {
  readonly first: CallPage | undefined
  readonly signal: AbortSignal
  readonly onProgress: (progress: ScanProgress) => void
}) => AsyncGenerator<readonly Call[], void, undefined>

/**
 * The calls of several lists, in batches.
 * @throws {ScanInterruptedError | ReadingCutError} with how far all of them came, other errors as they come
 */
export async function* readLists(
  lists: readonly ReadList[],
  options: ReadCallsOptions = {},
): AsyncGenerator<CallBatch, void, undefined> {
  const { first = [], isInOrder = false, limit = Number.POSITIVE_INFINITY, budget, signal } = options
  const all = lists.map((_, at): ScanProgress => ({ records: 0, pages: 0, total: first[at]?.total }))
  const progress = () => all.reduce(sumOf)
  signal?.throwIfAborted()
  const ended = new AbortController()
  const end = () => ended.abort(signal?.reason)
  signal?.addEventListener('abort', end, { once: true })
  budget?.addEventListener('abort', end, { once: true })
  if (budget?.aborted) end()
  const batches = lists.map(async function* (read, at): AsyncGenerator<CallBatch, void, undefined> {
    const onProgress = (own: ScanProgress) => {
      all[at] = own
      options.onProgress?.(progress())
    }
    for await (const calls of read({ first: first[at], signal: ended.signal, onProgress }))
      yield { at, calls }
  })
  let left = limit
  try {
    for await (const batch of isInOrder ? inTurn(batches) : merged(batches, ended)) {
      if (batch.calls.length > left) {
        yield { ...batch, calls: batch.calls.slice(0, left) }
        throw new ReadingCutError('calls', progress())
      }
      left -= batch.calls.length
      yield batch
      signal?.throwIfAborted()
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (budget?.aborted) throw new ReadingCutError('time', progress())
    const isAway = error instanceof ServiceUnavailableError || error instanceof RateLimitedError
    throw isAway ? new ScanInterruptedError(error, progress()) : error
  } finally {
    signal?.removeEventListener('abort', end)
    budget?.removeEventListener('abort', end)
  }
}

/** The total is unknown where one of them is. */
const sumOf = (a: ScanProgress, b: ScanProgress): ScanProgress => ({
  records: a.records + b.records,
  pages: a.pages + b.pages,
  total: a.total === undefined || b.total === undefined ? undefined : a.total + b.total,
})

async function* inTurn<T>(generators: readonly AsyncGenerator<T, void, undefined>[]) {
  for (const generator of generators) yield* generator
}

/** What each of them yields, as it comes. Where one fails or nobody wants more, the others end too. */
async function* merged<T>(
  generators: readonly AsyncGenerator<T, void, undefined>[],
  ended: AbortController,
): AsyncGenerator<T, void, undefined> {
  const [only] = generators
  if (only && generators.length === 1) return yield* only
  const step = async (generator: AsyncGenerator<T, void, undefined>) => ({
    generator,
    result: await generator.next(),
  })
  const steps = new Map(generators.map((generator) => [generator, step(generator)]))
  try {
    while (steps.size > 0) {
      const { generator, result } = await Promise.race(steps.values())
      if (result.done) {
        steps.delete(generator)
        continue
      }
      yield result.value
      steps.set(generator, step(generator))
    }
  } finally {
    ended.abort()
    await Promise.allSettled(generators.map((generator) => generator.return()))
  }
}

/**
 * The calls of every page of a list, each once, in the order of the pages. Ids are kept of all of them, and nothing else: the
 * service promises no order, so new calls may move any record to any later page, and a window of the latest ids would not do.
 * @throws {TelephonyError}, what ended a wait where the signal is aborted
 */
export async function* scanPages(
  read: Omit<ConstructorParameters<typeof PageReader>[0], 'signal'>,
  { first, signal, onProgress }: Parameters<ReadList>[0],
): AsyncGenerator<readonly Call[], void, undefined> {
  const ended = new AbortController()
  const end = () => ended.abort(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  // Each request in flight listens, and each wait.
  setMaxListeners(0, ended.signal)
  const pages = new PageReader({ ...read, signal: ended.signal })
  // What lacks records is read again.
  if (first && !isShort(first)) pages.keep({ page: first, sent: 0, received: 0 })
  const cursor = new ScanCursor()
  const ids = new Set<string>()
  try {
    signal.throwIfAborted()
    for (let goesOn = true; goesOn; ) {
      const taken = await pages.take(cursor.next, cursor.last)
      if (!cursor.accepts(taken)) {
        pages.forget(taken.page.page)
        continue
      }
      const known = ids.size
      const fresh = taken.page.calls.filter((call) => ids.size < ids.add(identityOf(call)).size)
      if (fresh.length > 0) yield fresh
      signal.throwIfAborted()
      onProgress({ records: ids.size, pages: cursor.pages, total: cursor.total })
      goesOn = cursor.goesOn(taken, { fresh: ids.size - known, records: ids.size })
    }
  } finally {
    signal.removeEventListener('abort', end)
    ended.abort()
    await pages.settled()
  }
}

/** How far the reading may be ahead of whoever takes the pages: more than are in flight, where one of them takes longer. */
const maxAhead = 12

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

/**
 * Reads pages ahead of whoever takes them one after the other, each as often as it takes: several are in flight at a time, and
 * few are kept. Where the service asks to wait, all of them wait.
 */
export class PageReader {
  readonly #options
  readonly #reads = new Map<number, Promise<PageRead>>()
  readonly #inFlight = new Set<Promise<PageRead>>()
  #first = 1
  #last = 0
  #clock = 0
  #resumeAt = 0

  /**
   * @param options.patienceMs a page is given up where it fails for so long, without the waits that were asked for
   * @param options.signal once it is aborted, nothing more begins
   */
  constructor(options: {
    readOnce: ReadOnce
    maxInFlight: number
    patienceMs: Milliseconds
    backoffMs: Milliseconds
    signal: AbortSignal
  }) {
    this.#options = options
  }

  /**
   * The page with that number. Those after it are read ahead, up to `last`; those before it are forgotten, and where it is
   * one of these, all of them are.
   * @throws {TelephonyError}, and what ended the waiting where the signal is aborted
   */
  take(number: number, last: number): Promise<PageRead> {
    for (const known of this.#reads.keys())
      if (known < number || number < this.#first) this.#reads.delete(known)
    this.#first = number
    this.#last = Math.min(last, number + maxAhead - 1)
    const read = this.#reads.get(number) ?? this.#begin(number)
    this.#readAhead()
    return read
  }

  /** Taken, it is not read. */
  keep(read: PageRead): void {
    this.#reads.set(read.page.page, Promise.resolve(read))
  }

  /** Taken again, it is read again. */
  forget(number: number): void {
    this.#reads.delete(number)
  }

  /** Once nothing is in flight. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inFlight)
  }

  #readAhead(): void {
    for (let number = this.#first; number <= this.#last; number += 1) {
      if (this.#inFlight.size >= this.#options.maxInFlight || this.#options.signal.aborted) return
      if (!this.#reads.has(number)) this.#begin(number)
    }
  }

  #begin(number: number): Promise<PageRead> {
    const read = this.#read(number)
    const over = () => {
      this.#inFlight.delete(read)
      this.#readAhead()
    }
    this.#inFlight.add(read)
    // Who takes it hears of its failure; nobody may ever take it.
    read.then(over, over)
    this.#reads.set(number, read)
    return read
  }

  async #read(number: number): Promise<PageRead> {
    const { readOnce, patienceMs, backoffMs, signal } = this.#options
    let pausedMs = 0
    let shortAnswers = 0
    let failingSince: number | undefined
    for (let attempt = 1; ; attempt += 1) {
      await this.#resumed()
      this.#clock += 1
      const sent = this.#clock
      const waitMs = Math.min(backoff(attempt, backoffMs), maxBackoffMs)
      try {
        const page = await readOnce(number, { attempt, signal })
        this.#clock += 1
        if (!isShort(page) || shortAnswers >= maxShortAnswers) return { page, sent, received: this.#clock }
        shortAnswers += 1
      } catch (error) {
        if (signal.aborted || !passes(error)) throw error
        const now = performance.now()
        failingSince ??= now
        if (error instanceof RateLimitedError && error.retryAfterMs !== undefined) {
          const pauseMs = Math.max(error.retryAfterMs, waitMs)
          pausedMs += pauseMs
          if (pausedMs > maxPauseMs) throw error
          this.#resumeAt = Math.max(this.#resumeAt, now + pauseMs)
          continue
        }
        if (now - failingSince - pausedMs + waitMs > patienceMs) throw error
      }
      await sleep(waitMs, undefined, { signal })
    }
  }

  async #resumed(): Promise<void> {
    const pauseMs = () => Math.ceil(this.#resumeAt - performance.now())
    for (let ms = pauseMs(); ms > 0; ms = pauseMs())
      await sleep(ms, undefined, { signal: this.#options.signal })
  }
}
