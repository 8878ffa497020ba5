import { CancelledError } from './send-request.ts'
import type { Milliseconds } from './units.ts'

/** Nothing was tried: the circuit breaker is open. */
export class OpenCircuitError extends Error {
  override readonly name = 'OpenCircuitError'
}

/**
 * Opens after so many failures in a row, and lets nothing through then. Half-open, it lets one try, and the others wait for
 * what becomes of it.
 */
export class CircuitBreaker {
  readonly #options
  #failures = 0
  #openedAt: number | undefined
  /** While it is half-open: settled once what is tried has ended. */
  #trial: Promise<void> | undefined

  constructor(options: {
    /** So many in a row open it. */
    failures: number
    halfOpenAfterMs: Milliseconds
    /** Any other error says nothing while it is closed, and closes it where it is half-open, but for a CancelledError. */
    isFailure: (error: unknown) => boolean
  }) {
    this.#options = options
  }

  /** Open or half-open. */
  get isOpen(): boolean {
    return this.#openedAt !== undefined
  }

  open(): void {
    this.#openedAt = performance.now()
  }

  /** @throws {OpenCircuitError}, and whatever the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#openedAt === undefined) return this.#runClosed(work)
    if (this.#trial) {
      await this.#trial
      return this.run(work)
    }
    if (performance.now() - this.#openedAt < this.#options.halfOpenAfterMs)
      throw new OpenCircuitError('the circuit breaker is open')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#trial = promise
    try {
      const result = await work()
      this.#close()
      return result
    } catch (error) {
      if (this.#options.isFailure(error)) this.open()
      else if (!(error instanceof CancelledError)) this.#close()
      throw error
    } finally {
      this.#trial = undefined
      resolve()
    }
  }

  #close(): void {
    this.#openedAt = undefined
    this.#failures = 0
  }

  async #runClosed<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      this.#failures = 0
      return result
    } catch (error) {
      if (this.#options.isFailure(error)) {
        this.#failures += 1
        if (this.#failures >= this.#options.failures && !this.isOpen) this.open()
      }
      throw error
    }
  }
}
