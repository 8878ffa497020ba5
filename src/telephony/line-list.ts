import { addDays, utcDay } from '../time/days.ts'
import { toUtcOffset } from '../time/offsets.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { AccountCache, type TenantDeletions } from './account-cache.ts'
import type { TelephonyClient } from './client.ts'
import { ReadingCutError } from './errors.ts'
import type { Account } from './types.ts'

const days = 30
/** More seldom tell of another number, and somebody waits: Slack has a menu wait for 3 s. */
const mostCalls = 1000
const readForMs: Milliseconds = 2000
const keptForMs: Milliseconds = 5 * 60_000

/** The account's own numbers, as far as they show: those that are paid for, and those that were called of late. */
export class LineList {
  readonly #telephony
  readonly #now
  readonly #cache: AccountCache<readonly string[]>

  constructor(services: {
    telephony: Pick<TelephonyClient, 'billing' | 'readCalls'>
    store: TenantDeletions
    now: () => EpochMs
  }) {
    const { telephony, store, now } = services
    this.#telephony = telephony
    this.#now = now
    this.#cache = new AccountCache(store, { max: 500, ttlMs: keptForMs, now })
  }

  /** Kept for five minutes. @throws {TelephonyError} */
  async numbers(account: Account): Promise<readonly string[]> {
    return this.#cache.get(account, 'lines') ?? this.#cache.keep(account, 'lines', this.#read(account))
  }

  async #read(account: Account): Promise<readonly string[]> {
    const [called, { addOns }] = await Promise.all([this.#called(account), this.#telephony.billing(account)])
    return [...new Set([...addOns.numbers.map(({ number }) => number), ...called])]
  }

  /** Those that incoming calls went to, as far as the newest ones tell. */
  async #called(account: Account): Promise<readonly string[]> {
    const to = utcDay(new Date(this.#now()))
    const query = { direction: 'incoming', offset: toUtcOffset(0), from: addDays(to, 1 - days), to } as const
    const numbers = new Set<string>()
    const options = { budget: AbortSignal.timeout(readForMs), limit: mostCalls }
    try {
      for await (const { calls } of this.#telephony.readCalls(account, [query], options))
        for (const { number } of calls) numbers.add(number)
    } catch (error) {
      // Those that were found by then will do.
      if (!(error instanceof ReadingCutError)) throw error
    }
    return [...numbers]
  }
}
