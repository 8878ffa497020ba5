import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { InFlight } from '../util/promises.ts'
import type { Milliseconds } from '../util/units.ts'

/** `unsigned`: not from Slack, whose requests always have a signature. `cut`: the connection ended within the body. */
const refusalStatuses = {
  malformed: 400,
  unsigned: 401,
  signature: 401,
  timestamp: 401,
  cut: 408,
  'too-large': 413,
  crowded: 503,
  stopping: 503,
} as const

export type RefusalReason = keyof typeof refusalStatuses
export const refusalReasons: readonly string[] = Object.keys(refusalStatuses)

/** Answers the request with the reason's status, and closes its connection. */
export class RefusedRequestError extends Error {
  override readonly name = this.constructor.name
  readonly reason
  readonly status

  constructor(reason: RefusalReason) {
    super(`refused: ${reason}`)
    this.reason = reason
    this.status = refusalStatuses[reason]
  }
}

export interface HttpRoute {
  readonly path: string
  /** @throws {RefusedRequestError} to refuse the request. The request counts as in flight until this settles. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

export function respond(response: ServerResponse, status: number, json?: string | Buffer): void {
  if (response.headersSent) return
  if (json === undefined) {
    response.writeHead(status, { 'content-length': 0 }).end()
    return
  }
  const bytes = typeof json === 'string' ? Buffer.from(json) : json
  const type = 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}

/** Serves Slack's requests in HTTP mode, health, metrics and installation. */
export class HttpServer {
  #isRefusing = false
  readonly #server: Server
  readonly #options
  readonly #gets = new Map<string, HttpRoute>()
  readonly #posts = new Map<string, HttpRoute>()
  readonly #inFlight = new InFlight()

  /** @param options.requestTimeoutMs 10 s by default, because Slack waits for 3 s */
  constructor(options: {
    port: number
    host: string | undefined
    log: Pick<Log, 'info' | 'warn' | 'error'>
    onRefused?: (reason: RefusalReason) => void
    requestTimeoutMs?: Milliseconds
  }) {
    this.#options = options
    const { requestTimeoutMs = 10_000 } = options
    const serverOptions = {
      // Longer than proxies keep a connection, because a request fails on one that is being closed here.
      keepAliveTimeout: 65_000,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 4,
    }
    this.#server = createServer(serverOptions, (request, response) => this.#handle(request, response))
  }

  get(route: HttpRoute): void {
    this.#gets.set(route.path, route)
  }

  post(route: HttpRoute): void {
    this.#posts.set(route.path, route)
  }

  async start(): Promise<number> {
    const { port, host } = this.#options
    await once(this.#server.listen(port, host), 'listening')
    const address = this.#server.address()
    if (typeof address === 'object' && address !== null) return address.port
    return port
  }

  /** Refuses what is below `/slack/` from now on, but no health checks or pages, and waits for what is in flight. */
  async finish(graceMs: Milliseconds): Promise<void> {
    this.#isRefusing = true
    await this.#inFlight.settle(graceMs)
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '/' } = request
    const [path = '/'] = url.split('?', 1)
    const get = this.#gets.get(path)
    const post = this.#posts.get(path)
    const isPost = post !== undefined && method === 'POST'
    if (!isPost) response.setHeader('x-content-type-options', 'nosniff')
    if (isPost) this.#inFlight.add(this.#answer(post, request, response))
    else if (get && (method === 'GET' || method === 'HEAD'))
      this.#inFlight.add(this.#answer(get, request, response))
    else if (get || post) respond(response, 405)
    else respond(response, 404)
  }

  async #answer({ handle }: HttpRoute, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (this.#isRefusing && request.url?.startsWith('/slack/')) throw new RefusedRequestError('stopping')
      await handle(request, response)
    } catch (error) {
      if (error instanceof RefusedRequestError) {
        this.#refuse(response, error)
        return
      }
      this.#options.log.error({ err: error }, 'a request failed')
      respond(response, 500)
    }
  }

  #refuse(response: ServerResponse, { reason, status }: RefusedRequestError): void {
    const { log, onRefused } = this.#options
    onRefused?.(reason)
    // Slack's signing secret or this machine's clock may be wrong.
    const level = reason === 'signature' || reason === 'timestamp' ? 'warn' : 'info'
    // Anyone can cause refusals, so the log counts those with the same `err`.
    log[level]({ err: reason }, 'requests were refused')
    response.setHeader('connection', 'close')
    respond(response, status)
  }
}
