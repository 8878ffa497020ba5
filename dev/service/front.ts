import type { Context, MiddlewareHandler } from 'hono'
import type { Account } from './account.ts'
import type { Failure } from './answers.ts'
import { pause } from './connection.ts'
import type { SandboxEnv } from './env.ts'
import { answerWith } from './fault-answers.ts'
import type { FaultQueue } from './faults.ts'
import type { BoundedRequestLog } from './requests.ts'
import type { Operation } from './types.ts'

export interface FrontDeps {
  readonly accounts: readonly Account[]
  readonly faults: FaultQueue
  readonly requests: BoundedRequestLog
  readonly now: () => Date
}

/**
 * What every request to an operation passes before its other parameters are looked at: it is logged, meets
 * the fault that waits for it, and shows its credentials. A missing key or secret is a 400, a wrong pair
 * a 401, whatever else may be wrong with the request.
 */
export function front(operation: Operation, deps: FrontDeps): MiddlewareHandler<SandboxEnv> {
  const { accounts, faults, requests, now } = deps
  return async (c, next) => {
    const { key = '', secret = '', ...params } = c.req.query()
    const missing = [key === '' ? 'key' : '', secret === '' ? 'secret' : ''].filter((name) => name !== '')
    const account = accounts.find((known) => known.key === key && known.secret === secret)
    const credentials = account ? 'accepted' : missing.length > 0 ? 'missing' : 'refused'
    const answered = requests.add({
      at: now(),
      method: c.req.method,
      operation,
      params,
      credentials,
      account: account?.name,
    })

    const right = async (): Promise<void> => {
      if (account) {
        c.set('account', account)
        await next()
      } else c.res = missing.length > 0 ? refused(c, missing) : c.json(WRONG_PAIR, 401)
    }

    const trouble = faults.take(operation)
    if (trouble?.delay) await pause(c, trouble.delay.ms)
    if (trouble?.answer) {
      const answer = await answerWith(trouble.answer, c, right)
      if (answer) c.res = answer
    } else await right()
    if (!c.env?.outgoing?.destroyed) answered(c.res.status)
  }
}

const WRONG_PAIR: Failure = { status: '401', message: 'Invalid API Key & Password' }

/** A 400 that names the parameters, and none of their values. */
export function refused(c: Context, names: readonly string[]) {
  const body: Failure = { status: '400', message: `Missing or invalid properties: ${names.join(', ')}` }
  return c.json(body, 400)
}
