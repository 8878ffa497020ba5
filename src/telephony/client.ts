import { Agent as Connections, type Dispatcher } from 'undici'
import { toServiceDay } from '../time/days.ts'
import { type Operation, ServiceUnavailableError, TelephonyError } from './errors.ts'
import { withRetries } from './retry.ts'
import { createSlots } from './slots.ts'
import { tryOnce } from './transport.ts'
import type { Account, Agent, Billing, CallPage, CallQuery, Invoice } from './types.ts'
import { parseTotal, toAgent, toBilling, toCall, toInvoice } from './wire.ts'

export interface RequestReport {
  readonly operation: Operation
  readonly outcome: 'ok' | string
  readonly ms: number
  readonly attempt: number
}

export interface TelephonyClientOptions {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  readonly dispatcher?: Dispatcher
  /** For a whole read, retries and the wait for a slot included. */
  readonly timeoutMs?: number
  readonly maxRetries?: number
  /** Requests under way for one tenant. */
  readonly maxConcurrent?: number
  /** Told of every try, without anything that is secret or anybody's. */
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
   * Described by the service as deleting the customer. Sent once, never again and never shared; after an error of reason
   * `timeout`, `connection`, `not-json` or `envelope`, or a 5xx, it may have been carried out.
   */
  invoices(account: Account, customerId: string): Promise<readonly Invoice[]>
  /** How many requests of this tenant could start right now. */
  idleSlots(tenant: string): number
  close(): Promise<void>
}

/** Spec, "Limits": records on a page of a listing. */
export const PAGE_SIZE = 20

const paths: Readonly<Record<Operation, { method: 'GET' | 'POST'; path: string }>> = {
  outgoing: { method: 'POST', path: '/outgoing' },
  incoming: { method: 'GET', path: '/incoming' },
  agents: { method: 'GET', path: '/agent/list' },
  billing: { method: 'GET', path: '/billing/details' },
  invoices: { method: 'POST', path: '/billing/invoice' },
}

type Answer = Awaited<ReturnType<typeof tryOnce>>
type Parameters = Readonly<Record<string, string | undefined>>

function callParameters(query: CallQuery): Parameters {
  return {
    timezone: query.offset,
    from: query.from && toServiceDay(query.from),
    to: query.to && toServiceDay(query.to),
    status: query.status && (query.status === 'answered' ? 'Answered' : 'Not Answered'),
    agentid: query.agentId,
    // The service counts outgoing pages from 0 and incoming ones from 1.
    page: String(query.direction === 'outgoing' ? query.page - 1 : query.page),
  }
}

export function createTelephonyClient(options: TelephonyClientOptions): TelephonyClient {
  const { timeoutMs = 8000, maxRetries = 2, maxConcurrent = 4, onRequest } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const dispatcher: Dispatcher =
    options.dispatcher ??
    new Connections({
      keepAliveTimeout: 60_000,
      connect: { timeout: 4000 },
      maxResponseSize: 4 * 1024 * 1024,
    })
  const slots = createSlots(maxConcurrent)
  const underWay = new Map<string, Promise<Answer>>()

  async function send(operation: Operation, search: string, signal: AbortSignal, attempt: number) {
    const { method, path } = paths[operation]
    const start = performance.now()
    try {
      const answer = await tryOnce({
        url: `${baseUrl}${path}?${search}`,
        method,
        operation,
        dispatcher,
        signal,
      })
      onRequest?.({ operation, outcome: 'ok', ms: performance.now() - start, attempt })
      return answer
    } catch (error) {
      const outcome =
        error instanceof ServiceUnavailableError
          ? error.reason
          : error instanceof TelephonyError
            ? error.name
            : 'error'
      onRequest?.({ operation, outcome, ms: performance.now() - start, attempt })
      throw error
    }
  }

  function searchOf({ credentials }: Account, parameters: Parameters): string {
    const search = new URLSearchParams({ key: credentials.key, secret: credentials.secret })
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value)
    return search.toString()
  }

  /** Identical reads under way at the same time are one request. */
  async function read(operation: Operation, account: Account, parameters: Parameters): Promise<Answer> {
    const search = searchOf(account, parameters)
    const identity = `${account.tenant} ${operation} ${search}`
    const joined = underWay.get(identity)
    if (joined) return joined
    const signal = AbortSignal.timeout(timeoutMs)
    let attempt = 0
    const work = () => {
      attempt += 1
      return send(operation, search, signal, attempt)
    }
    const started = slots
      .run(account.tenant, () => withRetries(work, { maxRetries, signal }))
      .finally(() => underWay.delete(identity))
    underWay.set(identity, started)
    return started
  }

  async function calls(account: Account, query: CallQuery): Promise<CallPage> {
    const { result, total_record } = await read(query.direction, account, callParameters(query))
    return {
      calls: result.map((record) => toCall(record, query.direction, query.offset)),
      page: query.page,
      total: parseTotal(total_record),
    }
  }

  return {
    calls,
    async *callPages(account, query) {
      for (let page = query.page; ; page += 1) {
        const shown = await calls(account, { ...query, page })
        if (shown.calls.length > 0) yield shown
        const isLast =
          shown.total === undefined ? shown.calls.length < PAGE_SIZE : page * PAGE_SIZE >= shown.total
        if (isLast || shown.calls.length === 0) return
      }
    },
    async agents(account) {
      return (await read('agents', account, {})).result.map(toAgent)
    },
    async billing(account) {
      const [details] = (await read('billing', account, {})).result
      if (details === undefined) throw new ServiceUnavailableError('billing', 'envelope')
      return toBilling(details)
    },
    async invoices(account, customerId) {
      const signal = AbortSignal.timeout(timeoutMs)
      const search = searchOf(account, { customer_id: customerId })
      const answer = await slots.run(account.tenant, () => send('invoices', search, signal, 1))
      return answer.result.map(toInvoice)
    },
    idleSlots: (tenant) => slots.idle(tenant),
    async close() {
      if (!options.dispatcher) await dispatcher.close()
    },
  }
}
