import type { Milliseconds } from '../util/units.ts'
import type { Backend } from './backend.ts'

// keyv has no compare-and-set: these two go to the database's own statements.

/** What one of many takes for itself, such as a post to be sent once, or a lease. Every method @throws {StoreError}. */
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

  constructor(backend: Backend) {
    this.#backend = backend
  }

  /** Notes `value` where it is greater than what was noted: `true` if it now is the greatest. Atomic. */
  advance(scope: string, key: string, value: number, ttlMs: Milliseconds): Promise<boolean> {
    return this.#backend.raise(`latest:${scope}`, key, value, this.#backend.now() + ttlMs)
  }

  /** `true` while nothing greater was noted. */
  async isLatest(scope: string, key: string, value: number): Promise<boolean> {
    const [row] = await this.#backend.get(`latest:${scope}`, [key])
    return row === undefined || Number(row.value) <= value
  }
}
