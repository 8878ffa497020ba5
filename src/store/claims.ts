import type { Milliseconds } from '../util/units.ts'
import type { Database } from './engine/database.ts'

// keyv has no compare-and-set: claims go to the database's own statements.

/**
 * What one of many takes for itself, such as a post to be sent once. What is a tenant's has a `scopedKey`. Every
 * method @throws {StoreError}.
 */
export class Claims {
  readonly #database

  constructor(database: Database) {
    this.#database = database
  }

  /** `true` for exactly one of any number of callers, in any process, until `ttlMs` have gone by. */
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
