import { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import { notify } from '../util/notify.ts'
import type { Milliseconds } from '../util/units.ts'
import { CircuitBreakers } from './circuit-breakers.ts'
import { type RequestOutcome, ServiceUnavailableError, statusOf, TelephonyError } from './errors.ts'
import { callsRequest, invoicesRequest } from './operations.ts'
import { pagesFrom } from './paging.ts'
import { type RequestReport, RequestRunner } from './request-runner.ts'
import { Slots } from './slots.ts'
import { Transport } from './transport.ts'
import type { Account, Agent, Billing, CallPage, CallQuery, Invoice } from './types.ts'
import { toAgent, toBilling, toCall, toInvoice } from './wire.ts'
import { parseTotal } from './wire-values.ts'

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
 * Emits `request` for each try, and `outcome` once where calls, agents, billing or invoices succeed or fail with a
 * `TelephonyError`; `callPages` and a key and secret on trial have no outcome. A listener that throws does not make an
 * operation fail.
 */
export class TelephonyClient extends EventEmitter<{
  request: [RequestReport]
  outcome: [OperationOutcome]
}> {
  readonly #slots
  readonly #circuitBreakers
  readonly #requests

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
  }) {
    super()
    const { timeoutMs = 8000, maxRetries = 2, maxConcurrent = 4, maxWaiting = 20 } = options
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

  /** How many requests of this tenant could start right now. */
  idleSlots(tenant: string): number {
    return this.#slots.idle(tenant)
  }

  calls(account: Account, query: CallQuery): Promise<CallPage> {
    return this.#withOutcome(account, () => this.#calls(account, query))
  }

  /** The pages from `query.page` on, until the records end. */
  callPages(account: Account, query: CallQuery): AsyncIterable<CallPage> {
    return pagesFrom(query.page, (page) => this.#calls(account, { ...query, page }))
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

  async #calls(account: Account, query: CallQuery): Promise<CallPage> {
    const { result, total } = await this.#requests.read(account, callsRequest(query))
    return {
      calls: result.map((record) => toCall(record, query.direction, query.offset)),
      page: query.page,
      total: parseTotal(total),
    }
  }

  async #withOutcome<T>({ tenant, isTrial }: Account, read: () => Promise<T>): Promise<T> {
    // What somebody mistypes while connecting says nothing of the connection that there is.
    if (isTrial) return read()
    const tell = (outcome: RequestOutcome, status?: number) =>
      notify(() => this.emit('outcome', { tenant, outcome, status }))
    try {
      const result = await read()
      tell('ok')
      return result
    } catch (error) {
      if (error instanceof TelephonyError) tell(error.outcome, statusOf(error))
      throw error
    }
  }
}
