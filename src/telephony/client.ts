import { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import { notify } from '../util/notify.ts'
import type { Milliseconds } from '../util/units.ts'
import { CircuitBreakers } from './circuit-breakers.ts'
import { type RequestOutcome, ServiceUnavailableError, statusOf, TelephonyError } from './errors.ts'
import { callsRequest, invoicesRequest } from './operations.ts'
import {
  type CallBatch,
  identityOf,
  PageReader,
  type ReadCallsOptions,
  type ReadList,
  type ReadOnce,
  readLists,
  scanPages,
} from './read-calls.ts'
import { type RequestReport, Requests, type ServiceResponse } from './requests.ts'
import { usualBackoffMs, withRetries } from './retry.ts'
import { Slots } from './slots.ts'
import type { Account, Agent, Billing, Call, CallPage, CallQuery, Invoice, ScanQuery } from './types.ts'
import { parseTotal, toAgent, toBilling, toCall, toId, toInvoice } from './wire.ts'

/** What became of an operation that somebody asked for. */
export interface OperationOutcome {
  readonly tenant: string
  readonly outcome: RequestOutcome
  /** The HTTP status of a failure that has one. */
  readonly status?: number | undefined
}

/** The first page of a list, whose calls are not understood yet. */
interface FirstPage {
  /** What each record on it is known by, in a scan too. */
  readonly ids: readonly string[]
  /** Every record that matches, on all pages; `undefined` where the service's figure is no number. */
  readonly total: number | undefined
  /** In the order of `ids`. */
  readonly calls: () => readonly Call[]
}

/** A whole list that was read, without anything that is anybody's. */
export interface ScanReport {
  /** `cancelled`: whoever read it wanted no more. */
  readonly outcome: RequestOutcome | 'cancelled'
  /** Calls that were handed over. */
  readonly records: number
  readonly ms: Milliseconds
}

/**
 * Every operation of the service. Each rejects with a `TelephonyError` (errors.ts).
 *
 * Emits `request` for each try, `scan` at the end of each list that was read as a whole, and `outcome` once where an operation or a whole list succeeds or fails with a
 * `TelephonyError`; a key and secret on trial have no outcome. A listener that throws does not make an operation fail.
 */
export class TelephonyClient extends EventEmitter<{
  request: [RequestReport]
  scan: [ScanReport]
  outcome: [OperationOutcome]
}> {
  readonly #slots
  readonly #circuitBreakers
  readonly #requests
  readonly #patienceMs
  readonly #timeoutMs
  readonly #maxRetries
  readonly #backoffMs

  constructor(options: {
    /** Ends in `/api/v1`. */
    baseUrl: string
    /** Its owner closes it. */
    dispatcher: Dispatcher
    /** For a whole read, retries and the wait for a slot included. */
    timeoutMs?: Milliseconds
    maxRetries?: number
    /** About how long before the first retry; twice as long before each that follows. */
    backoffMs?: Milliseconds
    /** Requests that run at a time for one tenant. */
    maxConcurrent?: number
    /** Requests that wait for one tenant; more are turned away. */
    maxWaiting?: number
    /** How long a circuit breaker stays open before it lets one request try. */
    halfOpenAfterMs?: Milliseconds
    /** How long a scan tries a page again that fails, without the waits that the service asks for. */
    patienceMs?: Milliseconds
  }) {
    super()
    const {
      timeoutMs = 8000,
      maxRetries = 2,
      backoffMs = usualBackoffMs,
      maxConcurrent = 4,
      maxWaiting = 20,
    } = options
    this.#patienceMs = options.patienceMs ?? 15_000
    this.#timeoutMs = timeoutMs
    this.#maxRetries = maxRetries
    this.#backoffMs = backoffMs
    this.#slots = new Slots({ maxConcurrent, maxWaiting })
    this.#circuitBreakers = new CircuitBreakers(options.halfOpenAfterMs ?? 5000)
    this.#requests = new Requests({
      baseUrl: options.baseUrl,
      dispatcher: options.dispatcher,
      slots: this.#slots,
      circuitBreakers: this.#circuitBreakers,
      timeoutMs,
      maxRetries,
      backoffMs,
      onRequest: (report) => notify(() => this.emit('request', report)),
    })
  }

  /** How many requests of all tenants wait for a slot. */
  get waiting(): number {
    return this.#slots.waiting
  }

  /** Whether the service failed so often that its circuit breaker is open or half-open. */
  get isCircuitOpen(): boolean {
    return this.#circuitBreakers.isOpen
  }

  /** How many requests of scans are in flight, of all tenants. */
  get inBackground(): number {
    return this.#slots.inBackground
  }

  /** How many more requests people could have in flight right now, or as soon as some of a scan are over. */
  idleSlots(tenant: string): number {
    return this.#slots.idle(tenant)
  }

  calls(account: Account, query: CallQuery): Promise<CallPage> {
    return this.#withOutcome(account, () => this.#calls(account, query))
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
  readCalls(
    account: Account,
    queries: readonly ScanQuery[],
    options?: ReadCallsOptions,
  ): AsyncGenerator<CallBatch, void, undefined> {
    const lists = queries.map(
      (query): ReadList =>
        (list) =>
          this.#readList(account, query, list),
    )
    return readLists(lists, options)
  }

  /**
   * A page of calls for nobody who waits, read as a scan reads: in slots that leave one idle for people, and again where it
   * fails. Rejects with the signal's reason once it is aborted.
   */
  callsInBackground(account: Account, query: CallQuery, signal: AbortSignal): Promise<CallPage> {
    return this.#withOutcome(account, async () => {
      const pages = new PageReader({ ...this.#pageTerms(account, query), signal })
      return (await pages.take(query.page, query.page)).page
    })
  }

  /**
   * The first page, in the background, with as many tries as where a person waits; its calls are understood on demand.
   */
  firstPage(account: Account, query: ScanQuery, signal: AbortSignal): Promise<FirstPage> {
    const request = callsRequest({ ...query, page: 1 })
    const until = performance.now() + this.#timeoutMs
    const terms = {
      maxRetries: this.#maxRetries,
      backoffMs: this.#backoffMs,
      deadline: { remainingMs: () => until - performance.now() },
    }
    const readOnce = (attempt: number) =>
      this.#requests.readInBackground(account, request, { attempt, signal })
    const callOf = (record: unknown) => toCall(record, query.direction, query.offset)
    return this.#withOutcome(account, async () => {
      const { result, total } = await withRetries(readOnce, terms)
      return {
        ids: result.map((record) => toId(record) || identityOf(callOf(record))),
        total: parseTotal(total),
        calls: () => result.map(callOf),
      }
    })
  }

  agents(account: Account): Promise<readonly Agent[]> {
    return this.#withOutcome(account, async () => {
      const { result } = await this.#requests.read(account, { operation: 'agents' })
      return result.map(toAgent)
    })
  }

  billing(account: Account): Promise<Billing> {
    return this.#withOutcome(account, async () => {
      const { result } = await this.#requests.read(account, { operation: 'billing' })
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
      const { result } = await this.#requests.sendOnce(account, invoicesRequest(customerId))
      return result.map(toInvoice)
    })
  }

  async *#readList(
    account: Account,
    query: ScanQuery,
    options: Parameters<ReadList>[0],
  ): AsyncGenerator<readonly Call[], void, undefined> {
    const start = performance.now()
    let outcome: ScanReport['outcome'] = 'cancelled'
    let status: number | undefined
    let records = 0
    try {
      for await (const calls of scanPages(this.#pageTerms(account, query), options)) {
        yield calls
        records += calls.length
      }
      outcome = 'ok'
    } catch (error) {
      if (error instanceof TelephonyError) {
        outcome = error.outcome
        status = statusOf(error)
      }
      throw error
    } finally {
      const report = { outcome, records, ms: performance.now() - start }
      notify(() => this.emit('scan', report))
      if (outcome !== 'cancelled') this.#emitOutcome(account, outcome, status)
    }
  }

  #pageTerms(account: Account, query: ScanQuery) {
    const readOnce: ReadOnce = async (page, how) => {
      const paged = { ...query, page }
      return toPage(paged, await this.#requests.readInBackground(account, callsRequest(paged), how))
    }
    return {
      readOnce,
      maxInFlight: this.#slots.maxInBackground,
      patienceMs: this.#patienceMs,
      backoffMs: this.#backoffMs,
    }
  }

  async #calls(account: Account, query: CallQuery): Promise<CallPage> {
    return toPage(query, await this.#requests.read(account, callsRequest(query)))
  }

  async #withOutcome<T>(account: Account, read: () => Promise<T>): Promise<T> {
    try {
      const result = await read()
      this.#emitOutcome(account, 'ok')
      return result
    } catch (error) {
      if (error instanceof TelephonyError) this.#emitOutcome(account, error.outcome, statusOf(error))
      throw error
    }
  }

  #emitOutcome({ tenant, isTrial }: Account, outcome: RequestOutcome, status?: number): void {
    // What somebody mistypes while connecting says nothing of the connection that there is.
    if (!isTrial) notify(() => this.emit('outcome', { tenant, outcome, status }))
  }
}

const toPage = ({ direction, offset, page }: CallQuery, { result, total }: ServiceResponse): CallPage => ({
  calls: result.map((record) => toCall(record, direction, offset)),
  page,
  total: parseTotal(total),
})
