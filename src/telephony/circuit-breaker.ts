import type { Milliseconds } from '../util/units.ts'

const MAX_FAILURES = 10

/**
 * Tells whether the service deserves a rest: it does for a while after ten failures in a row. After that, one more failure
 * starts the next rest, and any success ends the count.
 */
export class CircuitBreaker {
  readonly #restMs
  #failures = 0
  #openUntil = 0

  constructor(restMs: Milliseconds) {
    this.#restMs = restMs
  }

  get isOpen(): boolean {
    return performance.now() < this.#openUntil
  }

  addFailure(): void {
    this.#failures += 1
    if (this.#failures >= MAX_FAILURES) this.#openUntil = performance.now() + this.#restMs
  }

  /** Closes the circuit: the service responded. */
  reset(): void {
    this.#failures = 0
    this.#openUntil = 0
  }
}
