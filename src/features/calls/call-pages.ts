import { hash } from 'node:crypto'
import type { Services } from '../../services.ts'
import { AccountCache } from '../../telephony/account-cache.ts'
import * as phone from '../../telephony/types.ts'
import { type Cache, createCache } from '../../util/cache.ts'
import { type Milliseconds, minuteMs } from '../../util/units.ts'

const MAX_BYTES = 10_000_000
const TTL_MS: Milliseconds = 60_000
const LATEST_PAGE_TTL_MS: Milliseconds = 10 * minuteMs
const PREFETCH_BACKOFF_MS: Milliseconds = 30_000

/** Reads pages of calls, and prefetches the next one. */
export class CallPages {
  readonly #services
  readonly #cache: AccountCache<phone.CallPage>
  /** Tells whether the next page repeats the one before; holds hashes only. */
  readonly #latestPages: Cache<{ readonly page: number; readonly content: string }>
  readonly #prefetchPaused: Cache<true>

  constructor(services: Services) {
    const { store, now } = services
    this.#services = services
    this.#cache = new AccountCache(store, { maxBytes: MAX_BYTES, ttlMs: TTL_MS, now })
    this.#latestPages = createCache({ max: 5000, ttlMs: LATEST_PAGE_TTL_MS, now })
    this.#prefetchPaused = createCache({ max: 1000, ttlMs: PREFETCH_BACKOFF_MS, now })
  }

  /** @throws {phone.TelephonyError} */
  async get(
    account: phone.Account,
    query: phone.CallQuery,
    { allowCached }: { readonly allowCached: boolean },
  ): Promise<phone.CallPage> {
    const { config, metrics } = this.#services
    if (!config.fetchAhead) return this.#read(account, query)
    if (allowCached) {
      const cached = this.#cache.get(account, query)
      metrics.count('cache_lookups_total', { cache: 'page', result: cached ? 'hit' : 'miss' })
      if (cached) return cached
    }
    return this.#cache.keep(account, query, this.#read(account, query))
  }

  prefetch(account: phone.Account, query: phone.CallQuery): void {
    const { config, telephony, log } = this.#services
    if (!config.fetchAhead || this.#prefetchPaused.get(account.tenant)) return
    if (telephony.idleSlots(account.tenant) === 0 || this.#cache.get(account, query)) return
    this.get(account, query, { allowCached: false }).catch((error: unknown) => {
      if (error instanceof phone.TelephonyError) this.#prefetchPaused.set(account.tenant, true)
      log.debug({ cause: error instanceof Error ? error.message : 'unknown' }, 'page not prefetched')
    })
  }

  async #read(account: phone.Account, query: phone.CallQuery): Promise<phone.CallPage> {
    // Destructured, because the page parses its calls lazily and the cache needs their size.
    const { calls, page, total } = await this.#services.telephony.calls(account, query)
    const read = { calls, page, total }
    this.#checkContinued(account, query, read)
    // The service counts calls, but returned none.
    if (calls.length === 0 && phone.isShort(read)) throw new phone.TelephonyError('envelope')
    return read
  }

  /** @throws {phone.TelephonyError} if another page of the list, read a while ago, had the same calls */
  #checkContinued(
    { tenant }: phone.Account,
    { page, ...list }: phone.CallQuery,
    { calls, total }: phone.CallPage,
  ): void {
    const [first] = calls
    const last = calls.at(-1)
    if (!first || !last || calls.length < phone.PAGE_SIZE) return
    // New calls move others to later pages, and change the total.
    // The first and last call identify a page; hashing all of them would take 20 µs.
    const ends = JSON.stringify([total, phone.getCallIdentity(first), phone.getCallIdentity(last)])
    const content = hash('sha256', ends, 'base64url')
    const key = JSON.stringify([tenant, list])
    const other = this.#latestPages.get(key)
    if (other && other.page !== page && other.content === content)
      throw new phone.TelephonyError('not-continued')
    this.#latestPages.set(key, { page, content })
  }
}
