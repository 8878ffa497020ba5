import { type CallBatch, type ReadCallsOptions, readLists } from './read-calls.ts'
import { FEW_RETRIES, NO_RETRIES, PATIENT_RETRIES, Requests, type ScanReport } from './requests.ts'
import {
  type Account,
  type Call,
  type CallPage,
  type CallQuery,
  getCallIdentity,
  type ScanQuery,
  ServiceUnavailableError,
  TelephonyError,
} from './types.ts'
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
  toParameters,
} from './wire.ts'

/** Marks background work, which leaves one slot of the tenant to people. */
interface Background {
  readonly signal: AbortSignal
  /** Retries for as long as `readCalls` does. */
  readonly isPatient?: boolean
}

/** The operations of the service. Each rejects with a `TelephonyError`. */
export class TelephonyClient extends Requests {
  async calls(account: Account, query: CallQuery, background?: Background): Promise<ReceivedPage> {
    const { direction, offset, page } = query
    const policy = { ...(background?.isPatient ? PATIENT_RETRIES : FEW_RETRIES), signal: background?.signal }
    const { result, total } = await this.run(account, direction, policy, toParameters(query))
    const parse = (record: unknown) => toCall(record, direction, offset)
    return new ReceivedPage(page, parseTotal(total), result, parse)
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
    const readPage = (query: CallQuery, signal: AbortSignal) =>
      this.calls(account, query, { signal, isPatient: true })
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
    return (await this.run(account, 'agents', FEW_RETRIES)).result.map(toAgent)
  }

  async billing(account: Account): Promise<Billing> {
    const [details] = (await this.run(account, 'billing', FEW_RETRIES)).result
    if (details === undefined) throw new ServiceUnavailableError('billing', 'envelope')
    return toBilling(details)
  }

  /**
   * Deletes the customer, according to the spec. Never retried; after a `ServiceUnavailableError` whose `sent` is true, it may
   * have been carried out.
   */
  async invoices(account: Account, customerId: string): Promise<readonly Invoice[]> {
    const { result } = await this.run(account, 'invoices', NO_RETRIES, { customer_id: customerId })
    return result.map(toInvoice)
  }
}

/** Parses its records when they are needed: a poll without news reads only the ids. */
class ReceivedPage implements CallPage {
  readonly page
  readonly total
  readonly #records
  readonly #parse
  #calls: readonly Call[] | undefined

  constructor(
    page: number,
    total: number | undefined,
    records: readonly unknown[],
    parse: (record: unknown) => Call,
  ) {
    this.page = page
    this.total = total
    this.#records = records
    this.#parse = parse
  }

  get calls(): readonly Call[] {
    this.#calls ??= this.#records.map(this.#parse)
    return this.#calls
  }

  get ids(): readonly string[] {
    return this.#records.map((record) => toId(record) || getCallIdentity(this.#parse(record)))
  }
}
