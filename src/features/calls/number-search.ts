import type { Services } from '../../services.ts'
import type { OnProgress } from '../../slack/deliver/answer.ts'
import { Reading } from '../../slack/deliver/reading.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import { hasDigits } from '../../telephony/match-number.ts'
import type { Account, Call, ScanQuery } from '../../telephony/types.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type FoundCalls, newestFirst } from './found-calls.ts'

interface NumberQuery {
  /** The digits that are looked for. */
  readonly number: string
  /** One for each direction. */
  readonly queries: readonly ScanQuery[]
}

const keptForMs: Milliseconds = 10 * 60_000
/** Of all searches together: 10 MB or so. */
const callsKept = 20_000
/** What a search takes that found nothing, in calls. */
const emptySearch = 5

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

const keyOf = ({ tenant, credentials }: Account, query: NumberQuery) =>
  `${tenant} ${credentials.key} ${JSON.stringify(query)}`

/** Looks for a number in all the calls of a range, since the service can't be asked for one. */
export class NumberSearch {
  readonly #telephony
  readonly #readingTimes
  /** What was found: page 2 doesn't read it all again. */
  readonly #kept: BoundedMap<FoundCalls>
  /** Whoever asks for the same meanwhile waits for it too. */
  readonly #inFlight = new Map<string, Search>()

  constructor({
    telephony,
    store,
    readingTimes,
    now,
  }: Pick<Services, 'telephony' | 'store' | 'readingTimes' | 'now'>) {
    this.#telephony = telephony
    this.#readingTimes = readingTimes
    const weightOf = ({ calls }: FoundCalls) => calls.length + emptySearch
    this.#kept = new BoundedMap({ max: callsKept, weightOf, ttlMs: keptForMs, now })
    store.on('tenant-deleted', (tenant) => this.#kept.deleteUnder(`${tenant} `))
  }

  /**
   * @param options.mayBeKept what was found up to ten minutes ago will do
   * @param options.onProgress for a search that takes its time
   * @throws {TelephonyError}
   */
  async find(
    account: Account,
    query: NumberQuery,
    { mayBeKept, onProgress }: { readonly mayBeKept: boolean; readonly onProgress: OnProgress },
  ): Promise<FoundCalls> {
    const key = keyOf(account, query)
    const kept = mayBeKept ? this.#kept.get(key) : undefined
    if (kept) return kept
    const search = this.#inFlight.get(key) ?? new Search((onEach) => this.#search(account, query, onEach))
    this.#inFlight.set(key, search)
    search.join(onProgress)
    try {
      const found = await search.found
      this.#kept.set(key, found)
      return found
    } finally {
      this.#inFlight.delete(key)
    }
  }

  async #search(
    account: Account,
    { number, queries }: NumberQuery,
    onProgress: OnProgress,
  ): Promise<FoundCalls> {
    const start = performance.now()
    const budget = AbortSignal.timeout(this.#readingTimes.readForMs)
    // Asked for as people's reads are: what is wrong with the account is told at once.
    const first = await Promise.all(
      queries.map((query) => this.#telephony.calls(account, { ...query, page: 1 })),
    )
    const reading = new Reading({ first, start, times: this.#readingTimes, onProgress })
    const options = { first, budget, onProgress: reading.update }
    const found: Call[] = []
    let isCut = false
    try {
      for await (const { calls } of this.#telephony.readCalls(account, queries, options))
        for (const call of calls) if (hasDigits(call.number, number)) found.push(call)
    } catch (error) {
      if (!(error instanceof ReadingCutError)) throw error
      isCut = true
    }
    const { records: read, total } = reading.soFar
    return { calls: newestFirst(found), read, total, isCut }
  }
}
