interface Line {
  running: number
  /** Each begins one, with the slot of another that has ended. */
  readonly waiting: (() => void)[]
}

/** Limits how many requests run at a time for each tenant, so that none keeps the others waiting. */
export class Slots {
  readonly #limits
  /** Nothing is kept of a tenant that has nothing running or waiting. */
  readonly #tenants = new Map<string, Line>()

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
    return this.#tenants.values().reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  /** How many requests of the tenant could start right now. */
  idle(tenant: string): number {
    return this.#limits.maxConcurrent - (this.#tenants.get(tenant)?.running ?? 0)
  }

  /**
   * Runs the work once one of the tenant's slots is free, first come, first served.
   * @returns `undefined` at once where as many wait already as may
   */
  run<T>(tenant: string, work: () => Promise<T>): Promise<T> | undefined {
    const { maxConcurrent, maxWaiting } = this.#limits
    const line = this.#tenants.get(tenant) ?? { running: 0, waiting: [] }
    if (line.running < maxConcurrent) {
      line.running += 1
      this.#tenants.set(tenant, line)
      return this.#work(tenant, line, work)
    }
    if (line.waiting.length >= maxWaiting) return undefined
    return new Promise<void>((begin) => line.waiting.push(begin)).then(() => this.#work(tenant, line, work))
  }

  /** With a slot, which it hands on. */
  async #work<T>(tenant: string, line: Line, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else line.running -= 1
      if (line.running === 0) this.#tenants.delete(tenant)
    }
  }
}
