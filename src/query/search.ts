import type { Services } from '../services.ts'
import type { OnProgress } from '../slack/deliver/exchange.ts'
import { toMissedCallId, withoutTime } from '../store/missed-calls.ts'
import { AccountCache } from '../telephony/account-cache.ts'
import * as types from '../telephony/types.ts'
import { isInRange, type RangeRequest } from '../time/range-requests.ts'
import type { Zone } from '../time/zones.ts'
import { type EpochMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { toMissedCall } from './call-states.ts'
import { toMatcher } from './filters/call-filters.ts'
import { type ResolvedFilters, toFilterKey } from './filters/filter.ts'
import { ReadingAnnouncer } from './reading-announcer.ts'

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

export interface CallFilter {
  /** Part of a search's key in the cache. */
  readonly key: string
  matches(call: types.Call): boolean
}

export const createRangeFilter = (range: RangeRequest): CallFilter => ({
  key: `${range.start}..${range.end}`,
  matches: ({ at }) => isInRange(range, at),
})

/** Selects by what the service can't select: other filters than its own, and exact times instead of its days. */
export function createSearchFilter(query: ResolvedFilters, range: RangeRequest, zone: Zone): CallFilter {
  const matches = toMatcher(query, zone)
  return {
    key: `${toFilterKey(query)} ${createRangeFilter(range).key} ${zone}`,
    matches: (call) => isInRange(range, call.at) && matches(call),
  }
}

/** @param messageId of the alert's message @param callIds of the calls that it shows */
export function createAlertFilter(messageId: string, callIds: ReadonlySet<string>): CallFilter {
  const undatedIds = new Set([...callIds].map(withoutTime))
  const getId = (call: types.Call, at: EpochMs) => toMissedCallId(toMissedCall(call, at))
  return {
    // A message only gains calls, so their number tells whether it has others now.
    key: `${messageId} ${callIds.size}`,
    matches(call) {
      if (!types.isRaw(call.at)) return callIds.has(getId(call, call.at.getTime()))
      // Without a readable time, the stored id contains the time when the call was found.
      return undatedIds.has(withoutTime(getId(call, 0)))
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
    const read = () => this.#read(account, filter, queries, onProgress)
    if (allowCached) return this.#cache.getOrRead(account, request, read)
    return this.#cache.keep(account, request, read())
  }

  async #read(
    account: types.Account,
    filter: CallFilter,
    queries: readonly types.ReadQuery[],
    onProgress: OnProgress,
  ): Promise<FoundCalls> {
    const { telephony, readingTimes: times } = this.#services
    const announcer = new ReadingAnnouncer(times, onProgress)
    const budget = AbortSignal.timeout(times.readForMs)
    // Requests for one page have few retries, so that a person sees a problem with the account soon.
    const pageReads = queries.map((query) => telephony.calls(account, { ...query, page: 1 }))
    const firstPages = await Promise.all(pageReads)
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

const getSortTime = ({ at }: types.Call): EpochMs => (types.isRaw(at) ? 0 : at.getTime())
