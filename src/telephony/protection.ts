import { createHash } from 'node:crypto'
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
import { CredentialsRejectedError, type Operation, ServiceUnavailableError } from './errors.ts'
import type { Account } from './types.ts'

/**
 * Gives a service that keeps failing a rest, and one that refuses a pair of key and secret a rest from that pair. After the
 * rest one request tries, and the others wait for what becomes of it.
 */
export interface Protection {
  /** @throws {ServiceUnavailableError} with the reason `resting`, {CredentialsRejectedError}, and whatever the work throws */
  run<T>(account: Account, operation: Operation, work: () => Promise<T>): Promise<T>
  /** Whether the service is given a rest now. */
  readonly isResting: boolean
}

const failuresInARow = 10

/** The service's own trouble, rather than that of one account. */
function isTrouble(error: unknown): boolean {
  if (!(error instanceof ServiceUnavailableError)) return false
  const { reason, status = 0, sent } = error
  // A time-out before anything was sent is a long line's, not the service's.
  return reason === 'connection' || (reason === 'timeout' && sent) || (reason === 'status' && status >= 500)
}

/** One for each address of the service. */
export function createProtection({ restMs }: { restMs: number }): Protection {
  const service = circuitBreaker(handleWhen(isTrouble), {
    halfOpenAfter: restMs,
    breaker: new ConsecutiveBreaker(failuresInARow),
  })
  // Only pairs that were refused are in it.
  const refused = new BoundedMap<CircuitBreakerPolicy>({
    max: 10_000,
    ttlMs: 10 * 60_000,
    now: Date.now,
  })
  const keyOf = ({ tenant, credentials }: Account) =>
    createHash('sha256').update(`${tenant}\n${credentials.key}\n${credentials.secret}`).digest('base64url')

  async function restPair(key: string, error: CredentialsRejectedError): Promise<void> {
    const pair = circuitBreaker(handleType(CredentialsRejectedError), {
      halfOpenAfter: restMs,
      breaker: new ConsecutiveBreaker(1),
    })
    refused.set(key, pair)
    await pair.execute(() => Promise.reject(error)).catch(() => {})
  }

  const ofService = <T>(operation: Operation, work: () => Promise<T>) =>
    service.execute(work).catch((error: unknown) => {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new ServiceUnavailableError(operation, 'resting', { sent: false })
    })

  return {
    async run(account, operation, work) {
      const key = account.isTrial || refused.size === 0 ? undefined : keyOf(account)
      const pair = key === undefined ? undefined : refused.get(key)
      try {
        const result = await (pair
          ? pair.execute(() => ofService(operation, work))
          : ofService(operation, work))
        if (key !== undefined && pair) refused.delete(key)
        return result
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw new CredentialsRejectedError(operation)
        if (error instanceof CredentialsRejectedError && !pair) await restPair(keyOf(account), error)
        throw error
      }
    },
    get isResting() {
      return service.state !== CircuitState.Closed
    },
  }
}
