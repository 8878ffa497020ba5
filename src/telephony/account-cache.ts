import { type Cache, type CacheOptions, createCache, deleteByPrefix } from '../util/cache.ts'
import type { Account } from './types.ts'

/** Announces deleted workspaces, whose data may not be kept. */
export interface TenantDeletions {
  on(event: 'tenant-deleted', listener: (tenant: string) => void): unknown
}

/** Caches readings by account and request. Deleting a workspace also drops what is being read of it. */
export class AccountCache<V extends NonNullable<unknown>> {
  readonly #kept: Cache<V>
  #deletions = 0

  constructor(store: TenantDeletions, options: CacheOptions<V>) {
    this.#kept = createCache(options)
    store.on('tenant-deleted', (tenant) => {
      this.#deletions += 1
      deleteByPrefix(this.#kept, `${tenant} `)
    })
  }

  get(account: Account, asked: unknown): V | undefined {
    return this.#kept.get(cacheKey(account, asked))
  }

  /** Caches the result of the reading, unless a workspace was deleted meanwhile. */
  async keep(account: Account, asked: unknown, reading: Promise<V>): Promise<V> {
    const deletions = this.#deletions
    const value = await reading
    if (deletions === this.#deletions) this.#kept.set(cacheKey(account, asked), value)
    return value
  }
}

const cacheKey = ({ tenant, credentials }: Account, asked: unknown) =>
  `${tenant} ${credentials.key} ${JSON.stringify(asked)}`
