import PQueue from 'p-queue'

interface Line {
  readonly requests: PQueue
  /** What is in the background goes through here first, so that it never holds all of the slots. */
  readonly background: PQueue
}

const people = { priority: 1 }
const background = { priority: 0 }

/** Limits how many requests run at a time for each tenant, so that none keeps the others waiting. */
export class Slots {
  readonly #limits
  /** Nothing is kept of a tenant that has nothing running or waiting. */
  readonly #lines = new Map<string, Line>()

  constructor(limits: { maxConcurrent: number; maxWaiting: number }) {
    this.#limits = limits
  }

  get size(): number {
    return this.#lines.size
  }

  /** Of all tenants together, without what waits in the background. */
  get waiting(): number {
    return this.#lines.values().reduce((sum, { requests }) => sum + requests.sizeBy(people), 0)
  }

  /** How many run at a time for a tenant in the background, at the most: one slot is left for people. */
  get maxInBackground(): number {
    return Math.max(1, this.#limits.maxConcurrent - 1)
  }

  get inBackground(): number {
    return this.#lines.values().reduce((sum, line) => sum + runningInBackground(line), 0)
  }

  /** How many slots of the tenant people could have: the idle ones, and those in the background, which are soon over. */
  idle(tenant: string): number {
    const line = this.#lines.get(tenant)
    const { maxConcurrent } = this.#limits
    return line ? maxConcurrent - line.requests.pending + runningInBackground(line) : maxConcurrent
  }

  /**
   * Runs the work once one of the tenant's slots is free, first come, first served, and before what is in the background.
   * @returns `undefined` at once where as many wait already as may
   */
  run<T>(tenant: string, work: () => Promise<T>): Promise<T> | undefined {
    const { maxConcurrent, maxWaiting } = this.#limits
    const { requests } = this.#lineOf(tenant)
    if (requests.pending >= maxConcurrent && requests.sizeBy(people) >= maxWaiting) return undefined
    return requests.add(work, people)
  }

  /**
   * Runs the work once it leaves a slot of the tenant to people. Any number may wait.
   * @returns a rejection with the signal's reason as soon as it is aborted; the work, once begun, has to look after itself then
   */
  async runInBackground<T>(tenant: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    const line = this.#lineOf(tenant)
    return line.background.add(() => line.requests.add(work, { ...background, signal }), { signal })
  }

  #lineOf(tenant: string): Line {
    const known = this.#lines.get(tenant)
    if (known) return known
    const line: Line = {
      requests: new PQueue({ concurrency: this.#limits.maxConcurrent }),
      background: new PQueue({ concurrency: this.maxInBackground }),
    }
    const forgetIdle = () => {
      if (Object.values(line).every(({ pending, size }) => pending + size === 0)) this.#lines.delete(tenant)
    }
    line.requests.on('next', forgetIdle)
    line.background.on('next', forgetIdle)
    this.#lines.set(tenant, line)
    return line
  }
}

const runningInBackground = (line: Line) => line.background.pending - line.requests.sizeBy(background)
