import { hash } from 'node:crypto'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleType,
  handleWhen,
} from 'cockatiel'
import { BoundedMap } from '../util/bounded-map.ts'
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
  readonly #halfOpenAfter
  readonly #service
  /** Only pairs that were refused are in it. */
  readonly #credentials = new BoundedMap<CircuitBreakerPolicy>({ max: 10_000, ttlMs: 10 * 60_000 })

  constructor(halfOpenAfter: Milliseconds) {
    this.#halfOpenAfter = halfOpenAfter
    this.#service = circuitBreaker(handleWhen(isServiceFailure), {
      halfOpenAfter,
      breaker: new ConsecutiveBreaker(failuresInARow),
    })
  }

  /** Whether the service's own breaker is open or half-open. */
  get isOpen(): boolean {
    return this.#service.state !== CircuitState.Closed
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
        ? breaker.execute(() => this.#runForService(operation, work))
        : this.#runForService(operation, work))
      if (key !== undefined && breaker) this.#credentials.delete(key)
      return result
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw new CredentialsRejectedError(operation)
      if (error instanceof CredentialsRejectedError && !breaker) await this.#open(hashOf(account), error)
      throw error
    }
  }

  #runForService<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    return this.#service.execute(work).catch((error: unknown) => {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new ServiceUnavailableError(operation, 'resting', { sent: false })
    })
  }

  async #open(key: string, error: CredentialsRejectedError): Promise<void> {
    const breaker = circuitBreaker(handleType(CredentialsRejectedError), {
      halfOpenAfter: this.#halfOpenAfter,
      breaker: new ConsecutiveBreaker(1),
    })
    this.#credentials.set(key, breaker)
    // A breaker opens by a failure that it sees.
    await breaker.execute(() => Promise.reject(error)).catch(() => {})
  }
}

function hashOf({ tenant, credentials }: Account): string {
  return hash('sha256', `${tenant}\n${credentials.key}\n${credentials.secret}`, 'base64url')
}
