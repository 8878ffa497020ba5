import type { Dispatcher } from 'undici'
import {
  CancelledError,
  codeOf,
  type Deadline,
  type HttpResponse,
  sendRequest,
} from '../util/send-request.ts'
import type { Milliseconds } from '../util/units.ts'
import { CircuitBreakers } from './circuit-breakers.ts'
import {
  CredentialsRejectedError,
  type Operation,
  RateLimitedError,
  type RequestOutcome,
  RequestRefusedError,
  ServiceUnavailableError,
  TelephonyError,
} from './errors.ts'
import { endpoints, type ServiceRequest, toQueryString } from './operations.ts'
import { parseRetryAfter } from './retry.ts'
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

/** Any other status says all. */
const readsBody = (status: number) => status === 200

/** Sends requests to one address of the service, behind its circuit breakers. */
export class Requests {
  readonly #dispatcher
  readonly #origin
  readonly #basePath
  readonly #circuitBreakers
  readonly #onRequest

  /** @param options.onRequest called after each try; must not throw */
  constructor(options: {
    baseUrl: string
    dispatcher: Dispatcher
    halfOpenAfterMs: Milliseconds
    onRequest: (report: RequestReport) => void
  }) {
    const { origin, pathname } = new URL(options.baseUrl)
    this.#dispatcher = options.dispatcher
    this.#origin = origin
    this.#basePath = pathname.replace(/\/+$/, '')
    this.#circuitBreakers = new CircuitBreakers(options.halfOpenAfterMs)
    this.#onRequest = options.onRequest
  }

  /** Whether the service failed so often that its circuit breaker is open or half-open. */
  get isCircuitOpen(): boolean {
    return this.#circuitBreakers.isOpen
  }

  /** One try. @throws {TelephonyError}, {CancelledError} where the deadline was cancelled */
  async send(
    account: Account,
    request: ServiceRequest,
    { attempt, deadline }: { attempt: number; deadline: Deadline },
  ): Promise<ServiceResponse> {
    const { operation } = request
    const start = performance.now()
    let outcome: RequestReport['outcome'] = 'ok'
    try {
      const send = () => this.#send(operation, toQueryString(account.credentials, request), deadline)
      return await this.#circuitBreakers.run(account, operation, send)
    } catch (error) {
      outcome = outcomeOf(error)
      throw error
    } finally {
      this.#onRequest({ operation, outcome, ms: performance.now() - start, attempt })
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
      const { status, headers, text } = await sendRequest(this.#dispatcher, request, {
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
