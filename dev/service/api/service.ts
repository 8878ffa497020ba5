import { OpenAPIHono } from '@hono/zod-openapi'
import type { CallFilter } from '../call-ledger.ts'
import { toAgent, toBilling, toIncoming, toInvoice, toOutgoing } from '../records.ts'
import type { SandboxAccount } from '../sandbox-account.ts'
import type { SandboxEnv, SandboxState } from '../sandbox-env.ts'
import { DAY_MS } from '../seeds/days.ts'
import type { Direction, Operation } from '../types.ts'
import { badRequest, operationMiddleware } from './operation-middleware.ts'
import {
  agentsByPostRoute,
  agentsRoute,
  billingRoute,
  incomingRoute,
  invoicesRoute,
  outgoingRoute,
} from './operations.ts'
import type { ListingParameters } from './parameters.ts'
import { startOfDayAt } from './wire-time.ts'

const SUCCESS = { status: '200', message: 'Success' } as const

/** The five operations of the service, to be mounted under its version. */
export function createService(state: SandboxState): OpenAPIHono<SandboxEnv> {
  const api = new OpenAPIHono<SandboxEnv>({
    defaultHook: (result, c) =>
      result.success
        ? undefined
        : badRequest(c, [...new Set(result.error.issues.map(({ path }) => String(path[0])))]),
  })
  registerCredentials(api)
  const routeOf = <R extends object>(operation: Operation, route: R) => ({
    ...route,
    middleware: operationMiddleware(operation, state),
  })

  api.openapi(routeOf('outgoing', outgoingRoute), (c) => {
    const query = c.req.valid('query')
    const { calls, total } = c.var.account.page(filterOf('outgoing', query), query.page)
    const result = calls.map((call) => toOutgoing(call, query.timezone))
    return c.json({ ...SUCCESS, total_record: String(total), result }, 200)
  })

  api.openapi(routeOf('incoming', incomingRoute), (c) => {
    const query = c.req.valid('query')
    const { account } = c.var
    const { calls, total } = account.page(filterOf('incoming', query), query.page - 1)
    const result = calls.map((call) => toIncoming(call, query.timezone, account.agents))
    return c.json({ ...SUCCESS, total_record: String(total), result }, 200)
  })

  api.openapi(routeOf('billing', billingRoute), (c) => {
    return c.json({ ...SUCCESS, result: [toBilling(c.var.account.billing, state.now())] }, 200)
  })

  api.openapi(routeOf('invoices', invoicesRoute), (c) => {
    const customer = c.var.account.deleteCustomer(c.req.valid('query').customer_id)
    if (!customer) return badRequest(c, ['customer_id'])
    return c.json({ ...SUCCESS, result: customer.invoices.map(toInvoice) }, 200)
  })

  const agentList = (account: SandboxAccount) => ({ ...SUCCESS, result: account.agents.map(toAgent) })
  api.openapi(routeOf('agents', agentsRoute), (c) => c.json(agentList(c.var.account), 200))
  api.openapi(routeOf('agents', agentsByPostRoute), (c) => c.json(agentList(c.var.account), 200))

  refuseOtherMethods(api)
  return api
}

/** Every operation requires both; no other credential or header is read. */
function registerCredentials({ openAPIRegistry }: OpenAPIHono<SandboxEnv>): void {
  for (const [name, description] of [
    ['key', 'API key'],
    ['secret', 'API secret'],
  ] as const) {
    openAPIRegistry.registerComponent('securitySchemes', name, {
      type: 'apiKey',
      in: 'query',
      name,
      description,
    })
  }
}

/** The offset is that of the times shown and of the two days. */
function filterOf(direction: Direction, query: ListingParameters): CallFilter {
  const { from, to, timezone, status, agentid } = query
  return {
    direction,
    since: from === undefined ? undefined : startOfDayAt(from, timezone),
    before: to === undefined ? undefined : startOfDayAt(to + DAY_MS, timezone),
    answered: status === undefined ? undefined : status === 'Answered',
    agentId: agentid === undefined ? undefined : agentid.replace(/^0+(?=\d)/, ''),
  }
}

function refuseOtherMethods(api: OpenAPIHono<SandboxEnv>): void {
  const allowed = Map.groupBy(
    [outgoingRoute, incomingRoute, billingRoute, invoicesRoute, agentsRoute, agentsByPostRoute],
    ({ path }) => path,
  )
  for (const [path, routes] of allowed) {
    const methods = routes.map(({ method }) => method.toUpperCase()).join(', ')
    api.all(path, (c) => c.json({ status: '405', message: `Use ${methods}` }, 405, { allow: methods }))
  }
}
