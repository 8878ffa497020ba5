import { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import { Deadline } from '../util/send-request.ts'
import type { Milliseconds } from '../util/units.ts'
import {
  type RequestOutcome,
  ServiceUnavailableError,
  TelephonyError,
  TooManyWaitingError,
} from './errors.ts'
import { callsRequest, invoicesRequest, type ServiceRequest } from './operations.ts'
import { type CallBatch, identityOf, type ReadCallsOptions, readLists } from './read-calls.ts'
import { type RequestReport, Requests, type ServiceResponse } from './requests.ts'
import { type RetryPolicy, withRetries } from './retry.ts'
import { Slots } from './slots.ts'
import type { Account, Call, CallPage, CallQuery, ScanQuery } from './types.ts'
import {
  type Agent,
  type Billing,
  type Invoice,
  parseTotal,
  toAgent,
  toBilling,
  toCall,
  toId,
  toInvoice,
} from './wire.ts'

export interface OperationOutcome {
  readonly tenant: string
  readonly outcome: RequestOutcome
  readonly status?: number | undefined
}

/** What `readCalls` came to, without anything that is anybody's. */
interface ScanReport {
  /** `cancelled`: whoever read it wanted no more. */
  readonly outcome: RequestOutcome | 'cancelled'
  readonly records: number
  readonly ms: Milliseconds
}

/** For nobody who waits: in slots that leave one idle for people. */
interface Background {
  readonly signal: AbortSignal
  /** Tried again for as long as the pages of a scan are, rather than as often as where a person waits. */
  readonly isPatient?: boolean
}

/**
 * Every operation of the service. Each rejects with a `TelephonyError` (errors.ts).
 *
 * Emits `request` for each try, `scan` at the end of each `readCalls`, and `outcome` once where an operation or a `readCalls` succeeds or fails with a
 * `TelephonyError`; a key and secret on trial have no outcome. Listeners only watch: none throws.
 */
export class TelephonyClient extends EventEmitter<{
  request: [RequestReport]
  scan: [ScanReport]
  outcome: [OperationOutcome]
}> {
  readonly #slots
  readonly #requests
  readonly #timeoutMs
  readonly #patienceMs
  readonly #retries: RetryPolicy
  /** People's reads in flight, by tenant, credentials and request. */
  readonly #reads = new Map<string, Promise<ServiceResponse>>()

  constructor(options: {
    /** Ends in `/api/v1`. */
    baseUrl: string
    /** Its owner closes it. */
    dispatcher: Dispatcher
    /** For a whole read, retries and the wait for a slot included. */
    timeoutMs?: Milliseconds
    maxRetries?: number
    backoffMs?: Milliseconds
    maxConcurrent?: number
    maxWaiting?: number
    halfOpenAfterMs?: Milliseconds
    /** How long a scan tries a page again that fails, without the waits that the service asks for. */
    patienceMs?: Milliseconds
  }) {
    super()
    const { baseUrl, dispatcher, maxRetries = 2, backoffMs = 100, halfOpenAfterMs = 5000 } = options
    const { maxConcurrent = 4, maxWaiting = 20 } = options
    this.#timeoutMs = options.timeoutMs ?? 8000
    this.#patienceMs = options.patienceMs ?? 15_000
    this.#retries = { maxRetries, backoffMs }
    this.#slots = new Slots({ maxConcurrent, maxWaiting })
    const onRequest = (report: RequestReport) => void this.emit('request', report)
    this.#requests = new Requests({ baseUrl, dispatcher, halfOpenAfterMs, onRequest })
  }

  get waiting(): number {
    return this.#slots.waiting
  }

  get isCircuitOpen(): boolean {
    return this.#requests.isCircuitOpen
  }

  get inBackground(): number {
    return this.#slots.inBackground
  }

  /** How many more requests people could have in flight right now, or as soon as some of a scan are over. */
  idleSlots(tenant: string): number {
    return this.#slots.idle(tenant)
  }

  calls(account: Account, query: CallQuery, background?: Background): Promise<ReceivedPage> {
    return this.#withOutcome(account, async () => {
      const request = callsRequest(query)
      if (!background) return new ReceivedPage(query, await this.#read(account, request))
      const { signal, isPatient } = background
      const policy = { ...(isPatient ? this.#patience : this.#retries), signal }
      return new ReceivedPage(query, await this.#readInBackground(account, request, policy))
    })
  }

  /** How many calls there are; `undefined` where the service's figure is no number. */
  async count(account: Account, query: ScanQuery): Promise<number | undefined> {
    return (await this.calls(account, { ...query, page: 1 })).total
  }

  /**
   * Every call of these queries, each once although new ones come meanwhile, in batches, and those of a query in the order of
   * its pages. What is there all the time is among them; what comes or goes meanwhile may be. Begins with the first `next()`,
   * reads a bounded number of pages ahead in slots that leave one idle for people, and tries a page again that fails. Where
   * the service answers 429, the reading pauses for as long as it asks, up to a minute.
   *
   * Throws a `ScanInterruptedError` where the service stays away, a `ReadingCutError` for a budget or a limit that is used up,
   * other `TelephonyError`s as they come, and the signal's reason once it is aborted. Then, and after `break`, nothing of it
   * is in flight any more.
   */
  async *readCalls(
    account: Account,
    queries: readonly ScanQuery[],
    options?: ReadCallsOptions,
  ): AsyncGenerator<CallBatch, void, undefined> {
    const start = performance.now()
    let outcome: ScanReport['outcome'] = 'cancelled'
    let status: number | undefined
    let records = 0
    const pause = { until: 0 }
    const readPage = async (query: CallQuery, signal: AbortSignal) => {
      const policy = { ...this.#patience, signal, pause }
      return new ReceivedPage(query, await this.#readInBackground(account, callsRequest(query), policy))
    }
    try {
      const source = { readPage, maxInFlight: this.#slots.maxInBackground }
      for await (const batch of readLists(source, queries, options)) {
        yield batch
        records += batch.calls.length
      }
      outcome = 'ok'
    } catch (error) {
      if (error instanceof TelephonyError) ({ outcome, status } = error)
      throw error
    } finally {
      this.emit('scan', { outcome, records, ms: performance.now() - start })
      if (outcome !== 'cancelled') this.#emitOutcome(account, outcome, status)
    }
  }

  agents(account: Account): Promise<readonly Agent[]> {
    return this.#withOutcome(account, async () => {
      const { result } = await this.#read(account, { operation: 'agents' })
      return result.map(toAgent)
    })
  }

  billing(account: Account): Promise<Billing> {
    return this.#withOutcome(account, async () => {
      const { result } = await this.#read(account, { operation: 'billing' })
      const [details] = result
      if (details === undefined) throw new ServiceUnavailableError('billing', 'envelope')
      return toBilling(details)
    })
  }

  /**
   * Described by the service as deleting the customer. Sent once, never again and never shared; where it fails with a
   * `ServiceUnavailableError` whose `sent` is true, it may have been carried out.
   */
  invoices(account: Account, customerId: string): Promise<readonly Invoice[]> {
    return this.#withOutcome(account, async () => {
      const { result } = await this.#run(account, invoicesRequest(customerId), {
        ...this.#retries,
        maxRetries: 0,
      })
      return result.map(toInvoice)
    })
  }

  get #patience(): RetryPolicy {
    return { backoffMs: this.#retries.backoffMs, patienceMs: this.#patienceMs }
  }

  /** Identical reads in flight at the same time are one request. */
  #read(account: Account, request: ServiceRequest): Promise<ServiceResponse> {
    const key = JSON.stringify([account.tenant, account.credentials, request])
    const inFlight = this.#reads.get(key)
    if (inFlight) return inFlight
    const read = this.#run(account, request, this.#retries).finally(() => this.#reads.delete(key))
    this.#reads.set(key, read)
    return read
  }

  /** Whoever holds a slot came earlier and is over earlier, so the queue for the slots needs no deadline of its own. */
  async #run(account: Account, request: ServiceRequest, retries: RetryPolicy): Promise<ServiceResponse> {
    const deadline = new Deadline(this.#timeoutMs)
    const send = (attempt: number) => this.#requests.send(account, request, { attempt, deadline })
    const policy = { ...retries, remainingMs: () => deadline.remainingMs() }
    try {
      const running = this.#slots.run(account.tenant, () => withRetries(send, policy))
      if (running === undefined) throw new TooManyWaitingError(request.operation)
      return await running
    } finally {
      deadline.clear()
    }
  }

  /** In slots that leave one idle for people, which no try keeps while it waits; not joined with other reads. */
  #readInBackground(
    account: Account,
    request: ServiceRequest,
    policy: RetryPolicy & { readonly signal: AbortSignal },
  ): Promise<ServiceResponse> {
    const { signal } = policy
    const send = async (attempt: number) => {
      // Nobody waits for it: the time in the queue doesn't count.
      const deadline = new Deadline(this.#timeoutMs, signal)
      try {
        return await this.#requests.send(account, request, { attempt, deadline })
      } finally {
        deadline.clear()
      }
    }
    const take = (attempt: number) => this.#slots.runInBackground(account.tenant, () => send(attempt), signal)
    return withRetries(take, policy)
  }

  async #withOutcome<T>(account: Account, read: () => Promise<T>): Promise<T> {
    try {
      const result = await read()
      this.#emitOutcome(account, 'ok')
      return result
    } catch (error) {
      if (error instanceof TelephonyError) this.#emitOutcome(account, error.outcome, error.status)
      throw error
    }
  }

  #emitOutcome({ tenant, isTrial }: Account, outcome: RequestOutcome, status?: number): void {
    // What somebody mistypes while connecting says nothing of the connection that there is.
    if (!isTrial) this.emit('outcome', { tenant, outcome, status })
  }
}

/** A page whose records are understood once its calls are asked for: a poll that finds nothing new needs their ids alone. */
class ReceivedPage implements CallPage {
  readonly page
  readonly total
  readonly #records
  readonly #callOf
  #calls: readonly Call[] | undefined

  constructor({ direction, offset, page }: CallQuery, { result, total }: ServiceResponse) {
    this.page = page
    this.total = parseTotal(total)
    this.#records = result
    this.#callOf = (record: unknown) => toCall(record, direction, offset)
  }

  get calls(): readonly Call[] {
    this.#calls ??= this.#records.map(this.#callOf)
    return this.#calls
  }

  get ids(): readonly string[] {
    return this.#records.map((record) => toId(record) || identityOf(this.#callOf(record)))
  }
}
