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

/**
 * Whether anything may be sent to one address of the service: a circuit breaker opens where the service keeps failing, and a
 * pair of key and secret that it refuses is not sent again for a while. Half-open, the breaker lets one request try, and the
 * others wait for what becomes of it.
 */
export class CircuitBreakers {
  readonly #service: CircuitBreakerPolicy
  readonly #refused

  constructor(halfOpenAfterMs: Milliseconds) {
    // Half-open, what is cancelled says nothing of the service: it stays as it was, for another while.
    const isCancelledTrial = (error: unknown) =>
      error instanceof CancelledError && this.#service.state === CircuitState.HalfOpen
    const breaker = new ConsecutiveBreaker(failuresInARow)
    this.#service = circuitBreaker(
      handleWhen((error) => isServiceFailure(error) || isCancelledTrial(error)),
      { halfOpenAfter: halfOpenAfterMs, breaker },
    )
    // A trial that one account's own refusal ended closes it, and would leave the failures of before to be counted on.
    this.#service.onReset(() => breaker.success())
    this.#refused = new BoundedMap<true>({ max: 10_000, ttlMs: halfOpenAfterMs })
  }

  /** Whether the service's breaker is open or half-open. */
  get isOpen(): boolean {
    return this.#service.state !== CircuitState.Closed
  }

  /**
   * @throws {ServiceUnavailableError} with the reason `resting` where the breaker is open, {CredentialsRejectedError} where
   * they were refused a moment ago, and whatever the work throws
   */
  async run<T>(account: Account, operation: Operation, work: () => Promise<T>): Promise<T> {
    if (this.#refused.size > 0 && !account.isTrial && this.#refused.get(hashOf(account)))
      throw new CredentialsRejectedError(operation)
    try {
      const result = await this.#service.execute(work)
      if (account.isTrial) this.#refused.delete(hashOf(account))
      return result
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new ServiceUnavailableError(operation, 'resting', { sent: false })
      if (error instanceof CredentialsRejectedError) this.#refused.set(hashOf(account), true)
      throw error
    }
  }
}

const hashOf = ({ tenant, credentials }: Account): string =>
  hash('sha256', `${tenant}\n${credentials.key}\n${credentials.secret}`, 'base64url')
