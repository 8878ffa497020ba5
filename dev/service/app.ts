import { OpenAPIHono } from '@hono/zod-openapi'
import { addControl } from './control.ts'
import type { SandboxEnv } from './env.ts'
import { FaultQueue, type Faults } from './faults.ts'
import { BoundedRequestLog, type RequestLog } from './requests.ts'
import { livelyAccount, quietAccount } from './seeds/accounts.ts'
import { createService } from './service.ts'
import type { SandboxAccount } from './types.ts'
import { welcomePage } from './welcome.ts'

export interface SandboxOptions {
  /** The same seed and the same day give the same data. */
  readonly seed?: number | undefined
  readonly now?: (() => Date) | undefined
  /** About how many calls the lively account has had in ninety days, at most a million. */
  readonly calls?: number | undefined
  /** Lets other processes ask for faults and read the request log over HTTP, under `/sandbox/`. */
  readonly control?: boolean | undefined
}

/** The service of the specification with invented data. Its operations are under `/api/v1`. */
export interface Sandbox {
  /** `app.fetch` works without a port. */
  readonly app: OpenAPIHono<SandboxEnv>
  readonly accounts: { readonly lively: SandboxAccount; readonly quiet: SandboxAccount }
  readonly faults: Faults
  readonly requests: RequestLog
}

export const BASE_PATH = '/api/v1'
const KEPT_REQUESTS = 1000

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { seed = 1, now = () => new Date(), calls = 4500 } = options
  if (!(calls >= 0 && calls <= 1_000_000)) throw new RangeError('calls must be between 0 and a million')
  const lively = livelyAccount({ seed, calls, now })
  const quiet = quietAccount({ seed, calls, now })
  const accounts = [lively, quiet]
  const faults = new FaultQueue()
  const requests = new BoundedRequestLog(KEPT_REQUESTS)

  const app = new OpenAPIHono<SandboxEnv>()
  app.route(BASE_PATH, createService({ accounts, faults, requests, now }))
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Voice Telephony Account API (sandbox)',
      version: 'v1',
      description: 'All parameters are sent in the query string. Data here is invented.',
    },
  })
  app.get('/', (c) => c.html(welcomePage(BASE_PATH)))
  addControl(app, { accounts, faults, requests, control: options.control ?? false })
  app.notFound((c) => c.json({ status: '404', message: 'No such path' }, 404))
  app.onError((_error, c) => c.json({ status: '500', message: 'The sandbox failed' }, 500))
  return { app, accounts: { lively, quiet }, faults, requests }
}
