import type { OpenAPIHono } from '@hono/zod-openapi'
import { faultRequest } from './faults.ts'
import type { SandboxEnv, SandboxState } from './sandbox-env.ts'

/**
 * What the sandbox has besides the service, under a path that the service does not have.
 *
 * @param control without it, only the customers can be looked at
 */
export function addControl(
  app: OpenAPIHono<SandboxEnv>,
  { accounts, faults, requests }: SandboxState,
  control: boolean,
): void {
  app.get('/sandbox/customers', (c) =>
    c.json(
      accounts.flatMap((account) =>
        account.customers.map(({ id, name, deleted, deletions, invoices }) => ({
          account: account.name,
          id,
          name,
          deleted,
          deletions,
          invoices: invoices.map((invoice) => invoice.id),
        })),
      ),
    ),
  )
  if (!control) return

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
  app.get('/sandbox/requests', (c) => c.json({ count: requests.count(), requests: requests.entries() }))
  app.delete('/sandbox/requests', (c) => {
    requests.clear()
    return c.body(null, 204)
  })
}
