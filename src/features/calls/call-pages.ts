import type { Services } from '../../services.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { RateLimitedError, ServiceUnavailableError } from '../../telephony/errors.ts'
import type { Account, CallPage, CallQuery } from '../../telephony/types.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import type { Milliseconds } from '../../util/units.ts'

const pagesKept = 500
const keptForMs: Milliseconds = 60_000
const restMs: Milliseconds = 30_000

/** Pages of calls, each kept for 60 s and a bounded number of them. */
export class CallPages {
  readonly #services
  readonly #pages: AccountCache<CallPage>
  /** Workspaces for which nothing is fetched ahead for a while. */
  readonly #resting: Cache<true>

  constructor(services: Pick<Services, 'config' | 'store' | 'telephony' | 'metrics' | 'log' | 'now'>) {
    const { store, now } = services
    this.#services = services
    this.#pages = new AccountCache(store, { max: pagesKept, ttlMs: keptForMs, now })
    this.#resting = createCache({ max: 1000, ttlMs: restMs, now })
  }

  /** @param allowCached a page that was fetched up to a minute ago will do @throws {TelephonyError} */
  async get(account: Account, query: CallQuery, allowCached: boolean): Promise<CallPage> {
    const { config, metrics } = this.#services
    if (!allowCached || !config.fetchAhead) return this.#fetch(account, query)
    const page = this.#pages.get(account, query)
    metrics.count('cache_lookups_total', { cache: 'page', result: page === undefined ? 'miss' : 'hit' })
    return page ?? this.#fetch(account, query)
  }

  /** Fetches a page that will probably be asked for next, if there is nothing better to do. */
  fetchAhead(account: Account, query: CallQuery): void {
    const { config, telephony, log } = this.#services
    if (!config.fetchAhead || this.#resting.get(account.tenant)) return
    if (telephony.idleSlots(account.tenant) === 0 || this.#pages.get(account, query)) return
    this.#fetch(account, query).catch((error: unknown) => {
      // Nobody waits for it; a service in trouble is left alone for a while.
      const isTrouble = error instanceof RateLimitedError || error instanceof ServiceUnavailableError
      if (isTrouble) this.#resting.set(account.tenant, true)
      log.debug({ cause: error instanceof Error ? error.message : 'unknown' }, 'a page was not fetched ahead')
    })
  }

  #fetch(account: Account, query: CallQuery): Promise<CallPage> {
    const { config, telephony } = this.#services
    const reading = telephony.calls(account, query)
    return config.fetchAhead ? this.#pages.keep(account, query, reading) : reading
  }
}
