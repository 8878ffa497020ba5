import { EventEmitter } from 'node:events'
import type { Milliseconds } from '../util/units.ts'
import { type CallBatch, type ReadCallsOptions, readLists } from './read-calls.ts'
import {
  FEW_RETRIES,
  NO_RETRIES,
  PATIENT_RETRIES,
  type RequestOptions,
  type RequestReport,
  Requests,
  type ServiceResponse,
} from './requests.ts'
import {
  type Account,
  type Call,
  type CallPage,
  type CallQuery,
  getCallIdentity,
  type RequestOutcome,
  type ScanQuery,
  ServiceUnavailableError,
  TelephonyError,
} from './types.ts'
import {
  type Agent,
  type Billing,
  callsRequest,
  type Invoice,
  invoicesRequest,
  parseTotal,
  toAgent,
  toBilling,
  toCall,
  toId,
  toInvoice,
} from './wire.ts'

/** Describes one `readCalls`, without secrets. */
interface ScanReport {
  /** `cancelled`: the consumer ended it. */
  readonly outcome: RequestOutcome | 'cancelled'
  readonly records: number
  readonly ms: Milliseconds
}

/** Marks background work, which leaves one slot of the tenant to people. */
interface Background {
  readonly signal: AbortSignal
  /** Retries for as long as `readCalls` does. */
  readonly isPatient?: boolean
}

/**
 * The operations of the service. Each rejects with a `TelephonyError`. Emits `request` for each try, and `scan` at the end of each
 * `readCalls`. Listeners must not throw.
 */
export class TelephonyClient extends EventEmitter<{ request: [RequestReport]; scan: [ScanReport] }> {
  readonly #requests

  constructor(options: RequestOptions) {
    super()
    this.#requests = new Requests(options, (report) => void this.emit('request', report))
  }

  /** Number of people's requests that wait for a slot. */
  get waiting(): number {
    return this.#requests.slots.waiting()
  }

  get isCircuitOpen(): boolean {
    return this.#requests.breaker.isOpen
  }

  /** Number of requests that people could have in flight now, or once background requests are over. */
  idleSlots(tenant: string): number {
    return this.#requests.slots.idle(tenant)
  }

  async calls(account: Account, query: CallQuery, background?: Background): Promise<ReceivedPage> {
    const policy = background?.isPatient ? PATIENT_RETRIES : FEW_RETRIES
    const terms = { ...policy, signal: background?.signal }
    return new ReceivedPage(query, await this.#requests.run(account, callsRequest(query), terms))
  }

  /** Returns the number of calls; `undefined` if the service's figure isn't a number. */
  async count(account: Account, query: ScanQuery): Promise<number | undefined> {
    return (await this.calls(account, { ...query, page: 1 })).total
  }

  /**
   * Yields every call of these queries once, in batches, and those of a query in the order of its pages. Calls that exist during
   * the whole reading are among them; others may be. Starts with the first `next()`, reads a few pages ahead in the background,
   * and retries patiently.
   *
   * Throws a `ReadingCutError` when the budget or the limit is used up, `TelephonyError`s, and the signal's reason. After that,
   * and after `break`, none of its requests is in flight.
   */
  async *readCalls(
    account: Account,
    queries: readonly ScanQuery[],
    options?: ReadCallsOptions,
  ): AsyncGenerator<CallBatch, void, undefined> {
    const start = performance.now()
    let outcome: ScanReport['outcome'] = 'cancelled'
    let records = 0
    const readPage = async (query: CallQuery, signal: AbortSignal) => {
      const policy = { ...PATIENT_RETRIES, signal }
      return new ReceivedPage(query, await this.#requests.run(account, callsRequest(query), policy))
    }
    try {
      for await (const batch of readLists(readPage, queries, options)) {
        yield batch
        records += batch.calls.length
      }
      outcome = 'ok'
    } catch (error) {
      if (error instanceof TelephonyError) outcome = error.outcome
      throw error
    } finally {
      this.emit('scan', { outcome, records, ms: performance.now() - start })
    }
  }

  async agents(account: Account): Promise<readonly Agent[]> {
    const { result } = await this.#requests.run(account, { operation: 'agents' }, FEW_RETRIES)
    return result.map(toAgent)
  }

  async billing(account: Account): Promise<Billing> {
    const { result } = await this.#requests.run(account, { operation: 'billing' }, FEW_RETRIES)
    const [details] = result
    if (details === undefined) throw new ServiceUnavailableError('billing', 'envelope')
    return toBilling(details)
  }

  /**
   * Deletes the customer, according to the spec. Never retried; after a `ServiceUnavailableError` whose `sent` is true, it may
   * have been carried out.
   */
  async invoices(account: Account, customerId: string): Promise<readonly Invoice[]> {
    const { result } = await this.#requests.run(account, invoicesRequest(customerId), NO_RETRIES)
    return result.map(toInvoice)
  }
}

/** Parses its records when they are needed: a poll without news reads only the ids. */
class ReceivedPage implements CallPage {
  readonly page
  readonly total
  readonly #records
  readonly #toCall
  #calls: readonly Call[] | undefined

  constructor({ direction, offset, page }: CallQuery, { result, total }: ServiceResponse) {
    this.page = page
    this.total = parseTotal(total)
    this.#records = result
    this.#toCall = (record: unknown) => toCall(record, direction, offset)
  }

  get calls(): readonly Call[] {
    this.#calls ??= this.#records.map(this.#toCall)
    return this.#calls
  }

  get ids(): readonly string[] {
    return this.#records.map((record) => toId(record) || getCallIdentity(this.#toCall(record)))
  }
}
