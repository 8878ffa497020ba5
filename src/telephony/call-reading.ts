import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../util/units.ts'
import * as types from './types.ts'

export interface ReadCallsOptions {
  /** First pages that were just read, by query. */
  readonly first?: readonly types.CallPage[] | undefined
  /** Reads one query after the other, instead of a page of each in turn. */
  readonly isInOrder?: boolean
  /** Throws a `ReadLimitError` if there are more calls. */
  readonly limit?: number | undefined
  /** Throws a `ReadLimitError` when the time is over. */
  readonly budget?: AbortSignal | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each page was consumed, with the figures of all queries. Its errors end the reading. */
  readonly onProgress?: ((progress: types.ReadProgress) => void) | undefined
}

export interface CallBatch {
  /** Index of the query. */
  readonly at: number
  readonly calls: readonly types.Call[]
}

type ReadPage = (query: types.CallQuery, signal: AbortSignal) => Promise<types.CallPage>

/** @throws {TelephonyError}, {ReadLimitError}, the signal's reason */
export async function* readLists(
  readPage: ReadPage,
  queries: readonly types.ReadQuery[],
  options: ReadCallsOptions = {},
): AsyncGenerator<CallBatch, void, undefined> {
  const { isInOrder = false, limit = Infinity, budget, signal, onProgress } = options
  const ended = new AbortController()
  const over = AbortSignal.any([ended.signal, signal, budget].filter((ending) => ending !== undefined))
  const readers: ListReader[] = []
  const unfinished = queries.map((query, at) => {
    const read = (page: number) => readComplete(readPage, { ...query, page }, over)
    const reader = new ListReader(read, options.first?.[at])
    readers.push(reader)
    return { at, pages: reader.read() }
  })
  let left = limit
  try {
    over.throwIfAborted()
    for (let list = unfinished.shift(); list; list = unfinished.shift()) {
      const { value: calls } = await list.pages.next()
      if (!calls) continue
      if (isInOrder) unfinished.unshift(list)
      else unfinished.push(list)
      if (calls.length > 0) yield { at: list.at, calls: calls.slice(0, left) }
      if (calls.length > left) throw new types.ReadLimitError('calls')
      left -= calls.length
      over.throwIfAborted()
      onProgress?.(sumProgress(readers))
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw budget?.aborted ? new types.ReadLimitError('time') : error
  } finally {
    ended.abort()
    await Promise.all(readers.map((reader) => reader.settle()))
  }
}

const MAX_SHORT_RESPONSES = 3
const SHORT_RESPONSE_WAIT_MS: Milliseconds = 100

async function readComplete(
  readPage: ReadPage,
  query: types.CallQuery,
  signal: AbortSignal,
): Promise<types.CallPage> {
  for (let responses = 1; ; responses += 1) {
    const page = await readPage(query, signal)
    if (!types.isShort(page) || responses === MAX_SHORT_RESPONSES) return page
    await sleep(SHORT_RESPONSE_WAIT_MS, undefined, { signal })
  }
}

function sumProgress(readers: readonly ListReader[]): types.ReadProgress {
  let records = 0
  for (const { progress } of readers) records += progress.records
  return { records, total: types.sumTotals(readers.map(({ progress }) => progress.total)) }
}

const PAGES_AHEAD = 3

/** Limit of pages in a row without new calls, for a total that is too large. */
const MAX_KNOWN_PAGES = 3

/**
 * Reads one list, which may change meanwhile. All ids are kept: the service promises no order, so new calls may move any record to
 * any later page. If calls were removed, others may have moved to pages that were read before, so the list is read twice.
 */
class ListReader {
  readonly #readPage
  readonly #ids = new Set<string>()
  /** Requested pages, from the next one on. */
  readonly #ahead: Promise<types.CallPage>[] = []
  #total: number | undefined
  #firstTotal: number | undefined
  #firstPageCount: number | undefined
  /** Number of the last page that was read, in either pass. */
  #furthest = 0
  #knownPages = 0
  #hasEmptyPage = false

  /** @param first the first page, if it was just read */
  constructor(readPage: (page: number) => Promise<types.CallPage>, first: types.CallPage | undefined) {
    this.#readPage = readPage
    this.#total = first?.total
    if (first && !types.isShort(first)) this.#ahead.push(Promise.resolve(first))
  }

  get progress(): types.ReadProgress {
    return { records: this.#ids.size, total: this.#total }
  }

  get #hasAll(): boolean {
    return this.#ids.size >= (this.#firstTotal ?? 0)
  }

  /**
   * Yields the new calls of each page, which may be none.
   * @throws {ServiceUnavailableError} if a page stays empty, though a later one has calls; {ListNotContinuedError}
   */
  async *read(): AsyncGenerator<readonly types.Call[], void, undefined> {
    for (const isSecondPass of [false, true]) {
      this.#knownPages = 0
      this.#hasEmptyPage = false
      let isLast = false
      for (let number = 1; !isLast; number += 1) {
        const calls = await this.#takePage(number)
        const newCalls = this.#addCalls(calls, number)
        const isRepeating = this.#isRepeating(calls)
        const [call] = calls
        if (call && this.#hasEmptyPage && isSecondPass)
          throw new types.ServiceUnavailableError(call.direction, 'envelope')
        isLast = isRepeating || this.#isAtEnd(number, calls) || (isSecondPass && this.#hasAll)
        if (!isLast) this.#readAhead(number + 1)
        yield newCalls
      }
      if (this.#hasAll) return
      await this.settle()
    }
  }

  /** Waits for the pages that were read ahead, and forgets them. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#ahead.splice(0))
  }

  /** A page with a smaller total than the one before was answered too early, and may lack calls, so it is read again. */
  async #takePage(number: number): Promise<readonly types.Call[]> {
    let page = await (this.#ahead.shift() ?? this.#readPage(number))
    if ((page.total ?? Infinity) < (this.#total ?? 0)) page = await this.#readPage(number)
    this.#total = page.total ?? this.#total
    this.#firstTotal ??= this.#total
    return page.calls
  }

  /** Returns the calls that no page had before. */
  #addCalls(calls: readonly types.Call[], number: number): readonly types.Call[] {
    const newCalls = calls.filter((call) => this.#ids.size < this.#ids.add(types.getCallIdentity(call)).size)
    this.#firstPageCount ??= this.#ids.size
    if (newCalls.length > 0) this.#knownPages = 0
    else if (number > this.#furthest) this.#knownPages += 1
    this.#furthest = Math.max(this.#furthest, number)
    if (calls.length === 0) this.#hasEmptyPage = true
    return newCalls
  }

  /** Whether the service repeats calls. @throws {ListNotContinuedError} if it repeats the first page */
  #isRepeating([call]: readonly types.Call[]): boolean {
    const addedCount = Math.max(0, (this.#total ?? 0) - (this.#firstTotal ?? 0))
    const hasRoom = this.#furthest * types.PAGE_SIZE > this.#ids.size + addedCount
    if (this.#knownPages < MAX_KNOWN_PAGES || !hasRoom) return false
    if (call && this.#ids.size === this.#firstPageCount) throw new types.ListNotContinuedError(call.direction)
    return true
  }

  #isAtEnd(number: number, calls: readonly types.Call[]): boolean {
    const last = types.lastPage({ total: this.#total })
    return last === undefined ? calls.length < types.PAGE_SIZE : number >= last
  }

  /** Without a total, the order of the responses is unknown, so no page is read ahead. */
  #readAhead(next: number): void {
    const last = types.lastPage({ total: this.#total }) ?? 0
    while (this.#ahead.length < PAGES_AHEAD && next + this.#ahead.length <= last) {
      const page = this.#readPage(next + this.#ahead.length)
      // `#takePage` throws the error, unless the reading ends before.
      page.catch(() => {})
      this.#ahead.push(page)
    }
  }
}
