import type { Milliseconds } from './units.ts'
import { withTimeout } from './with-timeout.ts'

/** What has to be finished before a process may end. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>()

  get size(): number {
    return this.#work.size
  }

  /** @param work rejects never */
  add(work: Promise<unknown>): void {
    const counted = work.finally(() => this.#work.delete(counted))
    this.#work.add(counted)
  }

  /** Once nothing is in flight, whatever was added meanwhile, or after `graceMs`. */
  async settled(graceMs: Milliseconds): Promise<void> {
    const deadline = performance.now() + graceMs
    for (let left = graceMs; this.size > 0 && left > 0; left = deadline - performance.now())
      await withTimeout(Promise.allSettled(this.#work), left)
  }
}
