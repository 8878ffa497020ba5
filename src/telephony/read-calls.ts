import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../util/units.ts'
import {
  type Call,
  type CallPage,
  type CallQuery,
  getCallIdentity,
  isShort,
  lastPage,
  PAGE_SIZE,
  ReadingCutError,
  type ScanProgress,
  type ScanQuery,
  ServiceUnavailableError,
  sumTotals,
} from './types.ts'

export interface ReadCallsOptions {
  /** First pages that were just read, by query. */
  readonly first?: readonly CallPage[] | undefined
  /** Reads one query after the other, instead of a page of each in turn. */
  readonly isInOrder?: boolean
  /** Number of calls after which a `ReadingCutError` ends the reading, if there are more. */
  readonly limit?: number | undefined
  /** Ends the reading with a `ReadingCutError` when aborted: its time is over. */
  readonly budget?: AbortSignal | undefined
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page was consumed, with the figures of all queries. Its errors end the reading. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined
}

export interface CallBatch {
  /** Index of the query. */
  readonly at: number
  readonly calls: readonly Call[]
}

type ReadPage = (query: CallQuery, signal: AbortSignal) => Promise<CallPage>

/** Yields every call of the queries once, in batches. @throws {TelephonyError}, {ReadingCutError}, the signal's reason */
export async function* readLists(
  readPage: ReadPage,
  queries: readonly ScanQuery[],
  options: ReadCallsOptions = {},
): AsyncGenerator<CallBatch, void, undefined> {
  const { isInOrder = false, limit = Infinity, budget, signal, onProgress } = options
  const ended = new AbortController()
  const over = AbortSignal.any([ended.signal, signal, budget].filter((one) => one !== undefined))
  // Each request in flight listens, and each wait.
  setMaxListeners(0, over)
  const lists = queries.map((query, at) => {
    const read = (page: number) => readComplete(readPage, { ...query, page }, over)
    return { at, reader: new ListReader(read, options.first?.[at]) }
  })
  const unfinished = [...lists]
  let left = limit
  try {
    over.throwIfAborted()
    for (let list = unfinished.shift(); list; list = unfinished.shift()) {
      const calls = await list.reader.next()
      if (calls === undefined) continue
      if (isInOrder) unfinished.unshift(list)
      else unfinished.push(list)
      if (calls.length > 0) yield { at: list.at, calls: calls.slice(0, left) }
      if (calls.length > left) throw new ReadingCutError('calls')
      left -= calls.length
      over.throwIfAborted()
      onProgress?.(sumProgress(lists.map(({ reader }) => reader.progress)))
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw budget?.aborted ? new ReadingCutError('time') : error
  } finally {
    ended.abort()
    await Promise.all(lists.map(({ reader }) => reader.drop()))
  }
}

const sumProgress = (all: readonly ScanProgress[]): ScanProgress => ({
  records: all.reduce((sum, { records }) => sum + records, 0),
  total: sumTotals(all.map(({ total }) => total)),
})

const MAX_SHORT_RESPONSES = 3
const SHORT_RESPONSE_WAIT_MS: Milliseconds = 100

/** Requests a page again if it has fewer records */
async function readComplete(readPage: ReadPage, query: CallQuery, signal: AbortSignal): Promise<CallPage> {
  for (let responses = 1; ; responses += 1) {
    const page = await readPage(query, signal)
    if (!isShort(page) || responses === MAX_SHORT_RESPONSES) return page
    await sleep(SHORT_RESPONSE_WAIT_MS, undefined, { signal })
  }
}

const PAGES_AHEAD = 3

/** Limit of pages in a row without new calls, for a total that is too large. */
const MAX_KNOWN_PAGES = 3

/**
 * Reads the pages of a list in order, three ahead, and returns each call once. All ids are kept: the service promises no order,
 * so new calls may move any record to any later page.
 *
 * New calls raise the total. A page with a smaller total than the page before it was answered too early, and may lack calls
 * that have moved to it, so it is read again. If calls were removed, others may have moved to pages that were read before: the
 * list is then read a second time.
 */
class ListReader {
  readonly #readPage
  readonly #ids = new Set<string>()
  /** Requested pages, from number `#next` on. */
  #ahead: Promise<CallPage>[] = []
  #next = 1
  /** Number of the last page that was read, in either pass. */
  #furthest = 0
  #total: number | undefined
  #firstTotal: number | undefined
  #knownPages = 0
  #hasEmptyPage = false
  #isSecondPass = false
  #isOver = false

  constructor(readPage: (page: number) => Promise<CallPage>, first: CallPage | undefined) {
    this.#readPage = readPage
    this.#total = first?.total
    if (first && !isShort(first)) this.#ahead.push(Promise.resolve(first))
  }

  get progress(): ScanProgress {
    return { records: this.#ids.size, total: this.#total }
  }

  /** Returns the new calls of the next page, which may be none; `undefined` after the last page. */
  async next(): Promise<readonly Call[] | undefined> {
    if (this.#isOver) return undefined
    const page = await this.#take()
    const fresh = page.calls.filter((call) => this.#ids.size < this.#ids.add(getCallIdentity(call)).size)
    this.#total = page.total ?? this.#total
    this.#firstTotal ??= page.total
    if (fresh.length > 0) this.#knownPages = 0
    else if (page.page > this.#furthest) this.#knownPages += 1
    this.#furthest = Math.max(this.#furthest, page.page)
    this.#checkEmpty(page)
    if (this.#isLast(page)) await this.#endPass()
    else this.#readAhead()
    return fresh
  }

  /** Waits until nothing is in flight, and forgets the pages that were read ahead. */
  async drop(): Promise<void> {
    await Promise.allSettled(this.#ahead)
    this.#ahead = []
  }

  async #take(): Promise<CallPage> {
    const number = this.#next
    const previousTotal = this.#total ?? 0
    this.#next += 1
    const page = await (this.#ahead.shift() ?? this.#readPage(number))
    return (page.total ?? previousTotal) < previousTotal ? this.#readPage(number) : page
  }

  /** Without a total, the order of the responses is unknown, so no page is read ahead. */
  #readAhead(): void {
    const last = lastPage({ total: this.#total }) ?? 0
    while (this.#ahead.length < PAGES_AHEAD && this.#next + this.#ahead.length <= last) {
      const page = this.#readPage(this.#next + this.#ahead.length)
      // `#take` throws the error, unless the read ends before.
      page.catch(() => {})
      this.#ahead.push(page)
    }
  }

  /** @throws {ServiceUnavailableError} if a page stays empty, though a later one has calls */
  #checkEmpty({ calls: [call] }: CallPage): void {
    if (call === undefined) this.#hasEmptyPage = true
    else if (this.#hasEmptyPage && this.#isSecondPass)
      throw new ServiceUnavailableError(call.direction, 'envelope')
  }

  #isLast({ page, calls }: CallPage): boolean {
    const added = Math.max(0, (this.#total ?? 0) - (this.#firstTotal ?? 0))
    const isRepeating = this.#knownPages >= MAX_KNOWN_PAGES
    if (isRepeating && this.#furthest * PAGE_SIZE > this.#ids.size + added) return true
    if (this.#isSecondPass && this.#hasFirstTotal) return true
    const last = lastPage({ total: this.#total })
    return last === undefined ? calls.length < PAGE_SIZE : page >= last
  }

  get #hasFirstTotal(): boolean {
    return this.#ids.size >= (this.#firstTotal ?? 0)
  }

  async #endPass(): Promise<void> {
    this.#isOver = this.#isSecondPass || this.#hasFirstTotal
    if (this.#isOver) return
    await this.drop()
    this.#next = 1
    this.#knownPages = 0
    this.#hasEmptyPage = false
    this.#isSecondPass = true
  }
}
