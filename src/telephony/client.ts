import { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import { notify } from '../util/notify.ts'
import type { Milliseconds } from '../util/units.ts'
import { type FirstPage, readFirstPage, toPage } from './call-pages.ts'
import { CircuitBreakers } from './circuit-breakers.ts'
import { type RequestOutcome, ServiceUnavailableError, statusOf, TelephonyError } from './errors.ts'
import { callsRequest, invoicesRequest } from './operations.ts'
import { type RequestReport, RequestRunner } from './request-runner.ts'
import { type ScanOptions, scanPages } from './scan.ts'
import { type ReadOnce, ScanReads } from './scan-reads.ts'
import { reportedScan, type ScanReport } from './scan-report.ts'
import { Slots } from './slots.ts'
import { Transport } from './transport.ts'
import type { Account, Agent, Billing, Call, CallPage, CallQuery, Invoice, ScanQuery } from './types.ts'
import { toAgent, toBilling, toInvoice } from './wire.ts'

/** What became of an operation that somebody asked for. */
export interface OperationOutcome {
  readonly tenant: string
  readonly outcome: RequestOutcome
  /** The HTTP status of a failure that has one. */
  readonly status?: number | undefined
}

/**
 * Every operation of the service. Each rejects with a `TelephonyError` (errors.ts).
 *
 * Emits `request` for each try, `scan` at the end of each scan, and `outcome` once where an operation or a whole scan succeeds or fails with a
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

  constructor(options: {
    /** Ends in `/api/v1`. */
    baseUrl: string
    /** Its owner closes it. */
    dispatcher: Dispatcher
    /** For a whole read, retries and the wait for a slot included. */
    timeoutMs?: Milliseconds
    maxRetries?: number
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
    const { timeoutMs = 8000, maxRetries = 2, maxConcurrent = 4, maxWaiting = 20 } = options
    this.#patienceMs = options.patienceMs ?? 15_000
    this.#slots = new Slots({ maxConcurrent, maxWaiting })
    this.#circuitBreakers = new CircuitBreakers(options.halfOpenAfterMs ?? 5000)
    this.#requests = new RequestRunner({
      transport: new Transport(options),
      slots: this.#slots,
      circuitBreakers: this.#circuitBreakers,
      timeoutMs,
      maxRetries,
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

  /** How many requests of scans are under way, of all tenants. */
  get inBackground(): number {
    return this.#slots.inBackground
  }

  /** How many more requests people could have under way right now, or as soon as some of a scan are over. */
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
   * Every call of a range, each once although new ones come meanwhile, in the order of the pages. What is there all the time
   * is among them; what comes or goes meanwhile may be. Begins with the first `next()`, reads a bounded number of pages
   * ahead in slots that leave one idle for people, and tries a page again that fails. Where the service answers 429, the
   * scan pauses for as long as it asks, up to a minute.
   *
   * Throws a `ScanInterruptedError` where the service stays away, other `TelephonyError`s as they come, and the signal's
   * reason once it is aborted. Then, and after `break`, nothing of it is under way any more.
   */
  async *scan(
    account: Account,
    query: ScanQuery,
    options: ScanOptions = {},
  ): AsyncGenerator<Call, void, undefined> {
    const readOnce = this.#readOnce(account, query)
    const [maxUnderWay, patienceMs] = [this.#slots.maxInBackground, this.#patienceMs]
    const scan = (own: ScanOptions) => scanPages({ readOnce, maxUnderWay, patienceMs }, own)
    yield* reportedScan(scan, options, (report, error) => {
      notify(() => this.emit('scan', report))
      if (report.outcome !== 'cancelled') this.#tell(account, report.outcome, error && statusOf(error))
    })
  }

  /**
   * A page of calls for nobody who waits, read as a scan reads: in slots that leave one idle for people, and again where it
   * fails. Rejects with the signal's reason once it is aborted.
   */
  callsInBackground(account: Account, query: CallQuery, signal: AbortSignal): Promise<CallPage> {
    return this.#withOutcome(account, async () => {
      const read = { readOnce: this.#readOnce(account, query), patienceMs: this.#patienceMs, signal }
      return (await new ScanReads(read).read(query.page)).page
    })
  }

  /**
   * The first page, in the background, with as many tries as where a person waits; its calls are understood on demand.
   */
  firstPage(account: Account, query: ScanQuery, signal: AbortSignal): Promise<FirstPage> {
    const request = callsRequest({ ...query, page: 1 })
    const readOnce = (attempt: number) =>
      this.#requests.readInBackground(account, request, { attempt, signal })
    return this.#withOutcome(account, () => readFirstPage(readOnce, query))
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

  #readOnce(account: Account, query: ScanQuery): ReadOnce {
    return async (page, how) => {
      const paged = { ...query, page }
      return toPage(paged, await this.#requests.readInBackground(account, callsRequest(paged), how))
    }
  }

  async #calls(account: Account, query: CallQuery): Promise<CallPage> {
    return toPage(query, await this.#requests.read(account, callsRequest(query)))
  }

  async #withOutcome<T>(account: Account, read: () => Promise<T>): Promise<T> {
    try {
      const result = await read()
      this.#tell(account, 'ok')
      return result
    } catch (error) {
      if (error instanceof TelephonyError) this.#tell(account, error.outcome, statusOf(error))
      throw error
    }
  }

  #tell({ tenant, isTrial }: Account, outcome: RequestOutcome, status?: number): void {
    // What somebody mistypes while connecting says nothing of the connection that there is.
    if (!isTrial) notify(() => this.emit('outcome', { tenant, outcome, status }))
  }
}
