import { CancelledError, Deadline } from '../util/send-request.ts'
import type { Milliseconds } from '../util/units.ts'
import { untilAborted } from '../util/with-timeout.ts'
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
  readonly outcome: RequestOutcome | 'cancelled'
  readonly ms: Milliseconds
  /** Counts from 1. */
  readonly attempt: number
}

function outcomeOf(error: unknown): RequestReport['outcome'] {
  if (error instanceof CancelledError) return 'cancelled'
  return error instanceof TelephonyError ? error.outcome : 'connection'
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

  /**
   * One try, while another slot of the tenant stays idle for people; neither joined with other reads nor tried again.
   * @throws {TelephonyError}, and the signal's reason as soon as it is aborted
   */
  readInBackground(
    account: Account,
    request: ServiceRequest,
    { attempt, signal }: { attempt: number; signal: AbortSignal },
  ): Promise<ServiceResponse> {
    const { transport, slots, circuitBreakers, timeoutMs } = this.#options
    const { operation } = request
    const queryString = toQueryString(account.credentials, request)
    const read = async () => {
      signal.throwIfAborted()
      // Nobody waits for it: the time in the line doesn't count.
      const deadline = new Deadline(timeoutMs)
      const send = () => transport.send(operation, queryString, deadline)
      const reported = () =>
        this.#report(operation, attempt, () => circuitBreakers.run(account, operation, send))
      try {
        return await untilAborted(reported(), signal)
      } finally {
        deadline.cancel()
      }
    }
    return slots.runInBackground(account.tenant, read, signal)
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
    let outcome: RequestReport['outcome'] = 'ok'
    try {
      return await work()
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      this.#options.onRequest({ operation, outcome, ms: performance.now() - start, attempt })
    }
  }
}
