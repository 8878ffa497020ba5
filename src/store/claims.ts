import { BoundedMap } from '../util/bounded-map.ts'
import type { Milliseconds } from '../util/units.ts'
import type { Backend } from './backend.ts'
import type { Generation } from './generations.ts'

// keyv has no compare-and-set: these two go to the database's own statements.

/**
 * What one of many takes for itself, such as a post to be sent once, or a lease. What is a tenant's has a `scopedKey`. Every
 * method @throws {StoreError}.
 */
export class Claims {
  readonly #backend

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** `true` for exactly one of any number of callers, in any process, until `ttlMs` have gone by. */
  claim(scope: string, key: string, ttlMs: Milliseconds): Promise<boolean> {
    const row = { key, value: '1', expires: this.#backend.now() + ttlMs }
    return this.#backend.insert(`claim:${scope}`, row)
  }

  /** Of something that took a while: not of a tenant that was deleted meanwhile. @param key a `scopedKey` of it */
  async claimIn(generation: Generation, scope: string, key: string, ttlMs: Milliseconds): Promise<void> {
    const row = { key, value: '1', expires: this.#backend.now() + ttlMs }
    await this.#backend.setWhile(generation, `claim:${scope}`, row)
  }

  async isClaimed(scope: string, key: string): Promise<boolean> {
    return (await this.#backend.get(`claim:${scope}`, [key])).length > 0
  }

  /** Keeps what this caller has claimed for `ttlMs` from now. */
  renew(scope: string, key: string, ttlMs: Milliseconds): Promise<void> {
    const row = { key, value: '1', expires: this.#backend.now() + ttlMs }
    return this.#backend.set(`claim:${scope}`, row)
  }

  /** Gives back what was claimed, for somebody else to claim. */
  async release(scope: string, key: string): Promise<void> {
    await this.#backend.delete(`claim:${scope}`, [key])
  }
}

/** The greatest number that any process has seen of a thing. Every method @throws {StoreError}. */
export class HighWaterMarks {
  readonly #backend
  /** What this process noted itself: it holds as long as no other one has written anything. */
  readonly #noted = new BoundedMap<{ readonly value: number; readonly version: number }>({
    max: 10_000,
    ttlMs: 60_000,
  })

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Notes `value` where it is greater than what was noted: `true` if it now is the greatest. Atomic. */
  async advance(scope: string, key: string, value: number, ttlMs: Milliseconds): Promise<boolean> {
    const version = this.#backend.version()
    const isGreatest = await this.#backend.raise(`latest:${scope}`, key, value, this.#backend.now() + ttlMs)
    if (isGreatest && version !== undefined) this.#noted.set(`${scope} ${key}`, { value, version })
    return isGreatest
  }

  /** `true` while nothing greater was noted: by another process up to 10 ms ago, where a version tells of its writes. */
  async isLatest(scope: string, key: string, value: number): Promise<boolean> {
    const noted = this.#noted.get(`${scope} ${key}`)
    if (noted && noted.version === this.#backend.version()) return noted.value <= value
    const [row] = await this.#backend.get(`latest:${scope}`, [key])
    return row === undefined || Number(row.value) <= value
  }
}
