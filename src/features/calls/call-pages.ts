import type { Services } from '../../services.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import { RateLimitedError, ServiceUnavailableError } from '../../telephony/errors.ts'
import type { Account, CallPage, CallQuery } from '../../telephony/types.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import type { Milliseconds } from '../../util/units.ts'

const MAX_CACHED_BYTES = 10_000_000
const PAGE_TTL_MS: Milliseconds = 60_000
/** No prefetching for so long after a failure. */
const REST_MS: Milliseconds = 30_000

/** Fetches, caches and prefetches pages of calls. */
export class CallPages {
  readonly #services
  readonly #pages: AccountCache<CallPage>
  /** Tenants whose prefetching rests. */
  readonly #resting: Cache<true>

  constructor(services: Pick<Services, 'config' | 'store' | 'telephony' | 'metrics' | 'log' | 'now'>) {
    const { store, now } = services
    this.#services = services
    this.#pages = new AccountCache(store, { maxBytes: MAX_CACHED_BYTES, ttlMs: PAGE_TTL_MS, now })
    this.#resting = createCache({ max: 1000, ttlMs: REST_MS, now })
  }

  /** @param allowCached whether a page of the last minute will do @throws {TelephonyError} */
  async get(account: Account, query: CallQuery, allowCached: boolean): Promise<CallPage> {
    const { config, metrics } = this.#services
    if (!allowCached || !config.fetchAhead) return this.#fetch(account, query)
    const page = this.#pages.get(account, query)
    metrics.count('cache_lookups_total', { cache: 'page', result: page === undefined ? 'miss' : 'hit' })
    return page ?? this.#fetch(account, query)
  }

  /** Prefetches a page if the account has nothing else to do. */
  fetchAhead(account: Account, query: CallQuery): void {
    const { config, telephony, log } = this.#services
    if (!config.fetchAhead || this.#resting.get(account.tenant)) return
    if (telephony.idleSlots(account.tenant) === 0 || this.#pages.get(account, query)) return
    this.#fetch(account, query).catch((error: unknown) => {
      const isTrouble = error instanceof RateLimitedError || error instanceof ServiceUnavailableError
      if (isTrouble) this.#resting.set(account.tenant, true)
      log.debug({ cause: error instanceof Error ? error.message : 'unknown' }, 'page not prefetched')
    })
  }

  #fetch(account: Account, query: CallQuery): Promise<CallPage> {
    const { config, telephony } = this.#services
    const reading = telephony.calls(account, query)
    if (!config.fetchAhead) return reading
    // Parsed now, so that the cache knows the page's size.
    const parsed = reading.then(({ calls, page, total }) => ({ calls, page, total }))
    return this.#pages.keep(account, query, parsed)
  }
}
