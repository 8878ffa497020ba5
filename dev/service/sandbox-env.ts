import type { HttpBindings } from '@hono/node-server'
import type { FaultQueue } from './faults.ts'
import type { RequestLog } from './request-log.ts'
import type { SandboxAccount } from './sandbox-account.ts'

/** What the routes find in their context. The bindings are there on a served sandbox only. */
export interface SandboxEnv {
  Bindings: Partial<HttpBindings>
  Variables: { account: SandboxAccount }
}

export interface SandboxState {
  readonly accounts: readonly SandboxAccount[]
  readonly faults: FaultQueue
  readonly requests: RequestLog
  readonly now: () => Date
}
