import type { Milliseconds } from './units.ts'

/** What has to be finished before a process may end. */
export class WorkUnderWay {
  readonly #work = new Set<Promise<unknown>>()

  /** @param work rejects never */
  add(work: Promise<unknown>): void {
    const counted = work.finally(() => this.#work.delete(counted))
    this.#work.add(counted)
  }

  /** Once nothing is under way, whatever was added meanwhile, or after `graceMs`. */
  async settled(graceMs: Milliseconds): Promise<void> {
    let isLate = false
    const deadline = new Promise<void>((resolve) => {
      const end = () => {
        isLate = true
        resolve()
      }
      setTimeout(end, graceMs).unref()
    })
    while (this.#work.size > 0 && !isLate) await Promise.race([Promise.allSettled([...this.#work]), deadline])
  }
}
