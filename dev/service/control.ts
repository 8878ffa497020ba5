import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Account } from './account.ts'
import type { SandboxEnv } from './env.ts'
import { type Faults, faultRequest } from './faults.ts'
import type { RequestLog } from './requests.ts'

export interface ControlDeps {
  readonly accounts: readonly Account[]
  readonly faults: Faults
  readonly requests: RequestLog
  /** Without it, only the customers can be looked at. */
  readonly control: boolean
}

/** What the sandbox has besides the service, under a path that the service does not have. */
export function addControl(app: OpenAPIHono<SandboxEnv>, deps: ControlDeps): void {
  const { accounts, faults, requests, control } = deps

  app.get('/sandbox/customers', (c) =>
    c.json(
      accounts.flatMap((account) =>
        account.customers.map(({ id, name, deleted, deletions, invoices }) => {
          return {
            account: account.name,
            id,
            name,
            deleted,
            deletions,
            invoices: invoices.map((each) => each.id),
          }
        }),
      ),
    ),
  )
  if (!control) return

  app.post('/sandbox/faults', async (c) => {
    const asked = faultRequest.safeParse(await c.req.json().catch(() => undefined))
    if (!asked.success) return c.json({ status: '400', message: asked.error.message }, 400)
    const { fault, times, operation } = asked.data
    if (times === 'always') faults.always(fault, { operation })
    else faults.next(fault, { times, operation })
    return c.body(null, 204)
  })
  app.delete('/sandbox/faults', (c) => {
    faults.clear()
    return c.body(null, 204)
  })
  app.get('/sandbox/requests', (c) => c.json({ count: requests.count(), requests: requests.entries() }))
  app.delete('/sandbox/requests', (c) => {
    requests.clear()
    return c.body(null, 204)
  })
}
