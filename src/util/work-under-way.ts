import type { Milliseconds } from './units.ts'

/** What has to be finished before a process may end. */
export class WorkUnderWay {
  readonly #work = new Set<Promise<unknown>>()

  /** @param work rejects never */
  add(work: Promise<unknown>): void {
    const counted = work.finally(() => this.#work.delete(counted))
    this.#work.add(counted)
  }

  /** Once everything that is under way now has ended, or after `graceMs`. */
  async settled(graceMs: Milliseconds): Promise<void> {
    const deadline = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
    await Promise.race([Promise.allSettled([...this.#work]), deadline])
  }
}
