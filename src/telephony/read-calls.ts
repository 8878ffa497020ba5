import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../util/units.ts'
import { RateLimitedError, ReadingCutError, ScanInterruptedError, ServiceUnavailableError } from './errors.ts'
import {
  type Call,
  type CallPage,
  type CallQuery,
  isShort,
  lastPage,
  PAGE_SIZE,
  type ScanProgress,
  type ScanQuery,
} from './types.ts'

export interface ReadCallsOptions {
  /** The first page of each query, where they were read just now: they are not read again. */
  readonly first?: readonly CallPage[] | undefined
  /** Each query after the one before it, rather than a page of each in turn. */
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

export interface CallBatch {
  readonly at: number
  readonly calls: readonly Call[]
}

/** What a record is known by; one that has no id, by all it says. The direction is the same for all of a list. */
export const identityOf = (call: Call): string => (call.id === '' ? JSON.stringify(call) : call.id)

interface PageSource {
  readonly readPage: (query: CallQuery, signal: AbortSignal) => Promise<CallPage>
  readonly maxInFlight: number
}

/** @throws {ScanInterruptedError} with how far all of them came, {ReadingCutError}, other errors as they come */
export async function* readLists(
  source: PageSource,
  queries: readonly ScanQuery[],
  options: ReadCallsOptions = {},
): AsyncGenerator<CallBatch, void, undefined> {
  const { isInOrder = false, limit = Number.POSITIVE_INFINITY, budget, signal, onProgress } = options
  signal?.throwIfAborted()
  const ended = new AbortController()
  const over = AbortSignal.any([ended.signal, signal, budget].filter((one) => one !== undefined))
  // Each request in flight listens, and each wait.
  setMaxListeners(0, over)
  const lists = queries.map((query, at) => ({
    at,
    list: new ListReader(source, query, { first: options.first?.[at], signal: over }),
  }))
  const progress = () => lists.map(({ list }) => list.progress).reduce(sumOf)
  const waiting = [...lists]
  let left = limit
  try {
    over.throwIfAborted()
    for (let turn = waiting.shift(); turn; turn = waiting.shift()) {
      const { at, list } = turn
      const calls = await list.next()
      if (calls === undefined) continue
      if (isInOrder) waiting.unshift(turn)
      else waiting.push(turn)
      if (calls.length > 0) yield { at, calls: calls.slice(0, left) }
      if (calls.length > left) throw new ReadingCutError('calls')
      left -= calls.length
      over.throwIfAborted()
      onProgress?.(progress())
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (budget?.aborted) throw new ReadingCutError('time')
    const isAway = error instanceof ServiceUnavailableError || error instanceof RateLimitedError
    throw isAway ? new ScanInterruptedError(error, progress()) : error
  } finally {
    ended.abort()
    await Promise.all(lists.map(({ list }) => list.settled()))
  }
}

const sumOf = (a: ScanProgress, b: ScanProgress): ScanProgress => ({
  records: a.records + b.records,
  pages: a.pages + b.pages,
  total: a.total === undefined || b.total === undefined ? undefined : a.total + b.total,
})

/** Where the totals of a service never agree, a page is taken as it is after so many tries. */
const maxAgain = 20

/** More pages in a row without anything new may be the end: without totals, nothing else tells it. */
const maxBarren = 2

/**
 * The calls of every page of a list, each once, in the order of the pages. Ids are kept of all of them, and nothing else: the
 * service promises no order, so new calls may move any record to any later page, and a window of the latest ids would not do.
 *
 * Where records only come, none moves to an earlier place. A reader who takes page after page, each answered no earlier than
 * the one before it, meets every record that is there all the time. Several pages in flight may be answered in any order, but
 * each tells the total of its moment, and that only grows: as long as totals don't fall from page to page, they were answered
 * in order, or of the same list. A page with a smaller total than its predecessor's was answered before it, or records have
 * gone and later ones have moved up, by as many places at most: either way, as many pages as that makes are read again.
 *
 * What both comes and goes between two pages can hide from the totals. All is read once more where that shows at the end.
 */
class ListReader {
  readonly #pages
  readonly #direction
  readonly #ids = new Set<string>()
  #next = 1
  #previous: CallPage | undefined
  #again = 0
  #furthest = 0
  #isFurther = false
  #total: number | undefined
  #firstTotal: number | undefined
  #vanished = 0
  #barren = 0
  #hasEmptyPage = false
  #isSecondTime = false
  #isOver = false

  constructor(
    source: PageSource,
    query: ScanQuery,
    { first, signal }: { first: CallPage | undefined; signal: AbortSignal },
  ) {
    this.#pages = new PagesAhead(source, query, signal)
    this.#direction = query.direction
    this.#total = first?.total
    // What lacks records is read again.
    if (first && !isShort(first)) this.#pages.keep(first)
  }

  get progress(): ScanProgress {
    return { records: this.#ids.size, pages: this.#furthest, total: this.#total }
  }

  /** What is new on the next page, which may be nothing; `undefined` after the last one. */
  async next(): Promise<readonly Call[] | undefined> {
    while (!this.#isOver) {
      // Without a total there is no telling in which order pages were answered: one at a time.
      const last = (this.#previous && lastPage(this.#previous)) ?? this.#next
      const { page, isAhead } = await this.#pages.take(this.#next, last)
      if (!this.#accepts(page, isAhead)) continue
      const fresh = page.calls.filter((call) => this.#ids.size < this.#ids.add(identityOf(call)).size)
      this.#isOver = !this.#goesOn(page, fresh.length)
      return fresh
    }
    return undefined
  }

  settled(): Promise<void> {
    return this.#pages.settled()
  }

  /** Whether the page goes on where the one before it ended; otherwise another is next, or the same once more. */
  #accepts(page: CallPage, isAhead: boolean): boolean {
    const previous = this.#previous
    const isComparable = previous?.total !== undefined && page.total !== undefined
    const lost = isComparable ? previous.total - page.total : undefined
    const isInOrder = lost === undefined ? previous === undefined || !isAhead : lost <= 0
    if (!isInOrder && this.#again < maxAgain) {
      this.#again += 1
      if (lost === undefined) this.#pages.forget(page.page)
      else {
        this.#vanished += lost
        this.#next = Math.max(1, this.#next - Math.ceil(lost / PAGE_SIZE))
        // More may go until that page is read.
        this.#previous = page
      }
      return false
    }
    this.#isFurther = this.#next > this.#furthest
    if (this.#isFurther) this.#again = 0
    this.#previous = page
    this.#total = page.total ?? this.#total
    this.#firstTotal ??= page.total
    this.#furthest = Math.max(this.#furthest, this.#next)
    this.#next += 1
    return true
  }

  /**
   * Whether there is more to read after a page that was accepted. Where fewer records came than the service said at first,
   * and than are known to have gone, all is read once more.
   * @throws {ServiceUnavailableError} where the service keeps the records of a page to itself, though later pages have some
   */
  #goesOn({ page, calls, total }: CallPage, fresh: number): boolean {
    const records = this.#ids.size
    const isBarren = this.#isBarren(fresh)
    if (this.#isSecondTime && this.#hasEmptyPage && calls.length > 0)
      throw new ServiceUnavailableError(this.#direction, 'envelope')
    if (total === undefined) return calls.length >= PAGE_SIZE && !isBarren
    if (this.#isSecondTime && records >= total) return false
    if (page < (lastPage({ total }) ?? page) && !isBarren) {
      if (calls.length === 0) this.#hasEmptyPage = true
      return true
    }
    if (this.#isSecondTime || records + this.#vanished >= (this.#firstTotal ?? 0)) return false
    this.#isSecondTime = true
    this.#next = 1
    this.#previous = undefined
    this.#barren = 0
    this.#hasEmptyPage = false
    return true
  }

  /**
   * Whether the service has no more, though it goes on answering, such as with its last page over and over. What is on the
   * pages so far was found, or came since the first one: where they hold more than that, records are there twice.
   */
  #isBarren(fresh: number): boolean {
    if (fresh > 0) this.#barren = 0
    else if (this.#isFurther) this.#barren += 1
    const came = Math.max(0, (this.#total ?? 0) - (this.#firstTotal ?? 0))
    const known = this.#ids.size + came + this.#vanished
    return this.#barren > maxBarren && this.#furthest * PAGE_SIZE > known
  }
}

/** How far the reading may be ahead of whoever takes the pages: more than are in flight, where one of them takes longer. */
const maxAhead = 12

/** After as many, the service seems to have no more for that page. */
const maxShortAnswers = 2

const shortAnswerWaitMs: Milliseconds = 100

/** Reads pages ahead of whoever takes them one after the other: several are in flight at a time, and few are kept. */
class PagesAhead {
  readonly #source
  readonly #query
  readonly #signal
  readonly #pages = new Map<number, Promise<CallPage>>()
  readonly #inFlight = new Set<Promise<CallPage>>()
  #first = 1
  #last = 0

  /** @param signal once it is aborted, nothing more begins */
  constructor(source: PageSource, query: ScanQuery, signal: AbortSignal) {
    this.#source = source
    this.#query = query
    this.#signal = signal
  }

  /**
   * The page with that number. Those after it are read ahead, up to `last`; those before it are forgotten, and where it is
   * one of these, all of them are.
   * @returns `isAhead`: it was asked for before it was taken
   */
  async take(number: number, last: number): Promise<{ page: CallPage; isAhead: boolean }> {
    for (const known of this.#pages.keys())
      if (known < number || number < this.#first) this.#pages.delete(known)
    this.#first = number
    this.#last = Math.min(last, number + maxAhead - 1)
    const isAhead = this.#pages.has(number)
    const page = this.#pages.get(number) ?? this.#begin(number)
    this.#readAhead()
    return { page: await page, isAhead }
  }

  /** Taken, it is not read. */
  keep(page: CallPage): void {
    this.#pages.set(page.page, Promise.resolve(page))
  }

  /** Taken again, it is read again. */
  forget(number: number): void {
    this.#pages.delete(number)
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#inFlight)
  }

  #readAhead(): void {
    for (let number = this.#first; number <= this.#last; number += 1) {
      if (this.#inFlight.size >= this.#source.maxInFlight || this.#signal.aborted) return
      if (!this.#pages.has(number)) this.#begin(number)
    }
  }

  #begin(number: number): Promise<CallPage> {
    const page = this.#read(number)
    const over = () => {
      this.#inFlight.delete(page)
      this.#readAhead()
    }
    this.#inFlight.add(page)
    // Who takes it hears of its failure; nobody may ever take it.
    page.then(over, over)
    this.#pages.set(number, page)
    return page
  }

  async #read(number: number): Promise<CallPage> {
    for (let shortAnswers = 0; ; shortAnswers += 1) {
      const page = await this.#source.readPage({ ...this.#query, page: number }, this.#signal)
      if (!isShort(page) || shortAnswers === maxShortAnswers) return page
      await sleep(shortAnswerWaitMs, undefined, { signal: this.#signal })
    }
  }
}
