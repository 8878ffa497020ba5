import { OpenAPIHono } from '@hono/zod-openapi'
import { html } from 'hono/html'
import { createService } from './api/service.ts'
import { addControl } from './control.ts'
import { FaultQueue } from './faults.ts'
import { RequestLog } from './request-log.ts'
import type { SandboxEnv } from './sandbox-env.ts'
import { livelyAccount, quietAccount } from './seeds/accounts.ts'

const DESCRIPTION = `A hosted voice-calling account interface, answered by a sandbox: the data is invented.

All parameters are sent in the query string. All values in the envelopes and records are JSON strings,
including numbers, amounts and the \`status\` code. Another path is answered with 404 and another method with
405, both with a \`Failure\`.`

/** @param baseUrl ends in the version segment, `/api/v1` */
function openApiDocument(api: OpenAPIHono<SandboxEnv>, baseUrl: string) {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Voice Telephony Account API (sandbox)',
      version: 'v1',
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: baseUrl, description: 'This sandbox' }],
    security: [{ key: [], secret: [] }],
  })
}

function indexPage(basePath: string) {
  return html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Telephony sandbox</title></head>
  <body>
    <h1>Telephony sandbox</h1>
    <p>The Voice Telephony Account API with invented data. Its base path is <code>${basePath}</code>.</p>
    <ul>
      <li><code>POST /outgoing</code>, <code>GET /incoming</code></li>
      <li><code>GET /billing/details</code>, <code>POST /billing/invoice</code></li>
      <li><code>GET /agent/list</code>, <code>POST /agent/list</code></li>
    </ul>
    <p>
      <a href="/openapi.json">openapi.json</a> describes them;
      <a href="/sandbox/customers">/sandbox/customers</a> shows which customers were deleted.
    </p>
  </body>
</html>`
}

export const BASE_PATH = '/api/v1'
const KEPT_REQUESTS = 1000

export type Sandbox = ReturnType<typeof createSandbox>

/** The service of the specification with invented data. Its operations are under `/api/v1`; `app.fetch` needs no port. */
export function createSandbox(
  options: {
    /** The same seed and the same day give the same data. */
    readonly seed?: number | undefined
    readonly now?: (() => Date) | undefined
    /** About how many calls the lively account has had in ninety days, at most a million. */
    readonly calls?: number | undefined
    /** Missed calls that the lively account has on every day, besides those among `calls`. */
    readonly missedADay?: number | undefined
    /** Lets other processes ask for faults and missed calls and read the request log over HTTP, under `/sandbox/`. */
    readonly control?: boolean | undefined
  } = {},
) {
  const { seed = 1, now = () => new Date(), calls = 4500, missedADay = 0, control = false } = options
  if (!(calls >= 0 && calls <= 1_000_000)) throw new RangeError('calls must be between 0 and a million')
  const accounts = { lively: livelyAccount(seed, now, { calls, missedADay }), quiet: quietAccount(seed, now) }
  const faults = new FaultQueue()
  const requests = new RequestLog(KEPT_REQUESTS)
  const state = { accounts: Object.values(accounts), faults, requests, now }

  const app = new OpenAPIHono<SandboxEnv>()
  const api = createService(state)
  app.route(BASE_PATH, api)
  app.get('/openapi.json', (c) => c.json(openApiDocument(api, new URL(BASE_PATH, c.req.url).href)))
  app.get('/', (c) => c.html(indexPage(BASE_PATH)))
  addControl(app, state, control)
  app.notFound((c) => c.json({ status: '404', message: 'No such path' }, 404))
  app.onError((_error, c) => c.json({ status: '500', message: 'The sandbox failed' }, 500))
  return { app, accounts, faults, requests }
}
