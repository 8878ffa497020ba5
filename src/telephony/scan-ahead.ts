import type { PageRead } from './scan-reads.ts'

/** How far the reading may be ahead of whoever takes the pages: more than are under way, where one of them takes longer. */
const maxAhead = 12

/** Reads pages ahead of whoever takes them one after the other: several are under way at a time, and few are kept. */
export class PagesAhead {
  readonly #read
  readonly #maxUnderWay
  readonly #reads = new Map<number, Promise<PageRead>>()
  readonly #underWay = new Set<Promise<PageRead>>()
  #first = 1
  #last = 0

  constructor(options: { read: (page: number) => Promise<PageRead>; maxUnderWay: number }) {
    this.#read = options.read
    this.#maxUnderWay = options.maxUnderWay
  }

  /**
   * The page with that number. Those after it are read ahead, up to `last`; those before it are forgotten, and where it is
   * one of these, all of them are.
   */
  take(number: number, last: number): Promise<PageRead> {
    for (const known of this.#reads.keys())
      if (known < number || number < this.#first) this.#reads.delete(known)
    this.#first = number
    this.#last = Math.min(last, number + maxAhead - 1)
    const read = this.#reads.get(number) ?? this.#begin(number)
    this.#readAhead()
    return read
  }

  /** Taken again, it is read again. */
  forget(number: number): void {
    this.#reads.delete(number)
  }

  /** Begins nothing more. @returns once nothing is under way */
  async end(): Promise<void> {
    this.#last = 0
    await Promise.allSettled(this.#underWay)
  }

  #readAhead(): void {
    for (let number = this.#first; number <= this.#last; number += 1) {
      if (this.#underWay.size >= this.#maxUnderWay) return
      if (!this.#reads.has(number)) this.#begin(number)
    }
  }

  #begin(number: number): Promise<PageRead> {
    const read = this.#read(number)
    const over = () => {
      this.#underWay.delete(read)
      this.#readAhead()
    }
    this.#underWay.add(read)
    // Who takes it hears of its failure; nobody may ever take it.
    read.then(over, over)
    this.#reads.set(number, read)
    return read
  }
}
