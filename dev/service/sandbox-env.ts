import type { HttpBindings } from '@hono/node-server'
import type { FaultQueue } from './faults.ts'
import type { RequestLog } from './request-log.ts'
import type { SandboxAccount } from './sandbox-account.ts'

/** Context of the routes. Only a served sandbox has bindings. */
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
