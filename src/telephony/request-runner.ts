import { Deadline } from '../util/deadline.ts'
import type { Milliseconds } from '../util/units.ts'
import type { CircuitBreakers } from './circuit-breakers.ts'
import {
  type Operation,
  type RequestOutcome,
  ServiceUnavailableError,
  TelephonyError,
  TooManyWaitingError,
} from './errors.ts'
import { type ServiceRequest, toQueryString } from './operations.ts'
import { withRetries } from './retry.ts'
import type { Slots } from './slots.ts'
import type { ServiceResponse, Transport } from './transport.ts'
import type { Account } from './types.ts'

/** One try, without anything that is secret or anybody's. */
export interface RequestReport {
  readonly operation: Operation
  readonly outcome: RequestOutcome
  readonly ms: Milliseconds
  /** Counts from 1. */
  readonly attempt: number
}

/** With less time left than this, nothing is sent that could not be answered in time. */
const minRemainingMs: Milliseconds = 10

/** Runs requests in their tenant's slots, within a deadline, behind the circuit breakers. */
export class RequestRunner {
  readonly #options
  /** Reads in flight, by tenant, operation and query string. */
  readonly #reads = new Map<string, Promise<ServiceResponse>>()

  /** @param options.onRequest called after each try; must not throw */
  constructor(options: {
    transport: Transport
    slots: Slots
    circuitBreakers: CircuitBreakers
    timeoutMs: Milliseconds
    maxRetries: number
    onRequest: (report: RequestReport) => void
  }) {
    this.#options = options
  }

  /**
   * Tries again where that may help. Identical reads in flight at the same time are one request.
   * @throws {TelephonyError}
   */
  read(account: Account, request: ServiceRequest): Promise<ServiceResponse> {
    const { operation } = request
    const queryString = toQueryString(account.credentials, request)
    const key = `${account.tenant} ${operation} ${queryString}`
    const inFlight = this.#reads.get(key)
    if (inFlight) return inFlight
    const { maxRetries } = this.#options
    const read = this.#run(account, operation, queryString, maxRetries).finally(() => this.#reads.delete(key))
    this.#reads.set(key, read)
    return read
  }

  /** Never tries again, and never shares what comes back. @throws {TelephonyError} */
  sendOnce(account: Account, request: ServiceRequest): Promise<ServiceResponse> {
    return this.#run(account, request.operation, toQueryString(account.credentials, request), 0)
  }

  /** Whoever holds a slot came earlier and is over earlier, so the queue for the slots needs no deadline of its own. */
  async #run(
    account: Account,
    operation: Operation,
    queryString: string,
    maxRetries: number,
  ): Promise<ServiceResponse> {
    const { transport, slots, circuitBreakers, timeoutMs } = this.#options
    const deadline = new Deadline(timeoutMs)
    const send = () => transport.send(operation, queryString, deadline)
    const attempt = (number: number) =>
      this.#report(operation, number, () => circuitBreakers.run(account, operation, send))
    try {
      const running = slots.run(account.tenant, () => {
        if (deadline.remainingMs() < minRemainingMs) {
          throw new ServiceUnavailableError(operation, 'timeout', { sent: false })
        }
        return withRetries(attempt, { maxRetries, deadline })
      })
      if (running === undefined) throw new TooManyWaitingError(operation)
      return await running
    } finally {
      deadline.clear()
    }
  }

  async #report<T>(operation: Operation, attempt: number, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    let outcome: RequestOutcome = 'ok'
    try {
      return await work()
    } catch (error) {
      outcome = error instanceof TelephonyError ? error.outcome : 'connection'
      throw error
    } finally {
      this.#options.onRequest({ operation, outcome, ms: performance.now() - start, attempt })
    }
  }
}
