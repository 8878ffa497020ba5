import { type Cache, createCache, deleteByPrefix } from '../util/cache.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import type { TelephonyClient } from './client.ts'
import { type Account, toAccountKey } from './types.ts'

/** Data of deleted workspaces may not be kept. */
interface TenantDeletions {
  on(event: 'tenant-deleted', listener: (tenant: string) => void): unknown
}

/** Services that read a cached list, and tell when to drop it. */
export interface ListSources {
  readonly telephony: TelephonyClient
  readonly store: TenantDeletions
  readonly now: () => EpochMs
}

/** Keeps what was read for an account, by the request. */
export class AccountCache<V extends NonNullable<unknown>> {
  readonly #kept: Cache<V>
  #deletionCount = 0

  constructor(
    store: TenantDeletions,
    { maxBytes, ...options }: { maxBytes: number; ttlMs?: Milliseconds; now?: () => EpochMs },
  ) {
    this.#kept = createCache<V>({ ...options, max: maxBytes, getWeight: estimateBytes })
    store.on('tenant-deleted', (tenant) => {
      this.#deletionCount += 1
      // Keys begin like this: see `toAccountKey`.
      deleteByPrefix(this.#kept, `${tenant} `)
    })
  }

  getOrRead(account: Account, request: unknown, read: () => Promise<V>): V | Promise<V> {
    return this.get(account, request) ?? this.keep(account, request, read())
  }

  get(account: Account, request: unknown): V | undefined {
    return this.#kept.get(cacheKey(account, request))
  }

  /** Caches the result unless a workspace was deleted meanwhile. */
  async keep(account: Account, request: unknown, reading: Promise<V>): Promise<V> {
    const deletionCount = this.#deletionCount
    const value = await reading
    if (deletionCount === this.#deletionCount) this.#kept.set(cacheKey(account, request), value)
    return value
  }
}

const cacheKey = (account: Account, request: unknown) => `${toAccountKey(account)} ${JSON.stringify(request)}`

/** Bytes of an object, an array or a number; text takes a byte per character in addition. */
const BYTES_PER_VALUE = 16

function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return BYTES_PER_VALUE + value.length
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE
  let bytes = BYTES_PER_VALUE
  for (const part of Object.values(value)) bytes += estimateBytes(part)
  return bytes
}
