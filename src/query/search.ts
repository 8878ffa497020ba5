import type { ReadingTimes, Services } from '../services.ts'
import type { OnProgress } from '../slack/deliver/exchange.ts'
import { missedCallId, withoutTime } from '../store/missed-calls.ts'
import { AccountCache } from '../telephony/account-cache.ts'
import * as types from '../telephony/types.ts'
import { isInRange, type RangeRequest } from '../time/range-requests.ts'
import type { Zone } from '../time/zones.ts'
import { countNoun } from '../util/text.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { toMissedCall } from './call-states.ts'
import { toMatcher } from './filters/call-filters.ts'
import { type ResolvedFilters, toFilterKey } from './filters/filter.ts'

export interface FoundCalls {
  /** Newest first; calls with unreadable times come last. */
  readonly calls: readonly types.Call[]
  readonly progress: types.ReadProgress
  readonly timedOutAfterMs?: Milliseconds | undefined
}

export const slicePage = ({ calls }: FoundCalls, page: number): types.CallPage => ({
  calls: calls.slice((page - 1) * types.PAGE_SIZE, page * types.PAGE_SIZE),
  page,
  total: calls.length,
})

const SEARCH_TTL_MS: Milliseconds = 10 * minuteMs
const MAX_SEARCH_BYTES = 10_000_000

const getSortTime = ({ at }: types.Call): EpochMs => (types.isRaw(at) ? 0 : at.getTime())

export interface CallFilter {
  readonly key: string
  matches(call: types.Call): boolean
}

export const rangeFilter = (range: RangeRequest): CallFilter => ({
  key: `${range.start}..${range.end}`,
  matches: ({ at }) => isInRange(range, at),
})

/** Selects what the query asks for and the service can't select. */
export function searchFilter(query: ResolvedFilters, range: RangeRequest, zone: Zone): CallFilter {
  const matches = toMatcher(query, zone)
  return {
    key: `${toFilterKey(query)} ${rangeFilter(range).key} ${zone}`,
    matches: (call) => isInRange(range, call.at) && matches(call),
  }
}

/** @param ids of the message's calls */
export function alertFilter(id: string, ids: ReadonlySet<string>): CallFilter {
  // The id of a call without a readable time contains the time when the call was found.
  const undatedIds = new Set([...ids].map(withoutTime))
  return {
    key: `${id} ${ids.size}`,
    matches(call) {
      if (types.isRaw(call.at)) return undatedIds.has(withoutTime(missedCallId(toMissedCall(call, 0))))
      return ids.has(missedCallId(toMissedCall(call, call.at.getTime())))
    },
  }
}

/** Reads a range for what the service can't filter by: lines, numbers, lengths, an alert, a day with a clock change. */
export class CallSearch {
  readonly #services
  readonly #cache: AccountCache<FoundCalls>

  constructor(services: Services) {
    this.#services = services
    const { store, now } = services
    this.#cache = new AccountCache(store, { maxBytes: MAX_SEARCH_BYTES, ttlMs: SEARCH_TTL_MS, now })
  }

  async find(
    account: types.Account,
    filter: CallFilter,
    queries: readonly types.ReadQuery[],
    { allowCached, onProgress }: { allowCached: boolean; onProgress: OnProgress },
  ): Promise<FoundCalls> {
    const request = [filter.key, queries]
    const search = () => this.#search(account, filter, queries, onProgress)
    if (allowCached) return this.#cache.getOrRead(account, request, search)
    return this.#cache.keep(account, request, search())
  }

  async #search(
    account: types.Account,
    filter: CallFilter,
    queries: readonly types.ReadQuery[],
    onProgress: OnProgress,
  ): Promise<FoundCalls> {
    const { telephony, readingTimes: times } = this.#services
    const announcer = new ReadingAnnouncer(times, onProgress)
    const budget = AbortSignal.timeout(times.readForMs)
    // A person is waiting, so these have a short deadline: a problem with the account shows at once.
    const reads = queries.map((query) => telephony.calls(account, { ...query, page: 1 }))
    const firstPages = await Promise.all(reads)
    const total = types.sumTotals(firstPages.map((page) => page.total))
    let progress: types.ReadProgress = { records: 0, total }
    const updateProgress = (latest: types.ReadProgress) => {
      progress = latest
      announcer.announce(latest)
    }
    const reading = { firstPages, budget, onProgress: updateProgress }
    const calls: types.Call[] = []
    let timedOutAfterMs: Milliseconds | undefined
    try {
      for await (const batch of telephony.readCalls(account, queries, reading))
        calls.push(...batch.calls.filter((call) => filter.matches(call)))
    } catch (error) {
      if (!(error instanceof types.ReadLimitError)) throw error
      timedOutAfterMs = times.readForMs
    }
    calls.sort((a, b) => getSortTime(b) - getSortTime(a))
    return { calls, progress, timedOutAfterMs }
  }
}

/** Created when the reading starts. Says how long it will take. */
export class ReadingAnnouncer {
  readonly #startMs = performance.now()
  readonly #times
  readonly #onProgress

  constructor(times: ReadingTimes, onProgress: OnProgress) {
    this.#times = times
    this.#onProgress = onProgress
  }

  announce({ records, total }: types.ReadProgress): void {
    const { progressAfterMs, readForMs } = this.#times
    const elapsedMs = performance.now() - this.#startMs
    if (elapsedMs < progressAfterMs || records === total) return
    let calls = 'all calls of these days'
    let remainingMs = readForMs
    if (total !== undefined) {
      calls = `about ${countNoun(total, 'call')}`
      remainingMs = Math.min(readForMs, (elapsedMs * (total - records)) / records)
    }
    const seconds = Math.max(1, Math.ceil(remainingMs / 1000))
    this.#onProgress(`Reading ${calls}. This takes about ${countNoun(seconds, 'second')}.`)
  }
}
