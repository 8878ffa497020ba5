import pLimit, { type LimitFunction } from 'p-limit'

/** Limits how many requests run at a time for each tenant, so that none keeps the others waiting. */
export class Slots {
  readonly #limits
  /** Nothing is kept of a tenant that has nothing running or waiting. */
  readonly #tenants = new Map<string, LimitFunction>()

  /** Both numbers are for one tenant. */
  constructor(limits: { maxConcurrent: number; maxWaiting: number }) {
    this.#limits = limits
  }

  /** How many tenants have something running or waiting. */
  get size(): number {
    return this.#tenants.size
  }

  /** Of all tenants together. */
  get waiting(): number {
    return this.#tenants.values().reduce((sum, { pendingCount }) => sum + pendingCount, 0)
  }

  /** How many requests of the tenant could start right now. */
  idle(tenant: string): number {
    return Math.max(0, this.#limits.maxConcurrent - this.#countOf(tenant))
  }

  /**
   * Runs the work once one of the tenant's slots is free, first come, first served.
   * @returns `undefined` at once where as many wait already as may
   */
  run<T>(tenant: string, work: () => Promise<T>): Promise<T> | undefined {
    const { maxConcurrent, maxWaiting } = this.#limits
    if (this.#countOf(tenant) >= maxConcurrent + maxWaiting) return undefined
    const limit = this.#tenants.get(tenant) ?? pLimit(maxConcurrent)
    this.#tenants.set(tenant, limit)
    return limit(work).finally(() => {
      if (this.#countOf(tenant) === 0) this.#tenants.delete(tenant)
    })
  }

  /** Running and waiting. */
  #countOf(tenant: string): number {
    const limit = this.#tenants.get(tenant)
    return limit ? limit.activeCount + limit.pendingCount : 0
  }
}
