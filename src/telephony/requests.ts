import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import {
  Deadline,
  DeadlineError,
  getErrorCode,
  type HttpResponse,
  isUnsent,
  sendRequest,
} from '../util/send-request.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import {
  type Account,
  CredentialsRejectedError,
  type Operation,
  RateLimitedError,
  type RequestOutcome,
  RequestRefusedError,
  ServiceUnavailableError,
  TelephonyError,
  type UnavailableReason,
} from './types.ts'
import { endpoints, envelopeSchema, type ServiceRequest, toQueryString } from './wire.ts'

const PRIORITIES = ['people', 'background'] as const
type Priority = (typeof PRIORITIES)[number]

/** Work of one tenant: the number of running tasks, and callbacks that start the waiting ones. */
class Lane {
  readonly running = { people: 0, background: 0 }
  readonly waiting = { people: new Set<() => void>(), background: new Set<() => void>() }
}

/**
 * Limits how much work of a tenant runs at a time: people's first, and background work never in the last slot. Tenants don't
 * wait for each other.
 */
export class Slots {
  readonly #maxConcurrent
  /** Tenants without work have no lane. */
  readonly #lanes = new Map<string, Lane>()

  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent
  }

  get tenants(): number {
    return this.#lanes.size
  }

  /** Counts people's work that waits. */
  waiting(): number {
    return this.#lanes.values().reduce((sum, { waiting }) => sum + waiting.people.size, 0)
  }

  /** Counts the slots that people could have soon: the idle ones, and those in the background. */
  idle(tenant: string): number {
    return this.#maxConcurrent - (this.#lanes.get(tenant)?.running.people ?? 0)
  }

  /** Runs the work once the tenant has a slot for it. @throws {DeadlineError} if the deadline ends the wait */
  async run<T>(
    tenant: string,
    work: () => Promise<T>,
    { isBackground = false, deadline }: { isBackground?: boolean; deadline?: Deadline } = {},
  ): Promise<T> {
    const priority = isBackground ? 'background' : 'people'
    const lane = this.#lanes.get(tenant) ?? new Lane()
    this.#lanes.set(tenant, lane)
    if (!this.#takeSlot(lane, priority)) await waitForTurn(lane.waiting[priority], deadline)
    try {
      return await work()
    } finally {
      lane.running[priority] -= 1
      // Reserves the slot for the next work before that runs.
      const next = PRIORITIES.find((one) => lane.waiting[one].size > 0 && this.#takeSlot(lane, one))
      if (next) lane.waiting[next].values().next().value?.()
      else if (lane.running.people + lane.running.background === 0) this.#lanes.delete(tenant)
    }
  }

  #takeSlot({ running }: Lane, priority: Priority): boolean {
    const maxInBackground = Math.max(1, this.#maxConcurrent - 1)
    const isFree = running.people + running.background < this.#maxConcurrent
    const hasSlot = isFree && (priority === 'people' || running.background < maxInBackground)
    if (hasSlot) running[priority] += 1
    return hasSlot
  }
}

/** @throws {DeadlineError} */
function waitForTurn(waiting: Set<() => void>, deadline: Deadline | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      waiting.delete(start)
      deadline?.whenOver(undefined)
      resolve()
    }
    waiting.add(start)
    deadline?.whenOver(() => {
      waiting.delete(start)
      reject(new DeadlineError('UNSENT'))
    })
  })
}

const MAX_BACKOFF_MS: Milliseconds = 2000

const MAX_RETRY_AFTER_MS: Milliseconds = 365 * 86_400_000

/** RFC 9110, 5.6.7: the three formats of an HTTP date, all of which begin with a weekday. `Date.parse` also accepts `-5`. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/

/** Parses seconds or an HTTP date. */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now: EpochMs,
): Milliseconds | undefined {
  const text = Array.isArray(value) ? value[0] : value
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS)
  if (!HTTP_DATE.test(text)) return undefined
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MAX_RETRY_AFTER_MS)
}

interface RetryPolicy {
  readonly maxRetries: number
  /** If the service asks for a longer wait, there is no retry. */
  readonly maxWaitMs: Milliseconds
  /** Also retries after a timeout, and while the circuit breaker is open. */
  readonly isPatient?: boolean
  /** Marks a background request, whose tries each have their own deadline, and cancels it. */
  readonly signal?: AbortSignal | undefined
}

/** For operations that must not be carried out twice. */
export const NO_RETRIES: RetryPolicy = { maxRetries: 0, maxWaitMs: 0 }
/** For people, who wait for the response. */
export const FEW_RETRIES: RetryPolicy = { maxRetries: 2, maxWaitMs: 2000 }
/** For background work: eight retries last longer than the circuit breaker stays open. */
export const PATIENT_RETRIES: RetryPolicy = { maxRetries: 8, maxWaitMs: 60_000, isPatient: true }

function isTransient(error: unknown, isPatient: boolean): boolean {
  if (!(error instanceof ServiceUnavailableError)) return error instanceof RateLimitedError
  const { reason, status = 0 } = error
  if (reason === 'timeout' || reason === 'resting') return isPatient
  return reason === 'connection' || reason === 'not-json' || status >= 500
}

/** Returns `undefined` if a retry would not help. */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  { maxRetries, maxWaitMs, isPatient = false }: RetryPolicy,
  backoffMs: Milliseconds,
): Milliseconds | undefined {
  if (attempt > maxRetries || !isTransient(error, isPatient)) return undefined
  const { retryAfterMs = 0 } = error instanceof RateLimitedError ? error : {}
  if (retryAfterMs > maxWaitMs) return undefined
  const ownMs = backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random())
  return Math.max(retryAfterMs, Math.min(ownMs, MAX_BACKOFF_MS))
}

export interface ServiceResponse {
  readonly result: readonly unknown[]
  readonly total: unknown
}

/** Describes one try, without secrets. */
export interface RequestReport {
  readonly operation: Operation
  readonly outcome: RequestOutcome | 'cancelled'
  readonly ms: Milliseconds
  /** Counts from 1. */
  readonly attempt: number
}

export interface RequestOptions {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  /** Closed by its owner. */
  readonly dispatcher: Dispatcher
  /** Limit of a person's request with its retries and waits, and of one try in the background. */
  readonly timeoutMs?: Milliseconds
  readonly backoffMs?: Milliseconds
  /** How long the circuit breaker stays open. */
  readonly restMs?: Milliseconds
}

const SLOTS_PER_TENANT = 4

/** With less time left, nothing is sent: the response would come too late. */
const MIN_REMAINING_MS: Milliseconds = 10

const MAX_FAILURES = 10

/**
 * Opens for a while after ten failures in a row. After that, one more failure opens it again, and a success resets the
 * count.
 */
export class CircuitBreaker {
  readonly #restMs
  #failures = 0
  #openUntil = 0

  constructor(restMs: Milliseconds) {
    this.#restMs = restMs
  }

  get isOpen(): boolean {
    return performance.now() < this.#openUntil
  }

  addFailure(): void {
    this.#failures += 1
    if (this.#failures >= MAX_FAILURES) this.#openUntil = performance.now() + this.#restMs
  }

  /** Closes the circuit: the service responded. */
  reset(): void {
    this.#failures = 0
    this.#openUntil = 0
  }
}

/** Sends requests: waits for a slot of the tenant, sends, decodes the response and retries. */
export class Requests {
  readonly slots = new Slots(SLOTS_PER_TENANT)
  readonly breaker
  readonly #dispatcher
  readonly #origin
  readonly #basePath
  readonly #timeoutMs
  readonly #backoffMs
  readonly #onRequest

  constructor(options: RequestOptions, onRequest: (report: RequestReport) => void) {
    const { origin, pathname } = new URL(options.baseUrl)
    this.#dispatcher = options.dispatcher
    this.#origin = origin
    this.#basePath = pathname.replace(/\/+$/, '')
    this.#timeoutMs = options.timeoutMs ?? 8000
    this.#backoffMs = options.backoffMs ?? 100
    this.breaker = new CircuitBreaker(options.restMs ?? 5000)
    this.#onRequest = onRequest
  }

  /** Sends a request, and again if that may help. @throws {TelephonyError}, and the signal's reason */
  async run(account: Account, request: ServiceRequest, policy: RetryPolicy): Promise<ServiceResponse> {
    const { signal } = policy
    const deadline = signal ? undefined : new Deadline(this.#timeoutMs)
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#attempt(account, request, attempt, deadline ?? signal)
        } catch (error) {
          signal?.throwIfAborted()
          const waitMs = waitBeforeRetry(error, attempt, policy, this.#backoffMs)
          // A wait that outlasts the deadline would turn the error into a timeout, which says less.
          if (waitMs === undefined || (deadline && waitMs >= deadline.remainingMs())) throw error
          await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
        }
      }
    } finally {
      deadline?.clear()
    }
  }

  /** @param limit The deadline of all tries, or the signal of a background request. */
  async #attempt(
    account: Account,
    request: ServiceRequest,
    attempt: number,
    limit: Deadline | AbortSignal | undefined,
  ): Promise<ServiceResponse> {
    const { operation } = request
    const isBackground = !(limit instanceof Deadline)
    const deadline = isBackground ? new Deadline(undefined, limit) : limit
    let start = performance.now()
    let outcome: RequestReport['outcome'] = 'ok'
    const send = () => {
      start = performance.now()
      if (isBackground) deadline.start(this.#timeoutMs)
      return this.#send(operation, toQueryString(account.credentials, request), deadline)
    }
    try {
      return await this.slots.run(account.tenant, send, { isBackground, deadline })
    } catch (cause) {
      const error = cause instanceof TelephonyError ? cause : transportError(operation, cause)
      outcome = deadline.isCancelled ? 'cancelled' : error.outcome
      throw error
    } finally {
      if (isBackground) deadline.clear()
      this.#onRequest({ operation, outcome, ms: performance.now() - start, attempt })
    }
  }

  /** Sends once. Redirects are not followed: they would carry key and secret elsewhere. */
  async #send(operation: Operation, queryString: string, deadline: Deadline): Promise<ServiceResponse> {
    if (deadline.isOver || deadline.remainingMs() < MIN_REMAINING_MS) throw new DeadlineError('UNSENT')
    if (this.breaker.isOpen) throw new ServiceUnavailableError(operation, 'resting', { sent: false })
    const { method, path } = endpoints[operation]
    const request = { origin: this.#origin, path: `${this.#basePath}${path}?${queryString}`, method }
    let response: HttpResponse
    try {
      response = await sendRequest(this.#dispatcher, request, { deadline, readsBody: isOk })
    } catch (cause) {
      if (!deadline.isCancelled && !isTooLarge(cause)) this.breaker.addFailure()
      throw cause
    }
    // Any other response, such as a 401, proves that the service is up.
    if (response.status >= 500) this.breaker.addFailure()
    else this.breaker.reset()
    if (!isOk(response.status)) throw statusError(operation, 'status', response.status, response)
    return parseResponse(operation, response)
  }
}

/** The body of any other status is ignored. */
const isOk = (status: number) => status === 200

const isTooLarge = (cause: unknown) => getErrorCode(cause) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

function transportError(operation: Operation, cause: unknown): ServiceUnavailableError {
  const reason = isTooLarge(cause) ? 'envelope' : 'connection'
  return new ServiceUnavailableError(operation, cause instanceof DeadlineError ? 'timeout' : reason, {
    // Keeps the code only: the message may contain the URL, and with it key and secret.
    cause: new Error(getErrorCode(cause)),
    sent: !isUnsent(cause),
  })
}

/** Returns the error for HTTP's status, or for the one inside the envelope. */
function statusError(
  operation: Operation,
  reason: UnavailableReason,
  status: number,
  { headers }: HttpResponse,
): TelephonyError {
  if (status === 401) return new CredentialsRejectedError(operation)
  if (status === 400) return new RequestRefusedError(operation)
  if (status !== 429) return new ServiceUnavailableError(operation, reason, { status })
  return new RateLimitedError(operation, parseRetryAfter(headers['retry-after'], Date.now()))
}

function parseResponse(operation: Operation, response: HttpResponse): ServiceResponse {
  const { maxRecords = Infinity, maxLength = Infinity } = endpoints[operation]
  if (response.text.length > maxLength) throw new ServiceUnavailableError(operation, 'envelope')
  let json: unknown
  try {
    json = JSON.parse(response.text)
  } catch {
    // The parser's message quotes the body, which doesn't belong in logs.
    throw new ServiceUnavailableError(operation, 'not-json')
  }
  const { data } = envelopeSchema.safeParse(json)
  if (!data) throw new ServiceUnavailableError(operation, 'envelope')
  const { result, total_record: total } = data
  const status = Number(data.status)
  if (isOk(status) && Array.isArray(result) && result.length <= maxRecords) return { result, total }
  throw statusError(operation, 'envelope', status, response)
}
