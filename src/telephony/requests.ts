import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import * as http from '../util/send-request.ts'
import { type EpochMs, limitWait, type Milliseconds } from '../util/units.ts'
import { Breakers } from './breakers.ts'
import * as types from './types.ts'
import { endpoints, envelopeSchema, type ServiceParameters, toQueryString } from './wire.ts'

const SLOTS_PER_TENANT = 4

/** Leaves a slot to people. */
const BACKGROUND_SLOTS = SLOTS_PER_TENANT - 1

/** People go first. */
const PRIORITIES = ['people', 'background'] as const
type Priority = (typeof PRIORITIES)[number]

/** Requests of one tenant; `waiting` holds callbacks that start them. */
class Lane {
  readonly inFlight = { people: 0, background: 0 }
  readonly waiting = { people: new Set<() => void>(), background: new Set<() => void>() }

  get isIdle(): boolean {
    return this.inFlight.people + this.inFlight.background === 0
  }

  takeSlot(priority: Priority): boolean {
    const { people, background } = this.inFlight
    if (people + background >= SLOTS_PER_TENANT) return false
    if (priority === 'background' && background >= BACKGROUND_SLOTS) return false
    this.inFlight[priority] += 1
    return true
  }

  /** @throws {DeadlineError} */
  waitForSlot(priority: Priority, deadline: http.Deadline): Promise<void> {
    const waiting = this.waiting[priority]
    return new Promise((resolve, reject) => {
      const start = () => {
        waiting.delete(start)
        deadline.whenOver(undefined)
        resolve()
      }
      waiting.add(start)
      deadline.whenOver(() => {
        waiting.delete(start)
        reject(new http.DeadlineError('UNSENT'))
      })
    })
  }

  /** Reserves the slot for the next request before that starts. */
  freeSlot(priority: Priority): void {
    this.inFlight[priority] -= 1
    for (const next of PRIORITIES) {
      const [start] = this.waiting[next]
      if (!start || !this.takeSlot(next)) continue
      start()
      return
    }
  }
}

/** Parses seconds or an HTTP date (RFC 9110, 5.6.7). `Date.parse` also accepts `-5`. */
export function parseRetryAfter(
  value: string | string[] | undefined,
  now: EpochMs,
): Milliseconds | undefined {
  const text = String(value)
  const isDate = /^[A-Z][a-z]{2}, .* GMT$/.test(text)
  if (!isDate && !/^\d+$/.test(text)) return undefined
  const ms = isDate ? Date.parse(text) - now : Number(text) * 1000
  return Number.isNaN(ms) ? undefined : limitWait(ms)
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

function isTransient(error: unknown, isPatient: boolean): boolean {
  if (!(error instanceof types.ServiceUnavailableError)) return error instanceof types.RateLimitedError
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
  const ownMs = Math.min(backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random()), MAX_BACKOFF_MS)
  if (!(error instanceof types.RateLimitedError)) return ownMs
  const { retryAfterMs = 0 } = error
  return retryAfterMs > maxWaitMs ? undefined : Math.max(retryAfterMs, ownMs)
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

export interface ReadReport {
  /** `cancelled`: the consumer ended it. */
  readonly outcome: types.RequestOutcome | 'cancelled'
  readonly records: number
  readonly ms: Milliseconds
}

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

/** Emits `request` for each try and `read` for each `readCalls`; listeners must not throw. Tenants don't wait for each other. */
export class Requests extends EventEmitter<{ request: [RequestReport]; read: [ReadReport] }> {
  readonly #options
  readonly #origin
  readonly #basePath
  /** Tenants without requests have no lane. */
  readonly #lanes = new Map<string, Lane>()
  readonly #breakers

  constructor({ baseUrl, ...options }: RequestOptions) {
    super()
    const { origin, pathname } = new URL(baseUrl)
    this.#origin = origin
    this.#basePath = pathname.replace(/\/+$/, '')
    this.#options = { timeoutMs: 8000, backoffMs: 100, restMs: 5000, ...options }
    this.#breakers = new Breakers(this.#options.restMs)
  }

  /** Number of people's requests that wait for a slot. */
  get waiting(): number {
    let count = 0
    for (const { waiting } of this.#lanes.values()) count += waiting.people.size
    return count
  }

  /** Number of accounts whose circuit breaker is open. */
  get resting(): number {
    return this.#breakers.openCount
  }

  /** Number of slots that people's requests don't use. */
  idleSlots(tenant: string): number {
    return SLOTS_PER_TENANT - (this.#lanes.get(tenant)?.inFlight.people ?? 0)
  }

  /** @throws {TelephonyError} and the signal's reason */
  protected async run(
    account: types.Account,
    operation: types.Operation,
    policy: RetryPolicy,
    parameters: ServiceParameters = {},
  ): Promise<ServiceResponse> {
    const { timeoutMs, backoffMs } = this.#options
    const { signal } = policy
    const query = toQueryString({ ...account.credentials, ...parameters })
    const shared = signal ? undefined : new http.Deadline(timeoutMs)
    try {
      for (let attempt = 1; ; attempt += 1) {
        const deadline = shared ?? new http.Deadline(undefined, signal)
        try {
          return await this.#attempt(account, operation, query, attempt, deadline)
        } catch (error) {
          signal?.throwIfAborted()
          const waitMs = waitBeforeRetry(error, attempt, policy, backoffMs)
          // A wait that outlasts the deadline would turn the error into a timeout, which says less.
          if (waitMs === undefined || (shared && waitMs >= shared.remainingMs)) throw error
          await sleep(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
        }
      }
    } finally {
      shared?.clear()
    }
  }

  async #attempt(
    account: types.Account,
    operation: types.Operation,
    query: string,
    attempt: number,
    deadline: http.Deadline,
  ): Promise<ServiceResponse> {
    const { tenant } = account
    const { signal } = deadline
    const priority = signal ? 'background' : 'people'
    const lane = this.#lanes.get(tenant) ?? new Lane()
    this.#lanes.set(tenant, lane)
    let hasSlot = false
    let start = performance.now()
    let outcome: RequestReport['outcome'] = 'ok'
    try {
      if (!lane.takeSlot(priority)) await lane.waitForSlot(priority, deadline)
      hasSlot = true
      start = performance.now()
      if (signal) deadline.start(this.#options.timeoutMs)
      return await this.#send(account, operation, query, deadline)
    } catch (cause) {
      const error = cause instanceof types.TelephonyError ? cause : transportError(operation, cause)
      outcome = signal?.aborted ? 'cancelled' : error.outcome
      throw error
    } finally {
      if (hasSlot) lane.freeSlot(priority)
      if (lane.isIdle) this.#lanes.delete(tenant)
      if (signal) deadline.clear()
      this.emit('request', { operation, outcome, ms: performance.now() - start, attempt })
    }
  }

  /** Redirects are not followed: they would carry key and secret elsewhere. */
  async #send(
    account: types.Account,
    operation: types.Operation,
    query: string,
    deadline: http.Deadline,
  ): Promise<ServiceResponse> {
    if (deadline.remainingMs <= 0) throw new http.DeadlineError('UNSENT')
    if (this.#breakers.isOpen(account))
      throw new types.ServiceUnavailableError(operation, 'resting', { sent: false })
    const { method, path } = endpoints[operation]
    const request = { origin: this.#origin, path: `${this.#basePath}${path}?${query}`, method }
    let response: http.HttpResponse
    try {
      response = await http.sendRequest(this.#options.dispatcher, request, deadline)
    } catch (cause) {
      if (!deadline.signal?.aborted && !isTooLarge(cause)) this.#breakers.countFailure(account)
      throw cause
    }
    // Any other response, such as a 401, proves that the service is up.
    if (response.status >= 500) this.#breakers.countFailure(account)
    else this.#breakers.close(account)
    return parseResponse(operation, response)
  }
}

const isTooLarge = (cause: unknown) => http.getErrorCode(cause) === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

function transportError(operation: types.Operation, cause: unknown): types.ServiceUnavailableError {
  let reason: types.UnavailableReason = 'connection'
  if (isTooLarge(cause)) reason = 'envelope'
  if (cause instanceof http.DeadlineError) reason = 'timeout'
  // The message may contain the URL, and with it key and secret.
  const safeCause = http.withoutUrl(cause)
  return new types.ServiceUnavailableError(operation, reason, {
    cause: safeCause,
    sent: !http.isUnsent(cause),
  })
}

function parseResponse(
  operation: types.Operation,
  { status, headers, text }: http.HttpResponse,
): ServiceResponse {
  const fail = (reason: 'status' | 'envelope', code: number) => {
    if (code === 401) return new types.CredentialsRejectedError(operation)
    if (code === 400) return new types.RequestRefusedError(operation)
    if (code !== 429) return new types.ServiceUnavailableError(operation, reason, { status: code })
    return new types.RateLimitedError(operation, parseRetryAfter(headers['retry-after'], Date.now()))
  }
  if (status !== 200) throw fail('status', status)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which doesn't belong in logs.
    throw new types.ServiceUnavailableError(operation, 'not-json')
  }
  const { data } = envelopeSchema.safeParse(json)
  if (!data) throw new types.ServiceUnavailableError(operation, 'envelope')
  const { status: code, result, total_record: total } = data
  if (code === 200 && Array.isArray(result) && result.length <= endpoints[operation].maxRecords)
    return { result, total }
  throw fail('envelope', code)
}
