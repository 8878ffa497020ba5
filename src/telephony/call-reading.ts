import { setTimeout as sleep } from 'node:timers/promises'
import { countLastPage } from '../util/paging.ts'
import type { Milliseconds } from '../util/units.ts'
import * as types from './types.ts'

export interface ReadCallsOptions {
  /** First pages that were just read, by query. */
  readonly firstPages?: readonly types.CallPage[] | undefined
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
  readonly queryIndex: number
  readonly calls: readonly types.Call[]
}

type ReadPage = (query: types.CallQuery, signal: AbortSignal) => Promise<types.CallPage>

/** @throws {TelephonyError}, {ReadLimitError}, the signal's reason */
export async function* readLists(
  readPage: ReadPage,
  queries: readonly types.ReadQuery[],
  options: ReadCallsOptions = {},
): AsyncGenerator<CallBatch, void, undefined> {
  const { firstPages, isInOrder = false, limit = Infinity, budget, signal, onProgress } = options
  const ended = new AbortController()
  const stop = AbortSignal.any([ended.signal, signal, budget].filter((cause) => cause !== undefined))
  const readers = queries.map((query, index) => {
    const readListPage = (page: number) => readFullPage(readPage, { ...query, page }, stop)
    return new ListReader(readListPage, firstPages?.[index])
  })
  // The lists that have more pages, the next one to read first.
  const queue = readers.map((reader, queryIndex) => ({ queryIndex, pages: reader.read() }))
  let callsLeft = limit
  try {
    stop.throwIfAborted()
    for (let list = queue.shift(); list; list = queue.shift()) {
      const { value: calls, done } = await list.pages.next()
      // A list that has ended isn't queued again.
      if (done) continue
      if (isInOrder) queue.unshift(list)
      else queue.push(list)
      if (calls.length > 0) yield { queryIndex: list.queryIndex, calls: calls.slice(0, callsLeft) }
      if (calls.length > callsLeft) throw new types.ReadLimitError('calls')
      callsLeft -= calls.length
      stop.throwIfAborted()
      onProgress?.(sumProgress(readers))
    }
  } catch (error) {
    // A request that was stopped fails with an error that doesn't tell why.
    signal?.throwIfAborted()
    if (budget?.aborted) throw new types.ReadLimitError('time')
    throw error
  } finally {
    ended.abort()
    await Promise.all(readers.map((reader) => reader.discardPagesAhead()))
  }
}

const MAX_SHORT_RESPONSES = 3
const SHORT_RESPONSE_WAIT_MS: Milliseconds = 100

/** Reads a page again while it has fewer calls than its total implies. */
async function readFullPage(readPage: ReadPage, query: types.CallQuery, signal: AbortSignal) {
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

/** After this many in a row, a list ends even if its total is larger. */
const MAX_PAGES_WITHOUT_NEW = 3

/**
 * Reads one list, which may change meanwhile. All ids are kept: the service promises no order, so new calls may move any record to
 * any later page. If calls were removed, others may have moved to pages that were read before, so the list is read twice.
 */
class ListReader {
  readonly #readPage
  readonly #ids = new Set<string>()
  /** Requested pages, from the next one on. */
  readonly #pagesAhead: Promise<types.CallPage>[] = []
  #isSecondPass = false
  #total: number | undefined
  #firstTotal: number | undefined
  /** Highest number of a page that was read in either pass. */
  #furthestPage = 0
  /** Consecutive pages without new calls. The second pass counts only those that the first didn't reach. */
  #pagesWithoutNew = 0
  #hasEmptyPage = false

  /** @param firstPage if it was just read */
  constructor(readPage: (page: number) => Promise<types.CallPage>, firstPage: types.CallPage | undefined) {
    this.#readPage = readPage
    this.#total = firstPage?.total
    if (firstPage && !types.isShort(firstPage)) this.#pagesAhead.push(Promise.resolve(firstPage))
  }

  get progress(): types.ReadProgress {
    return { records: this.#ids.size, total: this.#total }
  }

  /** Whether it found as many calls as the list had at first. */
  get #hasAll(): boolean {
    return this.#ids.size >= (this.#firstTotal ?? 0)
  }

  /** Yields the new calls of each page, which may be none. @throws {TelephonyError} */
  async *read(): AsyncGenerator<readonly types.Call[], void, undefined> {
    yield* this.#readPass()
    if (this.#hasAll) return
    this.#isSecondPass = true
    yield* this.#readPass()
  }

  async *#readPass(): AsyncGenerator<readonly types.Call[], void, undefined> {
    this.#pagesWithoutNew = 0
    this.#hasEmptyPage = false
    let isLast = false
    for (let number = 1; !isLast; number += 1) {
      const calls = await this.#takePage(number)
      const newCalls = this.#addCalls(calls)
      this.#countPage(number, calls, newCalls)
      this.#assertContinued(calls)
      isLast = this.#isLastPage(number, calls)
      if (!isLast) this.#readAhead(number + 1)
      yield newCalls
    }
    // The second pass begins at the first page again.
    if (!this.#hasAll) await this.discardPagesAhead()
  }

  /** Waits for the requests, so that none stays in flight. */
  async discardPagesAhead(): Promise<void> {
    await Promise.allSettled(this.#pagesAhead.splice(0))
  }

  /** Reads a page again if its total is smaller than the previous page's: it was answered earlier, and may lack calls. */
  async #takePage(number: number): Promise<readonly types.Call[]> {
    let page = await (this.#pagesAhead.shift() ?? this.#readPage(number))
    const { total = Infinity } = page
    if (this.#total !== undefined && total < this.#total) page = await this.#readPage(number)
    this.#total = page.total ?? this.#total
    this.#firstTotal ??= this.#total
    return page.calls
  }

  /** Returns the calls that no page had before. */
  #addCalls(calls: readonly types.Call[]): readonly types.Call[] {
    const newCalls: types.Call[] = []
    for (const call of calls) {
      const id = types.getCallIdentity(call)
      if (!this.#ids.has(id)) newCalls.push(call)
      this.#ids.add(id)
    }
    return newCalls
  }

  #countPage(number: number, calls: readonly types.Call[], newCalls: readonly types.Call[]): void {
    if (newCalls.length > 0) this.#pagesWithoutNew = 0
    else if (number > this.#furthestPage) this.#pagesWithoutNew += 1
    this.#furthestPage = Math.max(this.#furthestPage, number)
    if (calls.length === 0) this.#hasEmptyPage = true
  }

  /** Throws if the service repeats the first page, or if a page stays empty though a later one has calls. */
  #assertContinued(calls: readonly types.Call[]): void {
    if (calls.length === 0) return
    const hasOnlyFirstPage = this.#ids.size <= types.PAGE_SIZE
    if (this.#isRepeating && hasOnlyFirstPage) throw new types.TelephonyError('not-continued')
    if (this.#isSecondPass && this.#hasEmptyPage) throw new types.TelephonyError('envelope')
  }

  /** Whether the last pages had only calls that were read before, more than added calls can have moved there. */
  get #isRepeating(): boolean {
    if (this.#pagesWithoutNew < MAX_PAGES_WITHOUT_NEW) return false
    // Each call that was added meanwhile may have moved a known one to a later page.
    const addedCount = Math.max(0, (this.#total ?? 0) - (this.#firstTotal ?? 0))
    const rowsRead = this.#furthestPage * types.PAGE_SIZE
    return rowsRead > this.#ids.size + addedCount
  }

  #isLastPage(number: number, calls: readonly types.Call[]): boolean {
    const hasFoundRest = this.#isSecondPass && this.#hasAll
    if (hasFoundRest || this.#isRepeating) return true
    if (this.#total === undefined) return calls.length < types.PAGE_SIZE
    return number >= countLastPage(this.#total, types.PAGE_SIZE)
  }

  /** Without a total, the order of the responses is unknown, so no page is read ahead. */
  #readAhead(nextPage: number): void {
    const last = countLastPage(this.#total ?? 0, types.PAGE_SIZE)
    while (this.#pagesAhead.length < PAGES_AHEAD && nextPage + this.#pagesAhead.length <= last) {
      const page = this.#readPage(nextPage + this.#pagesAhead.length)
      // `#takePage` throws the error, unless the reading ends before.
      page.catch(() => {})
      this.#pagesAhead.push(page)
    }
  }
}
