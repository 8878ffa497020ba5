import pLimit, { type LimitFunction } from 'p-limit'

export interface Slots {
  /**
   * Runs the work once one of the tenant's slots is free, in the order asked for.
   * @returns `undefined` at once where as many wait already as may
   */
  run<T>(tenant: string, work: () => Promise<T>): Promise<T> | undefined
  /** Of all tenants together. */
  readonly waiting: number
  /** How many requests could start right now. */
  idle(tenant: string): number
  /** How many tenants have something under way: nothing is kept of the others. */
  readonly size: number
}

interface Line {
  readonly limit: LimitFunction
  /** Running and waiting. */
  count: number
}

export function createSlots(perTenant: number, mostWaiting: number): Slots {
  const lines = new Map<string, Line>()

  return {
    run(tenant, work) {
      const line = lines.get(tenant) ?? { limit: pLimit(perTenant), count: 0 }
      if (line.count >= perTenant + mostWaiting) return undefined
      lines.set(tenant, line)
      line.count += 1
      return line.limit(work).finally(() => {
        line.count -= 1
        if (line.count === 0) lines.delete(tenant)
      })
    },
    get waiting() {
      return [...lines.values()].reduce((sum, { limit }) => sum + limit.pendingCount, 0)
    },
    idle: (tenant) => Math.max(0, perTenant - (lines.get(tenant)?.count ?? 0)),
    get size() {
      return lines.size
    },
  }
}
