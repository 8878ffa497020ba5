import type { LocalDay } from '../time/types.ts'
import type { Operation } from './errors.ts'
import type { CallQuery, CallStatus, Credentials } from './types.ts'

/** One request in the words of the service, still without key and secret. */
export interface ServiceRequest {
  readonly operation: Operation
  readonly parameters?: Readonly<Record<string, string | undefined>>
}

interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** A response that holds more is a broken service's; the spec's pages have 20. */
  readonly mostRecords?: number
}

export const endpoints: Readonly<Record<Operation, Endpoint>> = {
  outgoing: { method: 'POST', path: '/outgoing', mostRecords: 200 },
  incoming: { method: 'GET', path: '/incoming', mostRecords: 200 },
  agents: { method: 'GET', path: '/agent/list' },
  billing: { method: 'GET', path: '/billing/details' },
  invoices: { method: 'POST', path: '/billing/invoice' },
}

const statuses: Readonly<Record<CallStatus, string>> = { answered: 'Answered', missed: 'Not Answered' }

/** `DD-MM-YYYY`, as `from` and `to` take it (spec, "Outgoing call records"). */
export const toServiceDay = (day: LocalDay): string => day.split('-').reverse().join('-')

/** @throws {RangeError} for a page that is no whole number from 1 */
export function callsRequest(query: CallQuery) {
  const { direction, offset, from, to, status, agentId, page } = query
  if (!Number.isSafeInteger(page) || page < 1) throw new RangeError('pages count from 1')
  const parameters = {
    timezone: offset,
    from: from && toServiceDay(from),
    to: to && toServiceDay(to),
    status: status && statuses[status],
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
