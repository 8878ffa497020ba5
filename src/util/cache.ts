import { LRUCache } from 'lru-cache'
import type { EpochMs, Milliseconds } from './units.ts'

export type Cache<V extends NonNullable<unknown>> = LRUCache<string, V>

interface CacheOptions<V> {
  readonly max: number
  readonly getWeight?: (value: V) => number
  readonly ttlMs?: Milliseconds
  readonly now?: () => EpochMs
}

/** Allocates as it fills: the library's `max` would reserve 0.8 MB for 20,000 entries at once. */
export function createCache<V extends NonNullable<unknown>>(options: CacheOptions<V>): Cache<V> {
  const { max, getWeight = () => 1, ttlMs, now = Date.now } = options
  const sizeCalculation = (value: V) => Math.max(1, getWeight(value))
  // lru-cache drops an entry only when more than its TTL has passed.
  const ttl = ttlMs === undefined ? 0 : Math.max(1, ttlMs - 1)
  // Reads the clock each time, because tests move it.
  const clock = { ttlResolution: 0, perf: { now } }
  return new LRUCache<string, V>({ maxSize: max, sizeCalculation, ttl, ...clock })
}

export function deleteByPrefix(cache: Pick<Cache<never>, 'keys' | 'delete'>, prefix: string): void {
  for (const key of [...cache.keys()]) if (key.startsWith(prefix)) cache.delete(key)
}
