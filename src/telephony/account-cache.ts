import { type Cache, type CacheOptions, createCache, deleteByPrefix } from '../util/cache.ts'
import type { Account } from './types.ts'

interface AccountCacheOptions extends Pick<CacheOptions<unknown>, 'ttlMs' | 'now'> {
  readonly maxBytes: number
}

/** Announces deleted workspaces, whose data may not be kept. */
export interface TenantDeletions {
  on(event: 'tenant-deleted', listener: (tenant: string) => void): unknown
}

/** Caches readings by account and request, up to a number of bytes. Deleting a workspace also drops what is being read of it. */
export class AccountCache<V extends NonNullable<unknown>> {
  readonly #kept: Cache<V>
  #deletions = 0

  constructor(store: TenantDeletions, { maxBytes, ...options }: AccountCacheOptions) {
    this.#kept = createCache<V>({ ...options, max: maxBytes, getWeight: estimateBytes })
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

/** Bytes of an object, an array or a number; text takes a byte per character in addition. */
const BYTES_PER_VALUE = 16

function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + value.length
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return parts.reduce<number>((sum, part) => sum + estimateBytes(part), BYTES_PER_VALUE)
}
