import type { HttpBindings } from '@hono/node-server'
import type { Account } from './account.ts'

/** What the routes find in their context. The bindings are there on a served sandbox only. */
export interface SandboxEnv {
  Bindings: Partial<HttpBindings>
  Variables: { account: Account }
}
