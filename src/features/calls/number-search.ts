import type { Services } from '../../services.ts'
import type { Tell } from '../../slack/answers/answer.ts'
import { Reading } from '../../slack/answers/reading.ts'
import { ScanInterruptedError } from '../../telephony/errors.ts'
import { hasDigits } from '../../telephony/match-number.ts'
import { lastPage } from '../../telephony/paging.ts'
import type { Account, Call, CallPage, ScanProgress, ScanQuery } from '../../telephony/types.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type FoundCalls, newestFirst } from './found-calls.ts'

export interface NumberQuery {
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

const keyOf = ({ tenant, credentials }: Account, query: NumberQuery) =>
  `${tenant} ${credentials.key} ${JSON.stringify(query)}`

const isWhole = (page: CallPage) => page.total !== undefined && lastPage(page) === 1

/** Looks for a number in all the calls of a range, since the service can't be asked for one. */
export class NumberSearch {
  readonly #telephony
  readonly #readForMs
  /** What was found: page 2 doesn't read it all again. */
  readonly #kept: BoundedMap<FoundCalls>
  /** Whoever asks for the same meanwhile waits for it too. */
  readonly #underWay = new Map<string, Promise<FoundCalls>>()

  constructor({
    telephony,
    store,
    readForMs,
    now,
  }: Pick<Services, 'telephony' | 'store' | 'readForMs' | 'now'>) {
    this.#telephony = telephony
    this.#readForMs = readForMs
    const weightOf = ({ calls }: FoundCalls) => calls.length + emptySearch
    this.#kept = new BoundedMap({ max: callsKept, weightOf, ttlMs: keptForMs, now })
    store.on('tenant-deleted', (tenant) => this.#kept.deleteUnder(`${tenant} `))
  }

  /**
   * @param options.mayBeKept what was found up to ten minutes ago will do
   * @param options.tell is told of a search that takes its time
   * @throws {TelephonyError}
   */
  async find(
    account: Account,
    query: NumberQuery,
    { mayBeKept, tell }: { readonly mayBeKept: boolean; readonly tell: Tell },
  ): Promise<FoundCalls> {
    const key = keyOf(account, query)
    const kept = mayBeKept ? this.#kept.get(key) : undefined
    if (kept) return kept
    const searching = this.#underWay.get(key) ?? this.#search(account, query, tell)
    this.#underWay.set(key, searching)
    try {
      const found = await searching
      this.#kept.set(key, found)
      return found
    } finally {
      this.#underWay.delete(key)
    }
  }

  async #search(account: Account, { number, queries }: NumberQuery, tell: Tell): Promise<FoundCalls> {
    const start = performance.now()
    const timeout = AbortSignal.timeout(this.#readForMs)
    // Asked for as people's reads are: what is wrong with the account is told at once.
    const first = await Promise.all(
      queries.map((query) => this.#telephony.calls(account, { ...query, page: 1 })),
    )
    const reading = new Reading({ first, start, readForMs: this.#readForMs, tell })
    const calls: Call[] = []
    const take = (call: Call) => {
      if (hasDigits(call.number, number)) calls.push(call)
    }
    // Of all directions: where one fails, the other ends too.
    const ended = new AbortController()
    const signal = AbortSignal.any([ended.signal, timeout])
    const read = async (query: ScanQuery, at: number) => {
      const page = first[at]
      if (page && isWhole(page)) return page.calls.forEach(take)
      const onProgress = (progress: ScanProgress) => reading.progress(at, progress)
      for await (const call of this.#telephony.scan(account, query, { signal, onProgress })) take(call)
    }
    const isCut = await Promise.all(queries.map(read)).then(
      () => false,
      (error: unknown) => {
        ended.abort()
        if (timeout.aborted) return true
        throw error instanceof ScanInterruptedError
          ? new ScanInterruptedError(error.cause, { ...error.progress, ...reading.soFar })
          : error
      },
    )
    const { records: count, total } = reading.soFar
    return { calls: newestFirst(calls), read: count, total, isCut }
  }
}
