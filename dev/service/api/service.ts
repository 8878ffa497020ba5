import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { dayMs } from '../../../src/util/units.ts'
import type { CallFilter } from '../call-ledger.ts'
import { toAgent, toBilling, toIncoming, toInvoice, toOutgoing } from '../records.ts'
import type { SandboxEnv, SandboxState } from '../sandbox-env.ts'
import type { Direction } from '../types.ts'
import { badRequest, operationMiddleware } from './operation-middleware.ts'
import {
  incomingParameters,
  invoiceParameters,
  type ListingParameters,
  outgoingParameters,
} from './parameters.ts'
import { startOfDayAt } from './wire-time.ts'

const SUCCESS = { status: '200', message: 'Success' } as const

const METHODS = {
  '/outgoing': ['POST'],
  '/incoming': ['GET'],
  '/billing/details': ['GET'],
  '/billing/invoice': ['POST'],
  '/agent/list': ['GET', 'POST'],
} as const

/** Parses the query, or returns a response with the names of invalid parameters. */
function withQuery<T>(
  schema: z.ZodType<T>,
  answer: (c: Context<SandboxEnv>, query: T) => Response,
): (c: Context<SandboxEnv>) => Response {
  return (c) => {
    // A parameter that is given twice is invalid.
    const parameters = Object.entries(c.req.queries()).map(([name, all]) => [
      name,
      all.length > 1 ? all : all[0],
    ])
    const { data, error } = schema.safeParse(Object.fromEntries(parameters))
    return error
      ? badRequest(c, [...new Set(error.issues.map(({ path }) => String(path[0])))])
      : answer(c, data)
  }
}

/** Creates the five operations of the service, to be mounted below its version. */
export function createService(state: SandboxState): Hono<SandboxEnv> {
  const api = new Hono<SandboxEnv>()

  api.post(
    '/outgoing',
    operationMiddleware('outgoing', state),
    withQuery(outgoingParameters, (c, query) => {
      const { calls, total } = c.var.account.page(toCallFilter('outgoing', query), query.page)
      const result = calls.map((call) => toOutgoing(call, query.timezone))
      return c.json({ ...SUCCESS, total_record: String(total), result })
    }),
  )
  api.get(
    '/incoming',
    operationMiddleware('incoming', state),
    withQuery(incomingParameters, (c, query) => {
      const { account } = c.var
      const { calls, total } = account.page(toCallFilter('incoming', query), query.page - 1)
      const result = calls.map((call) => toIncoming(call, query.timezone, account.agents))
      return c.json({ ...SUCCESS, total_record: String(total), result })
    }),
  )
  api.get('/billing/details', operationMiddleware('billing', state), (c) =>
    c.json({ ...SUCCESS, result: [toBilling(c.var.account.billing, state.now())] }),
  )
  api.post(
    '/billing/invoice',
    operationMiddleware('invoices', state),
    withQuery(invoiceParameters, (c, query) => {
      const customer = c.var.account.deleteCustomer(query.customer_id)
      if (!customer) return badRequest(c, ['customer_id'])
      return c.json({ ...SUCCESS, result: customer.invoices.map(toInvoice) })
    }),
  )
  api.on(['GET', 'POST'], '/agent/list', operationMiddleware('agents', state), (c) =>
    c.json({ ...SUCCESS, result: c.var.account.agents.map(toAgent) }),
  )

  for (const [path, methods] of Object.entries(METHODS)) {
    const allow = methods.join(', ')
    api.all(path, (c) => c.json({ status: '405', message: `Use ${allow}` }, 405, { allow }))
  }
  return api
}

/** The offset applies to the times in the response and to both days. */
function toCallFilter(direction: Direction, query: ListingParameters): CallFilter {
  const { from, to, timezone, status, agentid } = query
  return {
    direction,
    since: from === undefined ? undefined : startOfDayAt(from, timezone),
    before: to === undefined ? undefined : startOfDayAt(to + dayMs, timezone),
    answered: status === undefined ? undefined : status === 'Answered',
    agentId: agentid === undefined ? undefined : agentid.replace(/^0+(?=\d)/, ''),
  }
}
