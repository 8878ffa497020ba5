import type { Milliseconds } from './units.ts'
import { within } from './within.ts'

/** What has to be finished before a process may end. */
export class WorkUnderWay {
  readonly #work = new Set<Promise<unknown>>()

  get size(): number {
    return this.#work.size
  }

  /** @param work rejects never */
  add(work: Promise<unknown>): void {
    const counted = work.finally(() => this.#work.delete(counted))
    this.#work.add(counted)
  }

  /** Once everything that is under way now has ended, or after `graceMs`. */
  async settled(graceMs: Milliseconds): Promise<void> {
    await within(Promise.allSettled(this.#work), graceMs)
  }
}
