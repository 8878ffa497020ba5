import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { InFlight } from '../util/promises.ts'
import type { Milliseconds } from '../util/units.ts'
import { Refusals, RefusedRequestError } from './refusals.ts'

export interface HttpLimits {
  /** How long a whole request may take to arrive; 10 s unless given. Slack itself gives up after 3. */
  readonly requestTimeoutMs?: Milliseconds
  /** 2,000 unless given. */
  readonly connections?: number
}

/** The share of all connections up to which they may stay open idle. */
const idleUpTo = 0.8

export type GetHandler = (request: IncomingMessage, response: ServerResponse) => void
type PostHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface PostRoute {
  readonly handle: PostHandler
  /** JSON that a refused request is answered with; without it, the status alone. */
  readonly refusal?: ((status: number) => string) | undefined
}

export interface HttpRoute {
  readonly path: string
  readonly handle: GetHandler
}

/** Ends an answer that was not ended yet. @param body JSON */
export function respond(response: ServerResponse, status: number, body?: string): void {
  if (response.headersSent) return
  // Bytes tell their length: text would be read a second time for it, and head and body leave in one write all the same.
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const type = bytes && { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(status, { ...type, 'content-length': bytes?.length ?? 0 })
  response.end(bytes)
}

/** What this process answers over HTTP: Slack's requests where they come that way, health, metrics and installation. */
export class HttpServer {
  readonly #server: Server
  readonly #options
  readonly #refusals
  readonly #gets = new Map<string, GetHandler>()
  readonly #posts = new Map<string, PostRoute>()
  readonly #inFlight = new InFlight()
  #isStopping = false

  constructor(options: {
    port: number
    host: string | undefined
    log: Pick<Log, 'info' | 'error'>
    limits?: HttpLimits | undefined
  }) {
    this.#options = options
    this.#refusals = new Refusals(options.log)
    const { requestTimeoutMs = 10_000, connections = 2000 } = options.limits ?? {}
    const timeouts = {
      keepAliveTimeout: 65_000,
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      // Node's default is 30 s.
      connectionsCheckingInterval: Math.min(500, requestTimeoutMs / 4),
    }
    this.#server = createServer(timeouts, (...exchange) => this.#handle(...exchange))
    this.#server.maxConnections = connections
    this.#server.on('drop', () => this.#refusals.add('connections'))
    // Whoever keeps connections open that nothing is asked through keeps nobody else out.
    this.#server.on('connection', () =>
      this.#server.getConnections((_, count) => {
        if (count > connections * idleUpTo) this.#server.closeIdleConnections()
      }),
    )
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  get({ path, handle }: HttpRoute): void {
    this.#gets.set(path, handle)
  }

  /**
   * Work that goes on after the answer counts as in flight until the handler's promise is settled. A handler that throws
   * RefusedRequestError has the request refused, and counted.
   */
  post(path: string, handle: PostHandler, refusal?: PostRoute['refusal']): void {
    this.#posts.set(path, { handle, refusal })
  }

  async start(): Promise<number> {
    const { port, host } = this.#options
    // Rejects on `error`.
    await once(this.#server.listen(port, host), 'listening')
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /**
   * Takes no more work and waits for what is in flight, `graceMs` at most. Health is still answered, so that a load balancer
   * sees that this process is about to end.
   */
  async drain(graceMs: Milliseconds): Promise<void> {
    this.#isStopping = true
    await this.#inFlight.settled(graceMs)
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
    this.#refusals.close()
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const post = this.#posts.get(path)
    const get = this.#gets.get(path)
    if (post && request.method === 'POST') this.#take(post, request, response)
    else if (get && (request.method === 'GET' || request.method === 'HEAD')) get(request, response)
    else respond(response, post || get ? 405 : 404)
  }

  #take({ handle, refusal }: PostRoute, request: IncomingMessage, response: ServerResponse): void {
    if (this.#isStopping) {
      respond(response.setHeader('connection', 'close'), 503)
      return
    }
    const work = handle(request, response).catch((error: unknown) => {
      if (error instanceof RefusedRequestError) {
        this.#refusals.add(error.reason)
        return respond(response.setHeader('connection', 'close'), error.status, refusal?.(error.status))
      }
      this.#options.log.error({ err: error }, 'a request failed')
      respond(response, 500)
    })
    this.#inFlight.add(work)
  }
}
