import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { createCache } from '../util/cache.ts'
import * as transport from '../util/send-request.ts'
import { limitWait, type Milliseconds } from '../util/units.ts'
import { Lane, type Priority, SLOTS_PER_TENANT } from './lane.ts'
import * as types from './types.ts'
import { endpoints, envelopeSchema, type ServiceParameters, toQueryString } from './wire.ts'

export interface RetryPolicy {
  readonly maxRetries: number
  /** If the service asks for a longer wait, there is no retry. */
  readonly maxWaitMs: Milliseconds
  /** Also retries after a timeout, and while the account rests. */
  readonly isPatient?: boolean
  /** Cancels a background request. Other requests have no signal, because people wait for them. */
  readonly signal?: AbortSignal | undefined
}

export const retries = {
  /** For operations that must not be carried out twice. */
  none: { maxRetries: 0, maxWaitMs: 0 },
  /** For people, who wait for the response. */
  few: { maxRetries: 2, maxWaitMs: 2000 },
  /** For background work: eight retries last longer than an account's rest. */
  patient: { maxRetries: 8, maxWaitMs: 60_000, isPatient: true },
} as const satisfies Record<string, RetryPolicy>

/** Parses seconds. Returns `undefined` for a date, so that the app's own wait counts. */
export function parseRetryAfter(value: string | string[] | undefined): Milliseconds | undefined {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return undefined
  return limitWait(Number(value) * 1000)
}

const MAX_BACKOFF_MS: Milliseconds = 2000

function mayRetry({ outcome, status = 0 }: types.TelephonyError, isPatient: boolean): boolean {
  if (outcome === 'timeout' || outcome === 'resting') return isPatient
  return outcome === 'rate-limited' || outcome === 'connection' || outcome === 'not-json' || status >= 500
}

/** Returns `undefined` if a retry would not help. @param attempt from 1 */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  { maxRetries, maxWaitMs, isPatient = false }: RetryPolicy,
  firstBackoffMs: Milliseconds,
): Milliseconds | undefined {
  if (!(error instanceof types.TelephonyError)) return undefined
  if (attempt > maxRetries || !mayRetry(error, isPatient)) return undefined
  const { retryAfterMs = 0 } = error
  if (retryAfterMs > maxWaitMs) return undefined
  // A random part keeps requests that failed together from being repeated together.
  const jitter = 0.5 + Math.random()
  const backoffMs = Math.min(firstBackoffMs * 2 ** (attempt - 1) * jitter, MAX_BACKOFF_MS)
  return Math.max(retryAfterMs, backoffMs)
}

export interface ServiceResponse {
  readonly result: readonly unknown[]
  readonly total: unknown
}

export interface RequestReport {
  readonly operation: types.Operation
  readonly outcome: types.RequestOutcome | 'cancelled'
  readonly ms: Milliseconds
  /** Counts from 1. */
  readonly attempt: number
}

/** `cancelled`: the consumer ended it. */
export type ReadReport = Pick<RequestReport, 'outcome' | 'ms'> & { readonly records: number }

export interface RequestOptions {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  /** Closed by its owner. */
  readonly dispatcher: Dispatcher
  /** Limit of a person's request including retries and waits, or of one attempt in the background. */
  readonly timeoutMs?: Milliseconds
  /** Wait before the first retry; doubles with each. */
  readonly backoffMs?: Milliseconds
  /** How long an account rests after `MAX_FAILURES`. */
  readonly restMs?: Milliseconds
}

/** Consecutive failures before an account rests (a circuit breaker: nothing is sent). Then, one more begins a new rest. */
const MAX_FAILURES = 10
const MAX_ACCOUNTS = 20_000

interface ServiceRequest {
  readonly account: types.Account
  readonly operation: types.Operation
  readonly policy: RetryPolicy
  /** The path contains key and secret. */
  readonly http: Dispatcher.DispatchOptions
  readonly priority: Priority
  /** The consumer's in the background, the time limit's for people. */
  readonly signal: AbortSignal
  /** A time of `performance.now()`; `Infinity` in the background, where each attempt has its own limit. */
  readonly deadline: number
}

function toReportedOutcome({ priority, signal }: ServiceRequest, error: types.TelephonyError) {
  const isCancelled = priority === 'background' && signal.aborted
  return isCancelled ? 'cancelled' : error.outcome
}

/** Base of `TelephonyClient`, which emits `read`. Emits `request` for each attempt; listeners must not throw. */
export class Requests extends EventEmitter<{ request: [RequestReport]; read: [ReadReport] }> {
  readonly #options
  readonly #base
  /** By tenant, so that tenants don't wait for each other. Those without requests have no lane. */
  readonly #lanes = new Map<string, Lane>()
  /** Consecutive failures by account: the service may fail for some accounts, and answer others. */
  readonly #failures = createCache<number>({ max: MAX_ACCOUNTS })
  readonly #resting

  constructor({ baseUrl, ...options }: RequestOptions) {
    super()
    this.#base = new URL(baseUrl.replace(/\/+$/, ''))
    this.#options = { timeoutMs: 8000, backoffMs: 100, restMs: 5000, ...options }
    // If the system's clock is set back, the rest doesn't last longer.
    const now = () => performance.now()
    this.#resting = createCache<true>({ max: MAX_ACCOUNTS, ttlMs: this.#options.restMs, now })
  }

  /** Number of people's requests that wait for a slot. */
  get waitingCount(): number {
    return this.#lanes.values().reduce((count, { waiting }) => count + waiting.people.size, 0)
  }

  get restingCount(): number {
    this.#resting.purgeStale()
    return this.#resting.size
  }

  /** Counts the slots that people's requests don't use. */
  countSlotsLeft(tenant: string): number {
    return SLOTS_PER_TENANT - (this.#lanes.get(tenant)?.inFlight.people ?? 0)
  }

  /** Redirects are not followed: they would carry key and secret elsewhere. @throws {TelephonyError} and the signal's reason */
  protected run(
    account: types.Account,
    operation: types.Operation,
    policy: RetryPolicy,
    parameters: ServiceParameters = {},
  ): Promise<ServiceResponse> {
    const query = toQueryString({ ...account.credentials, ...parameters })
    const { method, path } = endpoints[operation]
    const { origin, pathname } = this.#base
    const http = { origin, path: `${pathname}${path}?${query}`, method }
    const request = { account, operation, policy, http }
    const { signal } = policy
    // Only background work has a signal of its consumer. There, `#attempt` sets the time limit, not this method.
    if (signal)
      return this.#sendWithRetries({ ...request, priority: 'background', signal, deadline: Infinity })
    const { timeoutMs } = this.#options
    const deadline = performance.now() + timeoutMs
    const limit = new transport.TimeLimit(timeoutMs)
    return this.#sendWithRetries({ ...request, priority: 'people', signal: limit.signal, deadline }, limit)
  }

  /** @param limit of a person's request, cleared at the end */
  async #sendWithRetries(request: ServiceRequest, limit?: transport.TimeLimit): Promise<ServiceResponse> {
    const { policy, deadline } = request
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#attempt(request, attempt)
        } catch (error) {
          // Background only. When a person's time is over, the error of the attempt says so.
          policy.signal?.throwIfAborted()
          const waitMs = waitBeforeRetry(error, attempt, policy, this.#options.backoffMs)
          // A wait that outlasts the deadline would turn the error into a timeout, which says less.
          if (waitMs === undefined || performance.now() + waitMs >= deadline) throw error
          // Ends early if the request is cancelled. The signal's reason says more than the error of `sleep`.
          await sleep(waitMs, undefined, { signal: policy.signal }).catch(() => {})
          policy.signal?.throwIfAborted()
        }
      }
    } finally {
      limit?.clear()
    }
  }

  /** Sends the request once, when a slot is free, and reports how that went. @throws {TelephonyError} */
  async #attempt(request: ServiceRequest, attempt: number): Promise<ServiceResponse> {
    const { account, operation, http, priority, signal } = request
    const { dispatcher, timeoutMs } = this.#options
    const key = types.toAccountKey(account)
    const lane = await this.#enterLane(request, attempt)
    const start = performance.now()
    const attemptLimit = priority === 'background' ? new transport.TimeLimit(timeoutMs, signal) : undefined
    try {
      if (this.#resting.has(key)) throw new types.TelephonyError('resting')
      const httpResponse = await transport.sendRequest(dispatcher, http, attemptLimit?.signal ?? signal)
      const response = parseResponse(httpResponse)
      this.#endRest(key)
      this.emit('request', { operation, outcome: 'ok', ms: performance.now() - start, attempt })
      return response
    } catch (cause) {
      const error = cause instanceof types.TelephonyError ? cause : toTransportError(cause, { hasSlot: true })
      const outcome = toReportedOutcome(request, error)
      if (outcome !== 'cancelled') this.#trackFailure(key, error)
      this.emit('request', { operation, outcome, ms: performance.now() - start, attempt })
      throw error
    } finally {
      attemptLimit?.clear()
      lane.freeSlot(priority)
      if (lane.isIdle) this.#lanes.delete(account.tenant)
    }
  }

  /** Takes a slot of the tenant's lane, or waits for one. Reports a failure itself. @throws {TelephonyError} */
  async #enterLane(request: ServiceRequest, attempt: number): Promise<Lane> {
    const { account, operation, priority, signal } = request
    const start = performance.now()
    try {
      signal.throwIfAborted()
      const lane = this.#lanes.get(account.tenant) ?? new Lane()
      this.#lanes.set(account.tenant, lane)
      if (!lane.takeSlot(priority)) await lane.waitForSlot(priority, signal)
      return lane
    } catch (cause) {
      const error = toTransportError(cause, { hasSlot: false })
      const outcome = toReportedOutcome(request, error)
      this.emit('request', { operation, outcome, ms: performance.now() - start, attempt })
      throw error
    }
  }

  #endRest(key: string): void {
    this.#failures.delete(key)
    this.#resting.delete(key)
  }

  #trackFailure(key: string, { outcome, status = 0 }: types.TelephonyError): void {
    if (outcome === 'resting') return
    const isServerError = outcome === 'status' && status >= 500
    if (outcome === 'timeout' || outcome === 'connection' || isServerError) {
      const failures = (this.#failures.get(key) ?? 0) + 1
      this.#failures.set(key, failures)
      if (failures >= MAX_FAILURES) this.#resting.set(key, true)
      return
    }
    // Any other response, such as a 401, proves that the service is up.
    this.#endRest(key)
  }
}

/** @param hasSlot without a slot, nothing was sent */
function toTransportError(cause: unknown, { hasSlot }: { hasSlot: boolean }): types.TelephonyError {
  const code = transport.getErrorCode(cause)
  // The message may contain the URL, and with it key and secret.
  const facts = { cause: transport.withoutUrl(cause), sent: hasSlot && !transport.isUnsent(cause) }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new types.TelephonyError('envelope', facts)
  return new types.TelephonyError(code === 'TimeoutError' ? 'timeout' : 'connection', facts)
}

/** @param otherwise outcome of any other status, such as a 200 in an envelope without a list */
function toStatusError(
  status: number,
  headers: transport.HttpResponse['headers'],
  otherwise: 'status' | 'envelope',
): types.TelephonyError {
  if (status === 401) return new types.TelephonyError('credentials-rejected')
  if (status === 400) return new types.TelephonyError('refused')
  if (status !== 429) return new types.TelephonyError(otherwise, { status, sent: true })
  const retryAfterMs = parseRetryAfter(headers['retry-after'])
  return new types.TelephonyError('rate-limited', { retryAfterMs })
}

function parseResponse({ status, headers, text }: transport.HttpResponse): ServiceResponse {
  if (status !== 200) throw toStatusError(status, headers, 'status')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which doesn't belong in logs.
    throw new types.TelephonyError('not-json', { sent: true })
  }
  const { data } = envelopeSchema.safeParse(json)
  if (!data) throw new types.TelephonyError('envelope', { sent: true })
  const { status: code, result, total_record: total } = data
  if (code === 200 && Array.isArray(result)) return { result, total }
  throw toStatusError(code, headers, 'envelope')
}
