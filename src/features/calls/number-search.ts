import type { Services } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/answer.ts'
import { Reading } from '../../slack/deliver/reading.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import { hasDigits } from '../../telephony/numbers.ts'
import { type Account, type Call, type CallPage, PAGE_SIZE, type ScanQuery } from '../../telephony/types.ts'
import type { Milliseconds } from '../../util/units.ts'

/** What a search for a number came to. */
export interface FoundCalls {
  /** Newest first; those whose time can't be understood come last. */
  readonly calls: readonly Call[]
  /** How many calls were looked at, and how many there were to look at; `undefined` where the service's figure is no number. */
  readonly read: number
  readonly total: number | undefined
  /** Set if the time ran out before all of them were read. */
  readonly cutAfterMs?: Milliseconds
}

/** A page of what was found, as the service would list it. */
export const pageOf = ({ calls }: FoundCalls, page: number): CallPage => ({
  calls: calls.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  page,
  total: calls.length,
})

const keptForMs: Milliseconds = 10 * 60_000
/** Of all searches together: 10 MB or so. */
const callsKept = 20_000
/** What a search takes that found nothing, in calls. */
const emptySearch = 5

const timeOf = ({ at }: Call) => (at instanceof Date ? at.getTime() : Number.NEGATIVE_INFINITY)

/** Who waits for one search. Whoever joins hears what was said first of it, and then what the others hear. */
class Search {
  readonly #listeners: OnProgress[] = []
  #announcement: string | undefined
  readonly found: Promise<FoundCalls>

  constructor(begin: (onProgress: OnProgress) => Promise<FoundCalls>) {
    this.found = begin((mrkdwn) => {
      this.#announcement ??= mrkdwn
      for (const onProgress of this.#listeners) onProgress(mrkdwn)
    })
  }

  join(onProgress: OnProgress): void {
    this.#listeners.push(onProgress)
    if (this.#announcement !== undefined) onProgress(this.#announcement)
  }
}

/** Looks for a number in all the calls of a range, since the service can't be asked for one. */
export class NumberSearch {
  readonly #services
  /** What was found: page 2 doesn't read it all again. */
  readonly #kept: AccountCache<FoundCalls>
  /** Whoever asks for the same meanwhile waits for it too. */
  readonly #inFlight = new Map<string, Search>()

  constructor(services: Pick<Services, 'telephony' | 'store' | 'readingTimes' | 'now'>) {
    this.#services = services
    const { store, now } = services
    const getWeight = ({ calls }: FoundCalls) => calls.length + emptySearch
    this.#kept = new AccountCache(store, { max: callsKept, getWeight, ttlMs: keptForMs, now })
  }

  /** @param options.allowCached what was found up to ten minutes ago will do @throws {TelephonyError} */
  async find(
    account: Account,
    number: string,
    queries: readonly ScanQuery[],
    { allowCached, onProgress }: { readonly allowCached: boolean; readonly onProgress: OnProgress },
  ): Promise<FoundCalls> {
    const asked = [number, queries]
    const kept = allowCached ? this.#kept.get(account, asked) : undefined
    if (kept) return kept
    const key = JSON.stringify([account.tenant, account.credentials.key, asked])
    const search =
      this.#inFlight.get(key) ?? new Search((onEach) => this.#search(account, number, queries, onEach))
    this.#inFlight.set(key, search)
    search.join(onProgress)
    try {
      return await this.#kept.keep(account, asked, search.found)
    } finally {
      this.#inFlight.delete(key)
    }
  }

  async #search(
    account: Account,
    number: string,
    queries: readonly ScanQuery[],
    onProgress: OnProgress,
  ): Promise<FoundCalls> {
    const { telephony, readingTimes: times } = this.#services
    const start = performance.now()
    const budget = AbortSignal.timeout(times.readForMs)
    // Asked for as people's reads are: what is wrong with the account is told at once.
    const first = await Promise.all(queries.map((query) => telephony.calls(account, { ...query, page: 1 })))
    const reading = new Reading({ first, start, times, onProgress })
    const options = { first, budget, onProgress: reading.update }
    const found: Call[] = []
    let cutAfterMs: Milliseconds | undefined
    try {
      for await (const { calls } of telephony.readCalls(account, queries, options))
        for (const call of calls) if (hasDigits(call.number, number)) found.push(call)
    } catch (error) {
      if (!(error instanceof ReadingCutError)) throw error
      cutAfterMs = times.readForMs
    }
    const { records: read, total } = reading.soFar
    return {
      calls: found.sort((a, b) => timeOf(b) - timeOf(a) || 0),
      read,
      total,
      ...(cutAfterMs && { cutAfterMs }),
    }
  }
}
