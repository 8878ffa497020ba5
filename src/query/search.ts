import type { ReadingTimes, Services } from '../services.ts'
import type { OnProgress } from '../slack/deliver/exchange.ts'
import { missedCallId, withoutTime } from '../store/missed-calls.ts'
import { AccountCache } from '../telephony/account-cache.ts'
import {
  type Account,
  type Call,
  type CallPage,
  PAGE_SIZE,
  ReadLimitError,
  type ReadProgress,
  type ReadQuery,
  sumTotals,
} from '../telephony/types.ts'
import { isInRange, type RangeRequest } from '../time/range-requests.ts'
import type { Zone } from '../time/zones.ts'
import { countNoun, formatNumber } from '../util/text.ts'
import type { Milliseconds } from '../util/units.ts'
import { toFilterKey, toMatcher } from './call-filters.ts'
import { toMissedCall } from './call-states.ts'
import type { ResolvedFilters } from './filter.ts'

export interface FoundCalls {
  /** Newest first; calls with unreadable times come last. */
  readonly calls: readonly Call[]
  readonly progress: ReadProgress
  readonly timedOutAfterMs?: Milliseconds | undefined
}

export const slicePage = ({ calls }: FoundCalls, page: number): CallPage => ({
  calls: calls.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  page,
  total: calls.length,
})

const SEARCH_TTL_MS: Milliseconds = 10 * 60_000
const MAX_SEARCH_BYTES = 10_000_000

const getTime = ({ at }: Call) => (at instanceof Date ? at.getTime() : Number.NEGATIVE_INFINITY)

export interface CallFilter {
  readonly key: string
  matches(call: Call): boolean
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
  // A call without a readable time was missed when it was found.
  const undatedIds = new Set([...ids].map(withoutTime))
  return {
    key: `${id} ${ids.size}`,
    matches(call) {
      const missed = toMissedCall(call, call.at instanceof Date ? call.at.getTime() : 0)
      const callId = missedCallId(missed)
      return call.at instanceof Date ? ids.has(callId) : undatedIds.has(withoutTime(callId))
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
    account: Account,
    filter: CallFilter,
    queries: readonly ReadQuery[],
    { allowCached, onProgress }: { allowCached: boolean; onProgress: OnProgress },
  ): Promise<FoundCalls> {
    const request = [filter.key, queries]
    const cached = allowCached ? this.#cache.get(account, request) : undefined
    return cached ?? this.#cache.keep(account, request, this.#search(account, filter, queries, onProgress))
  }

  async #search(
    account: Account,
    filter: CallFilter,
    queries: readonly ReadQuery[],
    onProgress: OnProgress,
  ): Promise<FoundCalls> {
    const { telephony, readingTimes: times } = this.#services
    const announce = createReadingAnnouncer(times, onProgress)
    const budget = AbortSignal.timeout(times.readForMs)
    // A person is waiting, so these have a short deadline: a problem with the account shows at once.
    const first = await Promise.all(queries.map((query) => telephony.calls(account, { ...query, page: 1 })))
    let progress: ReadProgress = { records: 0, total: sumTotals(first.map(({ total }) => total)) }
    const updateProgress = (latest: ReadProgress) => {
      progress = latest
      announce(latest)
    }
    const reading = { first, budget, onProgress: updateProgress }
    const calls: Call[] = []
    let timedOutAfterMs: Milliseconds | undefined
    try {
      for await (const batch of telephony.readCalls(account, queries, reading))
        calls.push(...batch.calls.filter((call) => filter.matches(call)))
    } catch (error) {
      if (!(error instanceof ReadLimitError)) throw error
      timedOutAfterMs = times.readForMs
    }
    // Two unreadable times subtract to NaN.
    calls.sort((a, b) => getTime(b) - getTime(a) || 0)
    return { calls, progress, timedOutAfterMs }
  }
}

/** Call it when the reading starts. @param partialResult shown if the time runs out, such as `the totals` */
export function createReadingAnnouncer(
  times: ReadingTimes,
  onProgress: OnProgress,
  partialResult = 'results',
): (progress: ReadProgress) => void {
  const start = performance.now()
  return ({ records, total }) => {
    const elapsed = performance.now() - start
    if (elapsed < times.progressAfterMs) return
    const remainingMs = total === undefined ? times.readForMs : (elapsed * (total - records)) / records
    const calls = total === undefined ? 'all calls of these days' : `about ${formatRounded(total)} calls`
    onProgress(
      remainingMs < times.readForMs
        ? `Reading ${calls}. This takes about ${secondsText(remainingMs)}.`
        : `Reading ${calls}. You'll have ${partialResult} within ${secondsText(times.readForMs)}.`,
    )
  }
}

/** Rounds to two significant digits: `2,500` for 2,544. */
function formatRounded(count: number): string {
  const unit = 10 ** Math.max(0, String(count).length - 2)
  return formatNumber(Math.round(count / unit) * unit)
}

function secondsText(ms: Milliseconds): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  const rounded = seconds < 10 ? seconds : Math.round(seconds / 5) * 5
  return countNoun(rounded, 'second')
}
