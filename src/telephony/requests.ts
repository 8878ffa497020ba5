import { hash } from 'node:crypto'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel'
import type { Dispatcher } from 'undici'
import { BoundedMap } from '../util/bounded-map.ts'
import {
  CancelledError,
  codeOf,
  type Deadline,
  type HttpResponse,
  isUnsent,
  sendRequest,
} from '../util/send-request.ts'
import type { Milliseconds } from '../util/units.ts'
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

const failuresInARow = 10

/** The service's own failure, rather than one of a single account's. */
function isServiceFailure(error: unknown): boolean {
  if (!(error instanceof ServiceUnavailableError)) return false
  const { reason, status = 0, sent } = error
  // A time-out before anything was sent is a long queue's, not the service's.
  return reason === 'connection' || (reason === 'timeout' && sent) || (reason === 'status' && status >= 500)
}

/** Whoever asked has no time left, or doesn't want it any more. */
const saysNothing = (error: unknown): boolean =>
  error instanceof CancelledError || (error instanceof ServiceUnavailableError && !error.sent)

function unsentError(operation: Operation, deadline: Deadline): CancelledError | ServiceUnavailableError {
  if (deadline.isCancelled) return new CancelledError('cancelled')
  return new ServiceUnavailableError(operation, 'timeout', { sent: false })
}

/**
 * Whether anything may be sent to one address of the service: a circuit breaker opens where the service keeps failing, and a
 * pair of key and secret that it refuses is not sent again for a while. Half-open, the breaker lets one request try, and the
 * others wait for what becomes of it, each until its own deadline.
 */
export class CircuitBreakers {
  readonly #service: CircuitBreakerPolicy
  readonly #refused

  constructor(halfOpenAfterMs: Milliseconds) {
    const breaker = new ConsecutiveBreaker(failuresInARow)
    // Half-open, what was not sent says nothing of the service: it stays as it was, for another while.
    const isNoTrial = (error: unknown) => this.#service.state === CircuitState.HalfOpen && saysNothing(error)
    this.#service = circuitBreaker(
      handleWhen((error) => isServiceFailure(error) || isNoTrial(error)),
      { halfOpenAfter: halfOpenAfterMs, breaker },
    )
    // A trial that one account's own refusal ended closes it, and would leave the failures of before to be counted on.
    this.#service.onReset(() => breaker.success())
    this.#refused = new BoundedMap<true>({ max: 10_000, ttlMs: halfOpenAfterMs })
  }

  get isOpen(): boolean {
    return this.#service.state !== CircuitState.Closed
  }

  /**
   * @throws {ServiceUnavailableError} with the reason `resting` where the breaker is open, {CredentialsRejectedError} where
   * they were refused a moment ago, and whatever the work throws
   */
  async run<T>(
    account: Account,
    operation: Operation,
    work: () => Promise<T>,
    deadline: Deadline,
  ): Promise<T> {
    if (this.#refused.size > 0 && !account.isTrial && this.#refused.get(hashOf(account)))
      throw new CredentialsRejectedError(operation)
    try {
      const isTrialOn = this.#service.state === CircuitState.HalfOpen
      const running = this.#service.execute(work)
      const result = await (isTrialOn ? untilOver(running, operation, deadline) : running)
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

const untilOver = <T>(waiting: Promise<T>, operation: Operation, deadline: Deadline): Promise<T> =>
  new Promise((resolve, reject) => {
    deadline.whenOver(() => reject(unsentError(operation, deadline)))
    waiting.then(resolve, reject)
  })

const hashOf = ({ tenant, credentials }: Account): string =>
  hash('sha256', `${tenant}\n${credentials.key}\n${credentials.secret}`, 'base64url')

/** With less time left than this, nothing is sent that could not be answered in time. */
const minRemainingMs: Milliseconds = 10

export class Requests {
  readonly #dispatcher
  readonly #origin
  readonly #basePath
  readonly #circuitBreakers
  readonly #onRequest

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
      return await this.#circuitBreakers.run(account, operation, send, deadline)
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
    if (deadline.isCancelled || deadline.remainingMs() < minRemainingMs)
      throw unsentError(operation, deadline)
    try {
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
      if (deadline.isCancelled) throw new CancelledError('cancelled')
      throw cause instanceof TelephonyError ? cause : transportError(operation, cause, deadline)
    }
  }
}

function transportError(operation: Operation, cause: unknown, deadline: Deadline): ServiceUnavailableError {
  const code = codeOf(cause)
  // Only the code goes on: an error of the transport may hold the URL, and with it key and secret.
  const options = { cause: new Error(code), sent: !isUnsent(cause) }
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
