import type { Dispatcher } from 'undici'
import { Deadline } from '../util/deadline.ts'
import {
  type Operation,
  outcomeOf,
  type RequestOutcome,
  ServiceUnavailableError,
  TelephonyError,
  TooManyWaitingError,
} from './errors.ts'
import { type Ask, askForCalls, askForInvoices, searchOf } from './operations.ts'
import { nextPage } from './paging.ts'
import { createProtection } from './protection.ts'
import { withRetries } from './retry.ts'
import { createSlots } from './slots.ts'
import { type ServiceAnswer, tryOnce } from './transport.ts'
import type { Account, Agent, Billing, CallPage, CallQuery, Invoice } from './types.ts'
import { toAgent, toBilling, toCall, toInvoice } from './wire.ts'
import { parseTotal } from './wire-values.ts'

/** One try, without anything that is secret or anybody's. */
export interface RequestReport {
  readonly operation: Operation
  readonly outcome: RequestOutcome
  readonly ms: number
  /** Counts from 1. */
  readonly attempt: number
}

export interface TelephonyClientOptions {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  /** Its owner closes it. */
  readonly dispatcher: Dispatcher
  /** For a whole read, retries and the wait for a slot included. */
  readonly timeoutMs?: number
  readonly maxRetries?: number
  /** Requests under way for one tenant. */
  readonly maxConcurrent?: number
  /** Requests that wait for one tenant; more are turned away. */
  readonly maxWaiting?: number
  /** How long a service, or a pair of key and secret, that keeps failing is left alone. */
  readonly restMs?: number
  readonly onRequest?: (report: RequestReport) => void
}

/** Every operation of the service. Each rejects with a `TelephonyError` (errors.ts). */
export interface TelephonyClient {
  calls(account: Account, query: CallQuery): Promise<CallPage>
  /** The pages from `query.page` on, until the records end. */
  callPages(account: Account, query: CallQuery): AsyncIterable<CallPage>
  agents(account: Account): Promise<readonly Agent[]>
  billing(account: Account): Promise<Billing>
  /**
   * Described by the service as deleting the customer. Sent once, never again and never shared; where it fails with a
   * `ServiceUnavailableError` whose `sent` is true, it may have been carried out.
   */
  invoices(account: Account, customerId: string): Promise<readonly Invoice[]>
  /** How many requests of this tenant could start right now. */
  idleSlots(tenant: string): number
  /** How it stands, for metrics. */
  readonly state: { readonly waiting: number; readonly isResting: boolean }
}

/** With less time left than this, nothing is sent that could not be answered in time. */
const leastMs = 10

export function createTelephonyClient(options: TelephonyClientOptions): TelephonyClient {
  const {
    timeoutMs = 8000,
    maxRetries = 2,
    maxConcurrent = 4,
    maxWaiting = 20,
    restMs = 5000,
    onRequest,
  } = options
  const { origin, pathname } = new URL(options.baseUrl)
  const target = { dispatcher: options.dispatcher, origin, basePath: pathname.replace(/\/+$/, '') }
  const slots = createSlots(maxConcurrent, maxWaiting)
  const protection = createProtection({ restMs })
  const underWay = new Map<string, Promise<ServiceAnswer>>()

  async function send(
    account: Account,
    ask: Ask,
    search: string,
    signal: AbortSignal,
    attempt: number,
  ): Promise<ServiceAnswer> {
    const start = performance.now()
    let outcome: RequestOutcome = 'ok'
    try {
      return await protection.run(account, ask.operation, () => tryOnce(target, ask, search, signal))
    } catch (error) {
      outcome = error instanceof TelephonyError ? outcomeOf(error) : 'connection'
      throw error
    } finally {
      onRequest?.({ operation: ask.operation, outcome, ms: performance.now() - start, attempt })
    }
  }

  /**
   * In one of the tenant's slots, within the deadline. Whoever holds a slot came earlier and is over earlier, so the line
   * itself needs no deadline.
   */
  async function run(account: Account, ask: Ask, search: string, retries: number): Promise<ServiceAnswer> {
    const deadline = new Deadline(timeoutMs)
    try {
      const running = slots.run(account.tenant, () => {
        if (deadline.remainingMs() < leastMs) {
          throw new ServiceUnavailableError(ask.operation, 'timeout', { sent: false })
        }
        const attempt = (number: number) => send(account, ask, search, deadline.signal, number)
        return withRetries(attempt, { maxRetries: retries, deadline })
      })
      if (running === undefined) throw new TooManyWaitingError(ask.operation)
      return await running
    } finally {
      deadline.clear()
    }
  }

  /** Identical reads under way at the same time are one request. */
  function read(account: Account, ask: Ask): Promise<ServiceAnswer> {
    const search = searchOf(account.credentials, ask)
    const identity = `${account.tenant} ${ask.operation} ${search}`
    const joined = underWay.get(identity)
    if (joined) return joined
    const started = run(account, ask, search, maxRetries).finally(() => underWay.delete(identity))
    underWay.set(identity, started)
    return started
  }

  async function calls(account: Account, query: CallQuery): Promise<CallPage> {
    const { result, total } = await read(account, askForCalls(query))
    return {
      calls: result.map((record) => toCall(record, query.direction, query.offset)),
      page: query.page,
      total: parseTotal(total),
    }
  }

  return {
    calls,
    async *callPages(account, query) {
      let before: string | undefined
      for (let page: number | undefined = query.page; page !== undefined; ) {
        const shown: CallPage = await calls(account, { ...query, page })
        const ids = JSON.stringify(shown.calls.map(({ id }) => id))
        // A service that tells no total and repeats its last full page must not keep us for ever.
        if (shown.calls.length === 0 || ids === before) return
        yield shown
        before = ids
        page = nextPage(shown)
      }
    },
    async agents(account) {
      return (await read(account, { operation: 'agents', parameters: {} })).result.map(toAgent)
    },
    async billing(account) {
      const [details] = (await read(account, { operation: 'billing', parameters: {} })).result
      if (details === undefined) throw new ServiceUnavailableError('billing', 'envelope')
      return toBilling(details)
    },
    async invoices(account, customerId) {
      const ask = askForInvoices(customerId)
      const { result } = await run(account, ask, searchOf(account.credentials, ask), 0)
      return result.map(toInvoice)
    },
    idleSlots: (tenant) => slots.idle(tenant),
    get state() {
      return { waiting: slots.waiting, isResting: protection.isResting }
    },
  }
}
