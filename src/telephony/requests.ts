import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { createCache } from '../util/cache.ts'
import * as transport from '../util/send-request.ts'
import { limitWait, type Milliseconds } from '../util/units.ts'
import * as types from './types.ts'
import { endpoints, envelopeSchema, type ServiceParameters, toQueryString } from './wire.ts'

const SLOTS_PER_TENANT = 4

/** Leaves a slot to people. */
const BACKGROUND_SLOTS = SLOTS_PER_TENANT - 1

type Priority = 'people' | 'background'

/** Requests of one tenant; `waiting` holds callbacks that start them. */
class Lane {
  readonly inFlight = { people: 0, background: 0 }
  readonly waiting = { people: new Set<() => void>(), background: new Set<() => void>() }

  get isIdle(): boolean {
    return this.inFlight.people + this.inFlight.background === 0
  }

  /** @throws the signal's reason */
  async waitForSlot(priority: Priority, signal: AbortSignal): Promise<void> {
    const waiting = this.waiting[priority]
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = () => {
      waiting.delete(resolve)
      reject(signal.reason)
    }
    waiting.add(resolve)
    signal.addEventListener('abort', giveUp)
    await promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  takeSlot(priority: Priority): boolean {
    const { people, background } = this.inFlight
    if (people + background >= SLOTS_PER_TENANT) return false
    if (priority === 'background' && background >= BACKGROUND_SLOTS) return false
    this.inFlight[priority] += 1
    return true
  }

  /** Reserves the slot for the next request before that starts. People go first. */
  freeSlot(priority: Priority): void {
    this.inFlight[priority] -= 1
    for (const next of ['people', 'background'] as const) {
      const [start] = this.waiting[next]
      if (!start || !this.takeSlot(next)) continue
      this.waiting[next].delete(start)
      start()
      return
    }
  }
}

/** Parses seconds. A date counts as no wait, so that the app's own is taken. */
export function parseRetryAfter(value: string | string[] | undefined): Milliseconds | undefined {
  const text = String(value)
  return /^\d+$/.test(text) ? limitWait(Number(text) * 1000) : undefined
}

export interface RetryPolicy {
  readonly maxRetries: number
  /** If the service asks for a longer wait, there is no retry. */
  readonly maxWaitMs: Milliseconds
  /** Also retries after a timeout, and while the circuit breaker is open. */
  readonly isPatient?: boolean
  /** Cancels the request. With a signal, it is a background request: each of its attempts has its own deadline. */
  readonly signal?: AbortSignal | undefined
}

export const retries = {
  /** For operations that must not be carried out twice. */
  none: { maxRetries: 0, maxWaitMs: 0 },
  /** For people, who wait for the response. */
  few: { maxRetries: 2, maxWaitMs: 2000 },
  /** For background work: eight retries last longer than the circuit breaker stays open. */
  patient: { maxRetries: 8, maxWaitMs: 60_000, isPatient: true },
} as const satisfies Record<string, RetryPolicy>

const MAX_BACKOFF_MS: Milliseconds = 2000

function isTransient({ outcome, status = 0 }: types.TelephonyError, isPatient: boolean): boolean {
  if (outcome === 'timeout' || outcome === 'resting') return isPatient
  return outcome === 'rate-limited' || outcome === 'connection' || outcome === 'not-json' || status >= 500
}

/** Returns `undefined` if a retry would not help. */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  { maxRetries, maxWaitMs, isPatient = false }: RetryPolicy,
  backoffMs: Milliseconds,
): Milliseconds | undefined {
  if (!(error instanceof types.TelephonyError)) return undefined
  if (attempt > maxRetries || !isTransient(error, isPatient)) return undefined
  const ownMs = Math.min(backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random()), MAX_BACKOFF_MS)
  const { retryAfterMs = 0 } = error
  if (retryAfterMs > maxWaitMs) return undefined
  return Math.max(retryAfterMs, ownMs)
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
  readonly backoffMs?: Milliseconds
  /** How long an account's circuit breaker stays open. */
  readonly restMs?: Milliseconds
}

/** Consecutive failures that open an account's circuit breaker. After its rest, one more opens it again. */
const MAX_FAILURES = 10
const MAX_ACCOUNTS = 20_000

interface ServiceRequest {
  readonly account: types.Account
  readonly operation: types.Operation
  /** The path contains key and secret. */
  readonly http: Dispatcher.DispatchOptions
  readonly isBackground: boolean
}

/** Emits `request` for each try and `read` for each `readCalls`; listeners must not throw. Tenants don't wait for each other. */
export class Requests extends EventEmitter<{ request: [RequestReport]; read: [ReadReport] }> {
  readonly #options
  readonly #base
  /** Tenants without requests have no lane. */
  readonly #lanes = new Map<string, Lane>()
  /** Consecutive failures by account: the service may fail for some accounts, and answer others. */
  readonly #failures = createCache<number>({ max: MAX_ACCOUNTS })
  /** Accounts whose circuit breaker is open. */
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
  get waiting(): number {
    let count = 0
    for (const { waiting } of this.#lanes.values()) count += waiting.people.size
    return count
  }

  /** Number of accounts whose circuit breaker is open. */
  get resting(): number {
    this.#resting.purgeStale()
    return this.#resting.size
  }

  /** Number of slots that people's requests don't use. */
  idleSlots(tenant: string): number {
    return SLOTS_PER_TENANT - (this.#lanes.get(tenant)?.inFlight.people ?? 0)
  }

  /** Redirects are not followed: they would carry key and secret elsewhere. @throws {TelephonyError} and the signal's reason */
  protected async run(
    account: types.Account,
    operation: types.Operation,
    policy: RetryPolicy,
    parameters: ServiceParameters = {},
  ): Promise<ServiceResponse> {
    const { timeoutMs, backoffMs } = this.#options
    const query = toQueryString({ ...account.credentials, ...parameters })
    const { method, path } = endpoints[operation]
    const { origin, pathname } = this.#base
    const http = { origin, path: `${pathname}${path}?${query}`, method }
    const { signal } = policy
    const isBackground = signal !== undefined
    const request = { account, operation, http, isBackground }
    const limit = signal ? { signal, clear() {} } : new transport.TimeLimit(timeoutMs)
    const end = isBackground ? Infinity : performance.now() + timeoutMs
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#attempt(request, attempt, limit.signal)
        } catch (error) {
          signal?.throwIfAborted()
          const waitMs = waitBeforeRetry(error, attempt, policy, backoffMs)
          // A wait that outlasts the time limit would turn the error into a timeout, which says less.
          if (waitMs === undefined || performance.now() + waitMs >= end) throw error
          await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
        }
      }
    } finally {
      limit.clear()
    }
  }

  async #attempt(request: ServiceRequest, attempt: number, signal: AbortSignal): Promise<ServiceResponse> {
    const { account, operation, http, isBackground } = request
    const priority = isBackground ? 'background' : 'people'
    const key = types.toAccountKey(account)
    const lane = this.#lanes.get(account.tenant) ?? new Lane()
    this.#lanes.set(account.tenant, lane)
    let ownLimit: transport.TimeLimit | undefined
    let hasSlot = false
    let start = performance.now()
    let outcome: RequestReport['outcome'] = 'ok'
    try {
      signal.throwIfAborted()
      if (!lane.takeSlot(priority)) await lane.waitForSlot(priority, signal)
      hasSlot = true
      start = performance.now()
      if (this.#resting.has(key)) throw new types.TelephonyError('resting')
      if (isBackground) ownLimit = new transport.TimeLimit(this.#options.timeoutMs, signal)
      const response = await transport.sendRequest(this.#options.dispatcher, http, ownLimit?.signal ?? signal)
      const result = parseResponse(response)
      this.#closeBreaker(key)
      return result
    } catch (cause) {
      const error = cause instanceof types.TelephonyError ? cause : transportError(cause, hasSlot)
      outcome = isBackground && signal.aborted ? 'cancelled' : error.outcome
      if (hasSlot && outcome !== 'cancelled') this.#trackFailure(key, error)
      throw error
    } finally {
      if (hasSlot) lane.freeSlot(priority)
      if (lane.isIdle) this.#lanes.delete(account.tenant)
      ownLimit?.clear()
      this.emit('request', { operation, outcome, ms: performance.now() - start, attempt })
    }
  }

  #closeBreaker(key: string): void {
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
    this.#closeBreaker(key)
  }
}

function transportError(cause: unknown, hasSlot: boolean): types.TelephonyError {
  const code = transport.getErrorCode(cause)
  // The message may contain the URL, and with it key and secret.
  const facts = { cause: transport.withoutUrl(cause), sent: hasSlot && !transport.isUnsent(cause) }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new types.TelephonyError('envelope', facts)
  return new types.TelephonyError(code === 'TimeoutError' ? 'timeout' : 'connection', facts)
}

function statusError(
  outcome: 'status' | 'envelope',
  status: number,
  headers: transport.HttpResponse['headers'],
) {
  if (status === 401) return new types.TelephonyError('credentials-rejected')
  if (status === 400) return new types.TelephonyError('refused')
  if (status !== 429) return new types.TelephonyError(outcome, { status, sent: true })
  const retryAfterMs = parseRetryAfter(headers['retry-after'])
  return new types.TelephonyError('rate-limited', { retryAfterMs })
}

function parseResponse({ status, headers, text }: transport.HttpResponse): ServiceResponse {
  if (status !== 200) throw statusError('status', status, headers)
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
  throw statusError('envelope', code, headers)
}
