import { hash } from 'node:crypto'
import { BoundedMap } from '../util/bounded-map.ts'
import { CircuitBreaker, OpenCircuitError } from '../util/circuit-breaker.ts'
import type { Milliseconds } from '../util/units.ts'
import { CredentialsRejectedError, type Operation, ServiceUnavailableError } from './errors.ts'
import type { Account } from './types.ts'

const failuresInARow = 10

/** The service's own failure, rather than one of a single account's. */
function isServiceFailure(error: unknown): boolean {
  if (!(error instanceof ServiceUnavailableError)) return false
  const { reason, status = 0, sent } = error
  // A time-out before anything was sent is a long queue's, not the service's.
  return reason === 'connection' || (reason === 'timeout' && sent) || (reason === 'status' && status >= 500)
}

/**
 * The circuit breakers of one address of the service: one that opens where the service keeps failing, and one for each pair
 * of key and secret that it refuses. An open one sends nothing; half-open, it lets one request try, and the others wait for
 * what becomes of it.
 */
export class CircuitBreakers {
  readonly #halfOpenAfterMs
  readonly #service
  /** Only pairs that were refused are in it. */
  readonly #credentials = new BoundedMap<CircuitBreaker>({ max: 10_000, ttlMs: 10 * 60_000 })

  constructor(halfOpenAfterMs: Milliseconds) {
    this.#halfOpenAfterMs = halfOpenAfterMs
    this.#service = new CircuitBreaker({
      failures: failuresInARow,
      halfOpenAfterMs,
      isFailure: isServiceFailure,
    })
  }

  /** Whether the service's own breaker is open or half-open. */
  get isOpen(): boolean {
    return this.#service.isOpen
  }

  /**
   * @throws {ServiceUnavailableError} with the reason `resting` where the service's breaker is open,
   * {CredentialsRejectedError} where that of the credentials is, and whatever the work throws
   */
  async run<T>(account: Account, operation: Operation, work: () => Promise<T>): Promise<T> {
    const key = account.isTrial || this.#credentials.size === 0 ? undefined : hashOf(account)
    const breaker = key === undefined ? undefined : this.#credentials.get(key)
    try {
      const result = await (breaker
        ? breaker.run(() => this.#runForService(operation, work))
        : this.#runForService(operation, work))
      if (key !== undefined && breaker) this.#credentials.delete(key)
      if (account.isTrial) this.#credentials.delete(hashOf(account))
      return result
    } catch (error) {
      if (error instanceof OpenCircuitError) throw new CredentialsRejectedError(operation)
      if (error instanceof CredentialsRejectedError && !breaker) this.#open(hashOf(account))
      throw error
    }
  }

  #runForService<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    return this.#service.run(work).catch((error: unknown) => {
      if (!(error instanceof OpenCircuitError)) throw error
      throw new ServiceUnavailableError(operation, 'resting', { sent: false })
    })
  }

  #open(key: string): void {
    const breaker = new CircuitBreaker({
      failures: 1,
      halfOpenAfterMs: this.#halfOpenAfterMs,
      isFailure: (error) => error instanceof CredentialsRejectedError,
    })
    breaker.open()
    this.#credentials.set(key, breaker)
  }
}

function hashOf({ tenant, credentials }: Account): string {
  return hash('sha256', `${tenant}\n${credentials.key}\n${credentials.secret}`, 'base64url')
}
