import { type ReadCallsOptions, readLists } from './call-reading.ts'
import { type ReadReport, Requests, type RetryPolicy, retries, type ServiceResponse } from './requests.ts'
import * as types from './types.ts'
import * as wire from './wire.ts'

/** Each operation rejects with a `TelephonyError`. */
export class TelephonyClient extends Requests {
  /** @param policy with a signal, the request leaves one slot of the tenant to people */
  async calls(account: types.Account, query: types.CallQuery, policy: Partial<RetryPolicy> = {}) {
    const parameters = wire.toParameters(query)
    const response = await this.run(account, query.direction, { ...retries.few, ...policy }, parameters)
    return createPage(query, response)
  }

  /** Returns `undefined` if the service's figure isn't a number. */
  async count(account: types.Account, query: types.ReadQuery): Promise<number | undefined> {
    const { total } = await this.calls(account, { ...query, page: 1 })
    return total
  }

  /**
   * Yields every call of these queries once, those of a query in the order of its pages. Calls that exist during the whole
   * reading are among them; others may be. Starts with the first `next()`. After an error or `break`, no request is in flight.
   * @throws {ReadLimitError} when the budget or the limit is used up, {TelephonyError}, and the signal's reason
   */
  async *readCalls(account: types.Account, queries: readonly types.ReadQuery[], options?: ReadCallsOptions) {
    const start = performance.now()
    // Stays if the consumer stops, which only `finally` sees.
    let outcome: ReadReport['outcome'] = 'cancelled'
    let records = 0
    const readPage = (query: types.CallQuery, signal: AbortSignal) =>
      this.calls(account, query, { ...retries.patient, signal })
    try {
      for await (const batch of readLists(readPage, queries, options)) {
        yield batch
        records += batch.calls.length
      }
      outcome = 'ok'
    } catch (error) {
      if (error instanceof types.TelephonyError) outcome = error.outcome
      throw error
    } finally {
      this.emit('read', { outcome, records, ms: performance.now() - start })
    }
  }

  async agents(account: types.Account): Promise<readonly wire.Agent[]> {
    const { result } = await this.run(account, 'agents', retries.few)
    return result.map(wire.toAgent)
  }

  async billing(account: types.Account): Promise<wire.Billing> {
    const { result } = await this.run(account, 'billing', retries.few)
    const [details] = result
    if (details === undefined) throw new types.TelephonyError('envelope')
    return wire.toBilling(details)
  }

  /** Deletes the customer, according to the spec. May have succeeded despite an error with `sent`. */
  async invoices(account: types.Account, customerId: string): Promise<readonly wire.Invoice[]> {
    const { result } = await this.run(account, 'invoices', retries.none, { customer_id: customerId })
    return result.map(wire.toInvoice)
  }
}

/** Parses records lazily: a poll without news reads only the ids. */
function createPage(query: types.CallQuery, { result, total }: ServiceResponse) {
  const { direction, offset, page } = query
  const window = wire.toTimeWindow(query)
  const parse = (record: unknown) => wire.toCall(record, direction, offset, window)
  let calls: readonly types.Call[] | undefined
  return {
    page,
    total: toPossibleTotal(wire.parseTotal(total), page, result.length),
    get calls(): readonly types.Call[] {
      calls ??= result.map(parse)
      return calls
    },
    get ids(): readonly string[] {
      return result.map((record) => wire.toId(record) || types.getCallIdentity(parse(record)))
    },
  }
}

/** Drops a total that is smaller than the number of calls up to this page. */
function toPossibleTotal(total: number | undefined, page: number, rowCount: number): number | undefined {
  // An empty page may be far behind the last one, so it tells nothing.
  if (total === undefined || rowCount === 0) return total
  const knownCount = (page - 1) * types.PAGE_SIZE + rowCount
  return total < knownCount ? undefined : total
}
