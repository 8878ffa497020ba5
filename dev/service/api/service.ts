import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { dayMs } from '../../../src/util/units.ts'
import type { CallFilter } from '../call-ledger.ts'
import { pause, respondWith } from '../fault-responses.ts'
import { toAgent, toBilling, toIncoming, toInvoice, toOutgoing } from '../records.ts'
import type { SandboxEnv, SandboxState } from '../sandbox-env.ts'
import type { Direction, Operation } from '../types.ts'
import { parseDate, parseOffset, startOfDayAt } from './wire-time.ts'

/**
 * Query parameters of the operations, except the credentials, which are checked before. Responses name invalid
 * parameters, but never repeat their values.
 */

const invoiceParameters = z.object({ customer_id: z.string().min(1) })

/** Converts an offset to minutes. An unencoded `+` arrives as a space and is refused. */
const timezone = textRead(parseOffset, 'not ±HH:MM')

const dateOnly = textRead(parseDate, 'not a day, DD-MM-YYYY')

function textRead(parse: (text: string) => number | undefined, message: string) {
  return z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

const wholeNumber = z.string().regex(/^\d+$/)

const filters = {
  timezone,
  from: dateOnly.optional(),
  to: dateOnly.optional(),
  status: z.enum(['Answered', 'Not Answered']).optional(),
  agentid: wholeNumber.optional(),
}

const listingParameters = (first: number) =>
  z
    .object({
      ...filters,
      page: wholeNumber
        .default(String(first))
        .transform(Number)
        .refine((page) => page >= first),
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['from'],
      error: 'after to',
    })

const outgoingParameters = listingParameters(0)
const incomingParameters = listingParameters(1)
type ListingParameters = z.output<typeof outgoingParameters>

const CREDENTIALS = ['key', 'secret']
const WRONG_PAIR = { status: '401', message: 'Invalid API Key & Password' }

/**
 * Handles every request to an operation before its parameters are parsed: logs it, applies the next fault, and checks
 * the credentials. A missing or repeated key or secret results in a 400, a wrong one in a 401, regardless of other
 * errors.
 */
function operationMiddleware(
  operation: Operation,
  { accounts, faults, requests, now }: SandboxState,
): MiddlewareHandler<SandboxEnv> {
  return async (c, next) => {
    const { key = '', secret = '', ...params } = c.req.query()
    const invalid = CREDENTIALS.filter(
      (name) => c.req.queries(name)?.length !== 1 || c.req.query(name) === '',
    )
    const account =
      invalid.length > 0 ? undefined : accounts.find((one) => one.key === key && one.secret === secret)
    const credentials = account ? 'accepted' : invalid.length > 0 ? 'missing' : 'refused'
    const finish = requests.add({
      at: now(),
      method: c.req.method,
      operation,
      params,
      credentials,
      account: account?.name,
    })

    const respond = async (): Promise<void> => {
      if (account) {
        c.set('account', account)
        await next()
      } else c.res = invalid.length > 0 ? badRequest(c, invalid) : c.json(WRONG_PAIR, 401)
    }

    const { delay, response: fault } = faults.take(operation)
    if (delay) await (delay.kind === 'hold' ? delay.until : pause(c, delay.ms))
    if (fault) {
      const response = await respondWith(fault, c, respond)
      if (response) c.res = response
    } else await respond()
    if (!c.env?.outgoing?.destroyed) finish(c.res.status)
  }
}

/** Returns a 400 with the names of the parameters, but none of their values. */
function badRequest(c: Context, names: readonly string[]) {
  const body = { status: '400', message: `Missing or invalid properties: ${names.join(', ')}` }
  return c.json(body, 400)
}

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
