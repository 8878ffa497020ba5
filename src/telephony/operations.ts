import type { LocalDay } from '../time/types.ts'
import type { Operation } from './errors.ts'
import type { CallQuery, CallStatus, Credentials } from './types.ts'

/** A request with the service's own parameters, without key and secret. */
export interface ServiceRequest {
  readonly operation: Operation
  readonly parameters?: Readonly<Record<string, string | undefined>>
}

interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** A response with more records is refused; the spec's pages have 20. */
  readonly maxRecords?: number
  /** A longer body is refused before it is parsed, in characters. */
  readonly maxLength?: number
}

const PAGE_LIMITS = { maxRecords: 200, maxLength: 1_000_000 }

export const endpoints: Readonly<Record<Operation, Endpoint>> = {
  outgoing: { method: 'POST', path: '/outgoing', ...PAGE_LIMITS },
  incoming: { method: 'GET', path: '/incoming', ...PAGE_LIMITS },
  agents: { method: 'GET', path: '/agent/list' },
  billing: { method: 'GET', path: '/billing/details' },
  invoices: { method: 'POST', path: '/billing/invoice' },
}

const STATUS_NAMES: Readonly<Record<CallStatus, string>> = { answered: 'Answered', missed: 'Not Answered' }

/** `DD-MM-YYYY`, as `from` and `to` take it (spec, "Outgoing call records"). */
export const toServiceDay = (day: LocalDay): string => day.split('-').reverse().join('-')

/** @throws {RangeError} if the page is not a whole number from 1 */
export function callsRequest(query: CallQuery) {
  const { direction, offset, from, to, status, agentId, page } = query
  if (!Number.isSafeInteger(page) || page < 1) throw new RangeError('pages count from 1')
  const parameters = {
    timezone: offset,
    from: from && toServiceDay(from),
    to: to && toServiceDay(to),
    status: status && STATUS_NAMES[status],
    agentid: agentId,
    // The service counts outgoing pages from 0 and incoming ones from 1.
    page: String(direction === 'outgoing' ? page - 1 : page),
  }
  return { operation: direction, parameters } satisfies ServiceRequest
}

export const invoicesRequest = (customerId: string): ServiceRequest => ({
  operation: 'invoices',
  parameters: { customer_id: customerId },
})

/** The whole query string, key and secret included: never log it. */
export function toQueryString({ key, secret }: Credentials, { parameters = {} }: ServiceRequest): string {
  const search = new URLSearchParams({ key, secret })
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value)
  return search.toString()
}
