import { createCache } from '../util/cache.ts'
import type { Milliseconds } from '../util/units.ts'
import { type Account, toAccountKey } from './types.ts'

/** Consecutive failures that open an account's breaker. After its rest, one more opens it again. */
const MAX_FAILURES = 10

interface Breaker {
  readonly failures: number
  readonly openUntil: number
}

/** Circuit breakers by account: the service may fail for some accounts, and answer others. */
export class Breakers {
  readonly #restMs: Milliseconds
  /** Accounts whose last request succeeded have none. */
  readonly #breakers = createCache<Breaker>({ max: 20_000 })

  constructor(restMs: Milliseconds) {
    this.#restMs = restMs
  }

  get openCount(): number {
    let count = 0
    for (const { openUntil } of this.#breakers.values()) if (isLater(openUntil)) count += 1
    return count
  }

  isOpen(account: Account): boolean {
    const breaker = this.#breakers.get(toAccountKey(account))
    return breaker !== undefined && isLater(breaker.openUntil)
  }

  countFailure(account: Account): void {
    const key = toAccountKey(account)
    const failures = (this.#breakers.get(key)?.failures ?? 0) + 1
    const openUntil = failures >= MAX_FAILURES ? performance.now() + this.#restMs : 0
    this.#breakers.set(key, { failures, openUntil })
  }

  close(account: Account): void {
    this.#breakers.delete(toAccountKey(account))
  }
}

const isLater = (at: number) => performance.now() < at
