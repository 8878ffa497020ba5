import pLimit, { type LimitFunction } from 'p-limit'

export interface Slots {
  run<T>(tenant: string, work: () => Promise<T>): Promise<T>
  /** How many requests could start right now. */
  idle(tenant: string): number
  /** How many tenants have something under way: nothing is kept of the others. */
  readonly size: number
}

export function createSlots(perTenant: number): Slots {
  const limits = new Map<string, LimitFunction>()
  return {
    async run(tenant, work) {
      const limit = limits.get(tenant) ?? pLimit(perTenant)
      limits.set(tenant, limit)
      try {
        return await limit(work)
      } finally {
        // p-limit counts a task that has just ended until the next turn: one that stands alone here is this one.
        if (limit.activeCount <= 1 && limit.pendingCount === 0) setImmediate(() => release(tenant, limit))
      }
    },
    idle(tenant) {
      const limit = limits.get(tenant)
      return limit ? Math.max(0, perTenant - limit.activeCount - limit.pendingCount) : perTenant
    },
    get size() {
      return limits.size
    },
  }

  function release(tenant: string, limit: LimitFunction): void {
    if (limit.activeCount === 0 && limit.pendingCount === 0) limits.delete(tenant)
  }
}
