import type { Dispatcher } from 'undici'
import { CancelledError, codeOf, Deadline, type HttpResponse, sendRequest } from '../util/send-request.ts'
import type { Milliseconds } from '../util/units.ts'
import type { CircuitBreakers } from './circuit-breakers.ts'
import {
  CredentialsRejectedError,
  type Operation,
  RateLimitedError,
  type RequestOutcome,
  RequestRefusedError,
  ServiceUnavailableError,
  TelephonyError,
  TooManyWaitingError,
} from './errors.ts'
import { endpoints, type ServiceRequest, toQueryString } from './operations.ts'
import { parseRetryAfter, withRetries } from './retry.ts'
import type { Slots } from './slots.ts'
import type { Account } from './types.ts'
import { envelope } from './wire.ts'

/** What every operation responds with, its envelope checked. */
export interface ServiceResponse {
  readonly result: readonly unknown[]
  readonly total: unknown
}

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

/** Any other status says all. */
const readsBody = (status: number) => status === 200

/** Sends requests to one address of the service: in their tenant's slots, within a deadline, behind the circuit breakers. */
export class Requests {
  readonly #options
  readonly #origin
  readonly #basePath
  /** Reads in flight, by tenant, operation and query string. */
  readonly #reads = new Map<string, Promise<ServiceResponse>>()

  /** @param options.onRequest called after each try; must not throw */
  constructor(options: {
    baseUrl: string
    dispatcher: Dispatcher
    slots: Slots
    circuitBreakers: CircuitBreakers
    timeoutMs: Milliseconds
    maxRetries: number
    backoffMs: Milliseconds
    onRequest: (report: RequestReport) => void
  }) {
    const { origin, pathname } = new URL(options.baseUrl)
    this.#options = options
    this.#origin = origin
    this.#basePath = pathname.replace(/\/+$/, '')
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
    const { slots, timeoutMs } = this.#options
    const queryString = toQueryString(account.credentials, request)
    const read = async () => {
      // Nobody waits for it: the time in the queue doesn't count.
      const deadline = new Deadline(timeoutMs)
      const cancel = () => deadline.cancel()
      signal.addEventListener('abort', cancel, { once: true })
      try {
        return await this.#attempt(account, request.operation, queryString, { attempt, deadline })
      } finally {
        signal.removeEventListener('abort', cancel)
        deadline.clear()
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
    const { slots, timeoutMs, backoffMs } = this.#options
    const deadline = new Deadline(timeoutMs)
    const attempt = (number: number) =>
      this.#attempt(account, operation, queryString, { attempt: number, deadline })
    try {
      const running = slots.run(account.tenant, async () => {
        if (deadline.remainingMs() < minRemainingMs) {
          throw new ServiceUnavailableError(operation, 'timeout', { sent: false })
        }
        return withRetries(attempt, { maxRetries, backoffMs, deadline })
      })
      if (running === undefined) throw new TooManyWaitingError(operation)
      return await running
    } finally {
      deadline.clear()
    }
  }

  async #attempt(
    account: Account,
    operation: Operation,
    queryString: string,
    { attempt, deadline }: { attempt: number; deadline: Deadline },
  ): Promise<ServiceResponse> {
    const { circuitBreakers, onRequest } = this.#options
    const start = performance.now()
    let outcome: RequestReport['outcome'] = 'ok'
    try {
      const send = () => this.#send(operation, queryString, deadline)
      return await circuitBreakers.run(account, operation, send)
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      onRequest({ operation, outcome, ms: performance.now() - start, attempt })
    }
  }

  /**
   * A redirect is not followed: it would carry key and secret elsewhere.
   * @param queryString with key and secret
   * @throws {TelephonyError}, {CancelledError} where the deadline was cancelled
   */
  async #send(operation: Operation, queryString: string, deadline: Deadline): Promise<ServiceResponse> {
    const { method, path } = endpoints[operation]
    try {
      deadline.throwIfCancelled()
      const request = {
        origin: this.#origin,
        path: `${this.#basePath}${path}?${queryString}`,
        method,
      }
      const { status, headers, text } = await sendRequest(this.#options.dispatcher, request, {
        deadline,
        readsBody,
      })
      if (status === 200) return parseBody(operation, text, headers)
      throw (
        statusError(operation, status, headers) ??
        new ServiceUnavailableError(operation, 'status', { status })
      )
    } catch (cause) {
      deadline.throwIfCancelled()
      throw cause instanceof TelephonyError ? cause : transportError(operation, cause, deadline)
    }
  }
}

/** Transport errors that come before a request is on the wire. */
const beforeSending = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

function transportError(operation: Operation, cause: unknown, deadline: Deadline): ServiceUnavailableError {
  const code = codeOf(cause)
  // Only the code goes on: an error of the transport may hold the URL, and with it key and secret.
  const options = { cause: new Error(code), sent: !beforeSending.has(code) }
  if (deadline.isOver) return new ServiceUnavailableError(operation, 'timeout', options)
  const reason = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'envelope' : 'connection'
  return new ServiceUnavailableError(operation, reason, options)
}

/** The error that a status other than 200 stands for, be it HTTP's or the one inside the envelope. */
function statusError(
  operation: Operation,
  status: number,
  headers: HttpResponse['headers'],
): TelephonyError | undefined {
  if (status === 401) return new CredentialsRejectedError(operation)
  if (status === 400) return new RequestRefusedError(operation)
  if (status !== 429) return undefined
  return new RateLimitedError(operation, parseRetryAfter(headers['retry-after'], Date.now()))
}

function parseBody(operation: Operation, text: string, headers: HttpResponse['headers']): ServiceResponse {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which is nobody's business in a log.
    throw new ServiceUnavailableError(operation, 'not-json')
  }
  const parsed = envelope.safeParse(json)
  if (!parsed.success) throw new ServiceUnavailableError(operation, 'envelope')
  const { result, total_record } = parsed.data
  const status = Number(parsed.data.status)
  const { mostRecords = Number.POSITIVE_INFINITY } = endpoints[operation]
  if (status === 200 && Array.isArray(result) && result.length <= mostRecords)
    return { result, total: total_record }
  throw (
    statusError(operation, status, headers) ?? new ServiceUnavailableError(operation, 'envelope', { status })
  )
}
