import { setTimeout as sleep } from 'node:timers/promises'
import type { Milliseconds } from '../util/units.ts'
import { type ReadReport, Requests, retries, type ServiceResponse } from './requests.ts'
import * as types from './types.ts'
import * as wire from './wire.ts'

/** Leaves one slot of the tenant to people. */
interface Background {
  readonly signal: AbortSignal
  /** Retries for as long as `readCalls` does. */
  readonly isPatient?: boolean
}

/** Each operation rejects with a `TelephonyError`. */
export class TelephonyClient extends Requests {
  async calls(account: types.Account, query: types.CallQuery, background?: Background) {
    const policy = { ...(background?.isPatient ? retries.patient : retries.few), signal: background?.signal }
    const response = await this.run(account, query.direction, policy, wire.toParameters(query))
    return createPage(query, response)
  }

  /** Returns `undefined` if the service's figure isn't a number. */
  async count(account: types.Account, query: types.ReadQuery): Promise<number | undefined> {
    const { total } = await this.calls(account, { ...query, page: 1 })
    return total
  }

  /**
   * Yields every call of these queries once, those of a query in the order of its pages. Calls that exist during the whole
   * reading are among them; others may be. Starts with the first `next()`. After an error or `break`, no request is in flight.
   * @throws {ReadLimitError} when the budget or the limit is used up, {TelephonyError}, and the signal's reason
   */
  async *readCalls(
    account: types.Account,
    queries: readonly types.ReadQuery[],
    options?: ReadCallsOptions,
  ): AsyncGenerator<CallBatch, void, undefined> {
    const start = performance.now()
    let outcome: ReadReport['outcome'] = 'cancelled'
    let records = 0
    const readPage = (query: types.CallQuery, signal: AbortSignal) =>
      this.calls(account, query, { signal, isPatient: true })
    try {
      for await (const batch of readLists(readPage, queries, options)) {
        yield batch
        records += batch.calls.length
      }
      outcome = 'ok'
    } catch (error) {
      if (error instanceof types.TelephonyError) outcome = error.outcome
      throw error
    } finally {
      this.emit('read', { outcome, records, ms: performance.now() - start })
    }
  }

  async agents(account: types.Account): Promise<readonly wire.Agent[]> {
    const { result } = await this.run(account, 'agents', retries.few)
    return result.map(wire.toAgent)
  }

  async billing(account: types.Account): Promise<wire.Billing> {
    const { result } = await this.run(account, 'billing', retries.few)
    const [details] = result
    if (details === undefined) throw new types.ServiceUnavailableError('billing', 'envelope')
    return wire.toBilling(details)
  }

  /** Deletes the customer, according to the spec. May have succeeded despite a `ServiceUnavailableError` with `sent`. */
  async invoices(account: types.Account, customerId: string): Promise<readonly wire.Invoice[]> {
    const { result } = await this.run(account, 'invoices', retries.none, { customer_id: customerId })
    return result.map(wire.toInvoice)
  }
}

/** Parses records lazily: a poll without news reads only the ids. */
function createPage(query: types.CallQuery, { result, total }: ServiceResponse) {
  const { direction, offset, page } = query
  const window = wire.toTimeWindow(query)
  const parse = (record: unknown) => wire.toCall(record, direction, offset, window)
  let calls: readonly types.Call[] | undefined
  return {
    page,
    total: toPossibleTotal(wire.parseTotal(total), page, result.length),
    get calls(): readonly types.Call[] {
      calls ??= result.map(parse)
      return calls
    },
    get ids(): readonly string[] {
      return result.map((record) => wire.toId(record) || types.getCallIdentity(parse(record)))
    },
  }
}

/** Returns undefined for a total that is smaller than the number of calls up to this page. */
function toPossibleTotal(total: number | undefined, page: number, count: number): number | undefined {
  const known = count === 0 ? 0 : (page - 1) * types.PAGE_SIZE + count
  return total !== undefined && total < known ? undefined : total
}

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
  const lists = queries.map((query, at) => {
    const progress = startProgress(options.first?.[at])
    const read = (page: number) => readComplete(readPage, { ...query, page }, over)
    return { at, progress, pages: readList(read, progress) }
  })
  const unfinished = [...lists]
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
      onProgress?.(sumProgress(lists.map(({ progress }) => progress)))
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw budget?.aborted ? new types.ReadLimitError('time') : error
  } finally {
    ended.abort()
    await Promise.allSettled(lists.flatMap(({ progress }) => progress.ahead))
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

const PAGES_AHEAD = 3

/** Limit of pages in a row without new calls, for a total that is too large. */
const MAX_KNOWN_PAGES = 3

interface ListProgress {
  records: number
  total: number | undefined
  /** Requested pages, from the next one on. */
  ahead: Promise<types.CallPage>[]
}

function startProgress(first: types.CallPage | undefined): ListProgress {
  const ahead = first && !types.isShort(first) ? [Promise.resolve(first)] : []
  return { records: 0, total: first?.total, ahead }
}

function sumProgress(lists: readonly ListProgress[]): types.ReadProgress {
  let records = 0
  for (const list of lists) records += list.records
  return { records, total: types.sumTotals(lists.map(({ total }) => total)) }
}

/**
 * Yields the new calls of each page, which may be none. All ids are kept: the service promises no order, so new calls may move
 * any record to any later page.
 *
 * A page with a smaller total than the page before it was answered too early, and may lack calls that have moved to it, so it
 * is read again. If calls were removed, others may have moved to pages that were read before, so the list is read twice.
 * @throws {ServiceUnavailableError} if a page stays empty, though a later one has calls; {ListNotContinuedError}
 */
async function* readList(
  readPage: (page: number) => Promise<types.CallPage>,
  progress: ListProgress,
): AsyncGenerator<readonly types.Call[], void, undefined> {
  const ids = new Set<string>()
  let firstTotal: number | undefined
  let firstPageCount: number | undefined
  /** Number of the last page that was read, in either pass. */
  let furthest = 0
  for (const isSecondPass of [false, true]) {
    let knownPages = 0
    let hasEmptyPage = false
    let isLast = false
    for (let number = 1; !isLast; number += 1) {
      const { calls, total = progress.total } = await takePage(number, readPage, progress)
      const fresh = calls.filter((call) => ids.size < ids.add(types.getCallIdentity(call)).size)
      firstTotal ??= total
      progress.total = total
      progress.records = ids.size

      const [call] = calls
      if (call === undefined) hasEmptyPage = true
      else if (hasEmptyPage && isSecondPass)
        throw new types.ServiceUnavailableError(call.direction, 'envelope')

      if (fresh.length > 0) knownPages = 0
      else if (number > furthest) knownPages += 1
      furthest = Math.max(furthest, number)
      const added = Math.max(0, (total ?? 0) - (firstTotal ?? 0))
      const isRepeating = knownPages >= MAX_KNOWN_PAGES && furthest * types.PAGE_SIZE > ids.size + added
      firstPageCount ??= ids.size
      if (isRepeating && call !== undefined && ids.size === firstPageCount)
        throw new types.ListNotContinuedError(call.direction)
      const last = types.lastPage({ total })
      const isAtEnd = last === undefined ? calls.length < types.PAGE_SIZE : number >= last
      isLast = isAtEnd || isRepeating || (isSecondPass && ids.size >= (firstTotal ?? 0))
      if (!isLast) readAhead(number + 1, readPage, progress)
      yield fresh
    }
    if (ids.size >= (firstTotal ?? 0)) return
    await Promise.allSettled(progress.ahead)
    progress.ahead = []
  }
}

async function takePage(
  number: number,
  readPage: (page: number) => Promise<types.CallPage>,
  { ahead, total = 0 }: ListProgress,
): Promise<types.CallPage> {
  const page = await (ahead.shift() ?? readPage(number))
  return (page.total ?? total) < total ? readPage(number) : page
}

/** Without a total, the order of the responses is unknown, so no page is read ahead. */
function readAhead(
  next: number,
  readPage: (page: number) => Promise<types.CallPage>,
  { ahead, total }: ListProgress,
): void {
  const last = types.lastPage({ total }) ?? 0
  while (ahead.length < PAGES_AHEAD && next + ahead.length <= last) {
    const page = readPage(next + ahead.length)
    // `takePage` throws the error, unless the reading ends before.
    page.catch(() => {})
    ahead.push(page)
  }
}
