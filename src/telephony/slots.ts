import { untilAborted } from '../util/with-timeout.ts'

interface Line {
  /** Those in the background too. */
  running: number
  runningInBackground: number
  /** Each begins one, with the slot of another that has ended. */
  readonly waiting: (() => void)[]
  /** Each begins one of those in the background, in a slot of its own. */
  readonly background: (() => void)[]
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

  /** Of all tenants together, without what waits in the background. */
  get waiting(): number {
    return this.#tenants.values().reduce((sum, { waiting }) => sum + waiting.length, 0)
  }

  /** How many run at a time for a tenant in the background, at the most: one slot is left for people. */
  get maxInBackground(): number {
    return Math.max(1, this.#limits.maxConcurrent - 1)
  }

  /** How many run in the background, of all tenants together. */
  get inBackground(): number {
    return this.#tenants.values().reduce((sum, { runningInBackground }) => sum + runningInBackground, 0)
  }

  /** How many slots of the tenant people could have: the idle ones, and those in the background, which are soon over. */
  idle(tenant: string): number {
    const { running = 0, runningInBackground = 0 } = this.#tenants.get(tenant) ?? {}
    return this.#limits.maxConcurrent - (running - runningInBackground)
  }

  /**
   * Runs the work once one of the tenant's slots is free, first come, first served.
   * @returns `undefined` at once where as many wait already as may
   */
  run<T>(tenant: string, work: () => Promise<T>): Promise<T> | undefined {
    const { maxConcurrent, maxWaiting } = this.#limits
    const line = this.#lineOf(tenant)
    if (line.running < maxConcurrent) {
      line.running += 1
      return this.#work(tenant, line, work)
    }
    if (line.waiting.length >= maxWaiting) return undefined
    return new Promise<void>((begin) => line.waiting.push(begin)).then(() => this.#work(tenant, line, work))
  }

  /**
   * Runs the work once it leaves another of the tenant's slots idle: whoever waits goes first, and whoever comes next finds a
   * slot. Any number may wait.
   * @param signal takes it out of the line; the work, once begun, has to look after it itself
   */
  async runInBackground<T>(tenant: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    const line = this.#lineOf(tenant)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    line.background.push(begin)
    this.#beginInBackground(line)
    try {
      await untilAborted(begun, signal)
    } catch (reason) {
      const place = line.background.indexOf(begin)
      if (place !== -1) line.background.splice(place, 1)
      else this.#endInBackground(tenant, line)
      throw reason
    }
    try {
      return await work()
    } finally {
      this.#endInBackground(tenant, line)
    }
  }

  #lineOf(tenant: string): Line {
    const known = this.#tenants.get(tenant)
    if (known) return known
    const line: Line = { running: 0, runningInBackground: 0, waiting: [], background: [] }
    this.#tenants.set(tenant, line)
    return line
  }

  #beginInBackground(line: Line): void {
    while (line.running < this.maxInBackground) {
      const begin = line.background.shift()
      if (!begin) return
      line.running += 1
      line.runningInBackground += 1
      begin()
    }
  }

  #endInBackground(tenant: string, line: Line): void {
    line.runningInBackground -= 1
    this.#handOn(tenant, line)
  }

  /** With a slot, which it hands on. */
  async #work<T>(tenant: string, line: Line, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      this.#handOn(tenant, line)
    }
  }

  #handOn(tenant: string, line: Line): void {
    const next = line.waiting.shift()
    if (next) {
      next()
      return
    }
    line.running -= 1
    this.#beginInBackground(line)
    if (line.running === 0) this.#tenants.delete(tenant)
  }
}
