import { Hono } from 'hono'
import { createService } from './api/service.ts'
import { addControl } from './control.ts'
import { FaultQueue } from './faults.ts'
import { RequestLog } from './request-log.ts'
import type { SandboxEnv } from './sandbox-env.ts'
import { livelyAccount, quietAccount } from './seeds/accounts.ts'

export const BASE_PATH = '/api/v1'
const KEPT_REQUESTS = 1000

export type Sandbox = ReturnType<typeof createSandbox>

/**
 * Creates the service of the specification with invented data. Its operations are below `/api/v1`; `app.fetch` needs no
 * port.
 */
export function createSandbox(
  options: {
    /** Determines the data, together with the day. */
    readonly seed?: number | undefined
    readonly now?: (() => Date) | undefined
    /** Approximate number of calls of the lively account in ninety days; at most a million. */
    readonly calls?: number | undefined
    /** Missed calls of the lively account on every day, in addition to `calls`. */
    readonly missedADay?: number | undefined
    /** Lets other processes add faults and missed calls and read the request log over HTTP, below `/sandbox/`. */
    readonly control?: boolean | undefined
  } = {},
) {
  const { seed = 1, now = () => new Date(), calls = 4500, missedADay = 0, control = false } = options
  if (!(calls >= 0 && calls <= 1_000_000)) throw new RangeError('calls must be between 0 and a million')
  const accounts = { lively: livelyAccount(seed, now, { calls, missedADay }), quiet: quietAccount(seed, now) }
  const faults = new FaultQueue()
  const requests = new RequestLog(KEPT_REQUESTS)
  const state = { accounts: Object.values(accounts), faults, requests, now }

  const app = new Hono<SandboxEnv>()
  app.route(BASE_PATH, createService(state))
  if (control) addControl(app, state)
  app.notFound((c) => c.json({ status: '404', message: 'No such path' }, 404))
  app.onError((_error, c) => c.json({ status: '500', message: 'The sandbox failed' }, 500))
  return { app, accounts, faults, requests }
}
