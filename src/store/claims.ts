import type { Milliseconds } from '../util/units.ts'
import type { Database } from './engine/database.ts'

// keyv has no compare-and-set, so claims use a statement of the database.

/**
 * Claims that only one of many callers gets, such as sending a post once. Keys of tenants are made by `scopedKey`. Fails
 * closed: every method throws a `StoreError` if the database fails, and then nothing is claimed.
 */
export class Claims {
  readonly #database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns `true` to exactly one of any number of callers, in any process, until the TTL is over. */
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
