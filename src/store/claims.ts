import type { Milliseconds } from '../util/units.ts'
import type { Database } from './engine/database.ts'

// Claims need an atomic insert, which keyv doesn't have.

/**
 * Claims with a time limit, of which only one of many callers gets each, for example to send a post once. Keys of tenants
 * are created by `scopedKey`. Every method throws a `StoreError` if the database fails: treat the key as not claimed.
 */
export class Claims {
  readonly #database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns `true` to exactly one of any number of callers, in any process, until the claim expires or is released. */
  claim(scope: string, key: string, ttlMs: Milliseconds): Promise<boolean> {
    const row = { key, value: '1', expires: this.#database.now() + ttlMs }
    return this.#database.insert(`claim:${scope}`, row)
  }

  async isClaimed(scope: string, key: string): Promise<boolean> {
    return (await this.#database.get(`claim:${scope}`, key)) !== undefined
  }

  async release(scope: string, key: string): Promise<void> {
    await this.#database.delete(`claim:${scope}`, key)
  }
}
