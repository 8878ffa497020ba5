import type { EpochMs, Milliseconds } from './units.ts'

/**
 * A Map that lets go: of an entry `ttlMs` after it was set, and of the oldest beyond `max`. For what can be asked
 * again, never for what must be kept.
 */
export class BoundedMap<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly expiresAt: EpochMs }>()
  readonly #max
  readonly #weightOf
  readonly #ttlMs
  readonly #now
  #weight = 0

  /** @param options.weightOf what counts towards `max`; without it, each entry is 1 @param options.ttlMs for good, without it */
  constructor(options: {
    max: number
    weightOf?: (value: V) => number
    ttlMs?: Milliseconds
    now?: () => EpochMs
  }) {
    const { max, weightOf = () => 1, ttlMs = Number.POSITIVE_INFINITY, now = Date.now } = options
    this.#max = max
    this.#weightOf = weightOf
    this.#ttlMs = ttlMs
    this.#now = now
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAt > this.#now()) return entry.value
    this.delete(key)
    return undefined
  }

  set(key: string, value: V): void {
    this.delete(key)
    const weight = this.#weightOf(value)
    if (weight > this.#max) return
    this.#entries.set(key, { value, expiresAt: this.#now() + this.#ttlMs })
    this.#weight += weight
    // Insertion order is age, so whatever is over the number or out of date stands at the front.
    for (const [oldest, { expiresAt }] of this.#entries) {
      if (this.#weight <= this.#max && expiresAt > this.#now()) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#weight -= this.#weightOf(entry.value)
    this.#entries.delete(key)
  }

  deleteUnder(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.delete(key)
  }
}
