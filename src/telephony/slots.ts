import pLimit, { type LimitFunction } from 'p-limit'

interface TenantSlots {
  readonly limit: LimitFunction
  /** Running and waiting. */
  count: number
}

/** Limits how many requests run at a time for each tenant, so that none keeps the others waiting. */
export class Slots {
  readonly #maxConcurrent: number
  readonly #maxWaiting: number
  /** Nothing is kept of a tenant that has nothing running or waiting. */
  readonly #tenants = new Map<string, TenantSlots>()

  /** Both numbers are for one tenant. */
  constructor(options: { maxConcurrent: number; maxWaiting: number }) {
    this.#maxConcurrent = options.maxConcurrent
    this.#maxWaiting = options.maxWaiting
  }

  /** How many tenants have something running or waiting. */
  get size(): number {
    return this.#tenants.size
  }

  /** Of all tenants together. */
  get waiting(): number {
    return this.#tenants.values().reduce((sum, { limit }) => sum + limit.pendingCount, 0)
  }

  /** How many requests of the tenant could start right now. */
  idle(tenant: string): number {
    return Math.max(0, this.#maxConcurrent - (this.#tenants.get(tenant)?.count ?? 0))
  }

  /**
   * Runs the work once one of the tenant's slots is free, first come, first served.
   * @returns `undefined` at once where as many wait already as may
   */
  run<T>(tenant: string, work: () => Promise<T>): Promise<T> | undefined {
    const slots = this.#tenants.get(tenant) ?? { limit: pLimit(this.#maxConcurrent), count: 0 }
    if (slots.count >= this.#maxConcurrent + this.#maxWaiting) return undefined
    this.#tenants.set(tenant, slots)
    slots.count += 1
    return slots.limit(work).finally(() => {
      slots.count -= 1
      if (slots.count === 0) this.#tenants.delete(tenant)
    })
  }
}
