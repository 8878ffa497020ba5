import type { Milliseconds } from './units.ts'

/** When a whole request has to be over, every try of it and the waits between them. */
export class Deadline {
  readonly #end
  readonly #timer
  #isOver = false
  #onOver: (() => void) | undefined

  constructor(timeoutMs: Milliseconds) {
    this.#end = performance.now() + timeoutMs
    this.#timer = setTimeout(() => {
      this.#isOver = true
      this.#onOver?.()
    }, timeoutMs)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Below 0 once it is over. */
  remainingMs(): Milliseconds {
    return this.#end - performance.now()
  }

  /** What ends the try that is under way, one at a time: an AbortSignal does the same for a sixth of an interaction's CPU. */
  whenOver(onOver: (() => void) | undefined): void {
    this.#onOver = onOver
  }

  /** Ends the timer once the work is done. */
  clear(): void {
    clearTimeout(this.#timer)
  }
}
