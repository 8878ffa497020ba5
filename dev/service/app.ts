import { Hono } from 'hono'
import { z } from 'zod'
import { createService } from './api/service.ts'
import { FaultQueue, faultRequest } from './faults.ts'
import { createRecording } from './recording.ts'
import { RequestLog } from './request-log.ts'
import type { SandboxEnv, SandboxState } from './sandbox-env.ts'
import { livelyAccount, quietAccount } from './seeds/accounts.ts'

export const BASE_PATH = '/api/v1'
export const RECORDINGS_PATH = '/recordings/'
const KEPT_REQUESTS = 1000

export type Sandbox = ReturnType<typeof createSandbox>

/**
 * Creates the service of the specification with invented data. Its operations are below `/api/v1`, its recordings
 * below `/recordings`; `app.fetch` needs no port.
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
  // Otherwise the first request would wait for seconds.
  if (calls > 10_000) accounts.lively.calls('incoming')
  const faults = new FaultQueue()
  const requests = new RequestLog(KEPT_REQUESTS)
  const state = { accounts: Object.values(accounts), faults, requests, now }

  const app = new Hono<SandboxEnv>()
  app.route(BASE_PATH, createService(state))
  app.get(`${RECORDINGS_PATH}*`, (c) => c.body(createRecording(), 200, { 'content-type': 'audio/wav' }))
  if (control) addControl(app, state)
  app.notFound((c) => c.json({ status: '404', message: 'No such path' }, 404))
  app.onError((_error, c) => c.json({ status: '500', message: 'The sandbox failed' }, 500))
  return { app, accounts, faults, requests }
}

const missedCallsRequest = z.strictObject({
  /** Name of the account; the first one by default. */
  account: z.string().optional(),
  count: z.int().min(1).max(100_000).default(1),
  line: z.string().optional(),
  agentId: z.string().optional(),
})

/** Lets other processes add faults and missed calls, below a path that the service doesn't have. */
function addControl(app: Hono<SandboxEnv>, { accounts, faults, requests }: SandboxState): void {
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
