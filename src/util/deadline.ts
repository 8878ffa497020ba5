import type { Milliseconds } from './units.ts'

/** Whoever asked doesn't want it any more: it says nothing of whoever was asked. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

/** When a whole request has to be over, every try of it and the waits between them. */
export class Deadline {
  readonly #end
  readonly #timer
  #isOver = false
  #isCancelled = false
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

  /** @throws {CancelledError} where it was cancelled */
  throwIfCancelled(): void {
    if (this.#isCancelled) throw new CancelledError('cancelled')
  }

  /** Below 0 once it is over. */
  remainingMs(): Milliseconds {
    return this.#end - performance.now()
  }

  /** What ends the try that is under way, one at a time: an AbortSignal does the same for a sixth of an interaction's CPU. */
  whenOver(onOver: (() => void) | undefined): void {
    this.#onOver = onOver
  }

  /** Ends the timer, and the try that is under way. */
  cancel(): void {
    this.clear()
    this.#isCancelled = true
    this.#onOver?.()
  }

  /** Ends the timer once the work is done. */
  clear(): void {
    clearTimeout(this.#timer)
  }
}
