import type { Hono } from 'hono'
import { z } from 'zod'
import { faultRequest } from './faults.ts'
import type { SandboxEnv, SandboxState } from './sandbox-env.ts'

const missedCallsRequest = z.strictObject({
  /** Name of the account; the first one by default. */
  account: z.string().optional(),
  count: z.int().min(1).max(100_000).default(1),
  line: z.string().optional(),
  agentId: z.string().optional(),
})

/** Lets other processes add faults and missed calls, below a path that the service doesn't have. */
export function addControl(app: Hono<SandboxEnv>, { accounts, faults, requests }: SandboxState): void {
  app.post('/sandbox/faults', async (c) => {
    const parsed = faultRequest.safeParse(await c.req.json().catch(() => undefined))
    if (!parsed.success) return c.json({ status: '400', message: parsed.error.message }, 400)
    const { fault, times, every, operation } = parsed.data
    if (every !== undefined) faults.every(every, fault, { operation })
    else if (times === 'always') faults.always(fault, { operation })
    else faults.next(fault, { times, operation })
    return c.body(null, 204)
  })
  app.delete('/sandbox/faults', (c) => {
    faults.clear()
    return c.body(null, 204)
  })
  app.post('/sandbox/missed-calls', async (c) => {
    const refuse = (message: string) => c.json({ status: '400', message }, 400)
    const isEmpty = (await c.req.text()) === ''
    const parsed = missedCallsRequest.safeParse(isEmpty ? {} : await c.req.json().catch(() => undefined))
    if (!parsed.success) return refuse(parsed.error.message)
    const { account: name = accounts[0]?.name, count, ...missed } = parsed.data
    const account = accounts.find((one) => one.name === name)
    if (!account) return refuse('there is no such account')
    try {
      return c.json({ account: name, calls: account.missCalls(count, missed) }, 201)
    } catch (error) {
      if (error instanceof RangeError) return refuse(error.message)
      throw error
    }
  })
  app.get('/sandbox/requests', (c) => c.json({ count: requests.count(), requests: requests.entries() }))
  app.delete('/sandbox/requests', (c) => {
    requests.clear()
    return c.body(null, 204)
  })
}
