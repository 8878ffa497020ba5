import type { Milliseconds } from './units.ts'

/** When a whole request has to be over, every try of it and the waits between them. */
export class Deadline {
  // AbortSignal.timeout would hold the timer of every request that has long ended until it fires.
  readonly #controller = new AbortController()
  readonly signal = this.#controller.signal
  readonly #end
  readonly #timer

  constructor(timeoutMs: Milliseconds) {
    this.#end = performance.now() + timeoutMs
    this.#timer = setTimeout(() => this.#controller.abort(), timeoutMs)
  }

  /** Below 0 once it is over. */
  remainingMs(): Milliseconds {
    return this.#end - performance.now()
  }

  /** Ends the timer once the work is done. */
  clear(): void {
    clearTimeout(this.#timer)
  }
}
