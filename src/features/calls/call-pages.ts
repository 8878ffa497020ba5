import { isDeepStrictEqual } from 'node:util'
import type { Services } from '../../services.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import * as phone from '../../telephony/types.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import type { Milliseconds } from '../../util/units.ts'

const MAX_BYTES = 10_000_000
/** Without prefetching, only first pages are kept, to be compared with later ones. */
const MAX_COMPARED_BYTES = 1_000_000
const TTL_MS: Milliseconds = 60_000
const PREFETCH_BACKOFF_MS: Milliseconds = 30_000

/** Reads pages of calls, and prefetches the next one. */
export class CallPages {
  readonly #services
  readonly #cache: AccountCache<phone.CallPage>
  readonly #prefetchPaused: Cache<true>

  constructor(services: Services) {
    const { config, store, now } = services
    this.#services = services
    const maxBytes = config.fetchAhead ? MAX_BYTES : MAX_COMPARED_BYTES
    this.#cache = new AccountCache(store, { maxBytes, ttlMs: TTL_MS, now })
    this.#prefetchPaused = createCache({ max: 1000, ttlMs: PREFETCH_BACKOFF_MS, now })
  }

  /** @throws {phone.TelephonyError} */
  get(
    account: phone.Account,
    query: phone.CallQuery,
    { allowCached }: { readonly allowCached: boolean },
  ): phone.CallPage | Promise<phone.CallPage> {
    const { config, metrics } = this.#services
    if (allowCached && config.fetchAhead) {
      const cached = this.#cache.get(account, query)
      metrics.count('cache_lookups_total', { cache: 'page', result: cached ? 'hit' : 'miss' })
      if (cached) return cached
    }
    const reading = this.#read(account, query)
    const isKept = config.fetchAhead || query.page === 1
    return isKept ? this.#cache.keep(account, query, reading) : reading
  }

  /** Reads a page into the cache while nothing waits for it. Its errors are only logged. */
  prefetch(account: phone.Account, query: phone.CallQuery): void {
    const { config, telephony, log } = this.#services
    if (!config.fetchAhead || this.#prefetchPaused.get(account.tenant)) return
    if (telephony.countSlotsLeft(account.tenant) === 0 || this.#cache.get(account, query)) return
    this.#cache.keep(account, query, this.#read(account, query)).catch((error: unknown) => {
      if (error instanceof phone.TelephonyError) this.#prefetchPaused.set(account.tenant, true)
      log.debug({ cause: error instanceof Error ? error.message : 'unknown' }, 'page not prefetched')
    })
  }

  async #read(account: phone.Account, query: phone.CallQuery): Promise<phone.CallPage> {
    // Destructured, because the page parses its calls lazily and the cache needs their size.
    const { calls, page, total } = await this.#services.telephony.calls(account, query)
    const callPage = { calls, page, total }
    // The service counts calls for this page, but returned none.
    if (calls.length === 0 && phone.isShort(callPage)) throw new phone.TelephonyError('envelope')
    const isFull = calls.length === phone.PAGE_SIZE
    if (query.page === 1 || !isFull) return callPage
    const firstPage = this.#cache.get(account, { ...query, page: 1 })
    // The full first page again: the service ignores page numbers. New calls could move those calls here, but change the total.
    if (isDeepStrictEqual(firstPage, { ...callPage, page: 1 }))
      throw new phone.TelephonyError('not-continued')
    return callPage
  }
}
