import type { Services } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/answer.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import { hasDigits } from '../../telephony/numbers.ts'
import { getCallIdentity, toShortId } from '../../telephony/read-calls.ts'
import { type Account, type Call, type CallPage, PAGE_SIZE, type ScanQuery } from '../../telephony/types.ts'
import type { Milliseconds } from '../../util/units.ts'
import { ScanAnnouncer } from './reading.ts'

/** Result of a number search. */
export interface FoundCalls {
  /** Newest first; calls with unreadable times come last. */
  readonly calls: readonly Call[]
  /** Number of calls that were read. */
  readonly read: number
  /** Number of calls to read; undefined if the service's figure is unreadable. */
  readonly total: number | undefined
  /** Set if the time ran out before all of them were read. */
  readonly timedOutAfterMs?: Milliseconds
}

/** Returns a page of the result in the service's form. */
export const slicePage = ({ calls }: FoundCalls, page: number): CallPage => ({
  calls: calls.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  page,
  total: calls.length,
})

const SEARCH_TTL_MS: Milliseconds = 10 * 60_000
const MAX_SEARCH_BYTES = 10_000_000

const getTime = ({ at }: Call) => (at instanceof Date ? at.getTime() : Number.NEGATIVE_INFINITY)

/** A filter that the service doesn't have. */
export interface CallFilter {
  readonly key: string
  matches(call: Call): boolean
}

export const numberFilter = (digits: string): CallFilter => ({
  key: digits,
  matches: ({ number }) => hasDigits(number, digits),
})

/** Calls of an alert's message. @param ids as the message stores them */
export const alertFilter = (id: string, ids: ReadonlySet<string>): CallFilter => ({
  key: `${id} ${ids.size}`,
  matches: (call) => ids.has(toShortId(getCallIdentity(call))),
})

interface RunningSearch {
  readonly found: Promise<FoundCalls>
  /** Resolves if the search takes a while. */
  readonly announcement: Promise<string>
}

/** Searches the calls of a range for a number or for those of an alert, because the service has no such filter. */
export class NumberSearch {
  readonly #services
  /** Serves further pages without another search. */
  readonly #cache: AccountCache<FoundCalls>
  /** Searches that the same request joins. */
  readonly #running = new Map<string, RunningSearch>()

  constructor(services: Pick<Services, 'telephony' | 'store' | 'readingTimes' | 'now'>) {
    this.#services = services
    const { store, now } = services
    this.#cache = new AccountCache(store, { maxBytes: MAX_SEARCH_BYTES, ttlMs: SEARCH_TTL_MS, now })
  }

  /** @param options.allowCached whether to use a result of the last ten minutes */
  async find(
    account: Account,
    filter: CallFilter,
    queries: readonly ScanQuery[],
    { allowCached, onProgress }: { readonly allowCached: boolean; readonly onProgress: OnProgress },
  ): Promise<FoundCalls> {
    const request = [filter.key, queries]
    const cached = allowCached ? this.#cache.get(account, request) : undefined
    if (cached) return cached
    const key = JSON.stringify([account.tenant, account.credentials.key, request])
    const search = this.#running.get(key) ?? this.#start(account, filter, queries)
    this.#running.set(key, search)
    void search.announcement.then(onProgress)
    try {
      return await this.#cache.keep(account, request, search.found)
    } finally {
      this.#running.delete(key)
    }
  }

  #start(account: Account, filter: CallFilter, queries: readonly ScanQuery[]): RunningSearch {
    const { promise: announcement, resolve } = Promise.withResolvers<string>()
    return { found: this.#search(account, filter, queries, resolve), announcement }
  }

  async #search(
    account: Account,
    filter: CallFilter,
    queries: readonly ScanQuery[],
    onProgress: OnProgress,
  ): Promise<FoundCalls> {
    const { telephony, readingTimes: times } = this.#services
    const start = performance.now()
    const budget = AbortSignal.timeout(times.readForMs)
    // Requests with a person's deadline, so that a problem with the account shows at once.
    const first = await Promise.all(queries.map((query) => telephony.calls(account, { ...query, page: 1 })))
    const reading = new ScanAnnouncer({ first, start, times, onProgress })
    const options = { first, budget, onProgress: reading.update }
    const found: Call[] = []
    let timedOutAfterMs: Milliseconds | undefined
    try {
      for await (const { calls } of telephony.readCalls(account, queries, options))
        for (const call of calls) if (filter.matches(call)) found.push(call)
    } catch (error) {
      if (!(error instanceof ReadingCutError)) throw error
      timedOutAfterMs = times.readForMs
    }
    const { records: read, total } = reading.progress
    const calls = found.sort((a, b) => getTime(b) - getTime(a) || 0)
    return { calls, read, total, ...(timedOutAfterMs !== undefined && { timedOutAfterMs }) }
  }
}
