import { hash } from 'node:crypto'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel'
import { BoundedMap } from '../util/bounded-map.ts'
import { CancelledError } from '../util/send-request.ts'
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

/** Opens after so many failures in a row; half-open, it lets one request try, and the others wait for what becomes of it. */
function breakerOf(
  failures: number,
  halfOpenAfter: Milliseconds,
  isFailure: (error: unknown) => boolean,
): CircuitBreakerPolicy {
  const breaker: CircuitBreakerPolicy = circuitBreaker(
    // Half-open, what is cancelled says nothing of the service: it stays as it was, for another while.
    handleWhen(
      (error) =>
        isFailure(error) || (error instanceof CancelledError && breaker.state === CircuitState.HalfOpen),
    ),
    { halfOpenAfter, breaker: new ConsecutiveBreaker(failures) },
  )
  return breaker
}

/**
 * The circuit breakers of one address of the service: one that opens where the service keeps failing, and one for each pair
 * of key and secret that it refuses. An open one sends nothing.
 */
export class CircuitBreakers {
  readonly #halfOpenAfterMs
  readonly #service
  /** Only pairs that were refused are in it. */
  readonly #credentials = new BoundedMap<CircuitBreakerPolicy>({ max: 10_000, ttlMs: 10 * 60_000 })

  constructor(halfOpenAfterMs: Milliseconds) {
    this.#halfOpenAfterMs = halfOpenAfterMs
    this.#service = breakerOf(failuresInARow, halfOpenAfterMs, isServiceFailure)
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
    const send = () => this.#runForService(operation, work)
    try {
      const result = await (breaker ? breaker.execute(send) : send())
      if (key !== undefined && breaker) this.#credentials.delete(key)
      if (account.isTrial) this.#credentials.delete(hashOf(account))
      return result
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw new CredentialsRejectedError(operation)
      if (error instanceof CredentialsRejectedError && !breaker) this.#refuse(hashOf(account), error)
      throw error
    }
  }

  async #runForService<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#service.execute(work)
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new ServiceUnavailableError(operation, 'resting', { sent: false })
    }
  }

  /** The first failure opens it. */
  #refuse(key: string, error: CredentialsRejectedError): void {
    const breaker = breakerOf(1, this.#halfOpenAfterMs, (one) => one instanceof CredentialsRejectedError)
    this.#credentials.set(key, breaker)
    breaker.execute(() => Promise.reject(error)).catch(() => {})
  }
}

const hashOf = ({ tenant, credentials }: Account): string =>
  hash('sha256', `${tenant}\n${credentials.key}\n${credentials.secret}`, 'base64url')
