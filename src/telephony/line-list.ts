import { addDays, utcDay } from '../time/days.ts'
import { toUtcOffset } from '../time/zones.ts'
import { type Milliseconds, minuteMs } from '../util/units.ts'
import { AccountCache, type ListSources } from './account-cache.ts'
import { type Account, ReadLimitError } from './types.ts'

const DAYS_READ = 30
/** Further calls seldom contain another number. */
const MAX_CALLS_READ = 1000
/** Slack's menus wait for 3 s only. */
const READ_TIMEOUT_MS: Milliseconds = 2000

/** Lists the account's own numbers: those on the bill, and those that were called recently. */
export class LineList {
  readonly #sources
  readonly #cache: AccountCache<readonly string[]>

  constructor(sources: ListSources) {
    const { store, now } = sources
    this.#sources = sources
    this.#cache = new AccountCache(store, { maxBytes: 10_000_000, ttlMs: 5 * minuteMs, now })
  }

  /** @throws {TelephonyError} */
  async numbers(account: Account): Promise<readonly string[]> {
    return this.#cache.getOrRead(account, 'lines', () => this.#read(account))
  }

  async #read(account: Account): Promise<readonly string[]> {
    const reading = Promise.all([this.#readCalledNumbers(account), this.#sources.telephony.billing(account)])
    const [calledNumbers, { addOns }] = await reading
    return [...new Set([...addOns.numbers.map(({ number }) => number), ...calledNumbers])]
  }

  async #readCalledNumbers(account: Account): Promise<readonly string[]> {
    const { telephony, now } = this.#sources
    const to = utcDay(new Date(now()))
    const from = addDays(to, 1 - DAYS_READ)
    // The number of an incoming call is the account's own.
    const query = { direction: 'incoming', offset: toUtcOffset(0), from, to } as const
    const numbers = new Set<string>()
    const options = { budget: AbortSignal.timeout(READ_TIMEOUT_MS), limit: MAX_CALLS_READ }
    try {
      for await (const { calls } of telephony.readCalls(account, [query], options)) {
        for (const { number } of calls) numbers.add(number)
      }
    } catch (error) {
      // At either limit, the numbers found so far are sufficient.
      if (!(error instanceof ReadLimitError)) throw error
    }
    return [...numbers]
  }
}
