import type { Context, MiddlewareHandler } from 'hono'
import { pause } from '../connection.ts'
import { respondWith } from '../fault-responses.ts'
import type { SandboxEnv, SandboxState } from '../sandbox-env.ts'
import type { Operation } from '../types.ts'

const CREDENTIALS = ['key', 'secret']
const WRONG_PAIR = { status: '401', message: 'Invalid API Key & Password' }

/**
 * Handles every request to an operation before its parameters are parsed: logs it, applies the next fault, and checks
 * the credentials. A missing or repeated key or secret results in a 400, a wrong one in a 401, regardless of other
 * errors.
 */
export function operationMiddleware(
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
export function badRequest(c: Context, names: readonly string[]) {
  const body = { status: '400', message: `Missing or invalid properties: ${names.join(', ')}` }
  return c.json(body, 400)
}
