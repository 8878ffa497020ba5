import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { InFlight } from '../util/promises.ts'
import type { Milliseconds } from '../util/units.ts'

// An import of node:http would evaluate all of its exports, and with them Node's own copy of undici.
const { createServer } = process.getBuiltinModule('node:http')

export type GetHandler = (request: IncomingMessage, response: ServerResponse) => void
type PostHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface PostRoute {
  readonly handle: PostHandler
  /** JSON body of the response to a refused request. */
  readonly refusal?: ((status: number) => string) | undefined
}

export interface HttpRoute {
  readonly path: string
  readonly handle: GetHandler
}

/** Ends the response, unless it has already ended. @param body JSON */
export function respond(response: ServerResponse, status: number, body?: string): void {
  if (response.headersSent) return
  // The length of text would take a second pass over it; head and body are sent in one write in both cases.
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const type = bytes && { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(status, { ...type, 'content-length': bytes?.length ?? 0 })
  response.end(bytes)
}

type RefusalReason = 'signature' | 'timestamp' | 'too-large' | 'cut' | 'crowded'

/** The request is answered with the status, and its connection is closed. */
export class RefusedRequestError extends Error {
  override readonly name = this.constructor.name
  readonly status: number
  readonly reason: RefusalReason

  constructor(status: number, reason: RefusalReason) {
    super(`refused: ${reason}`)
    this.status = status
    this.reason = reason
  }
}

const LOG_INTERVAL_MS: Milliseconds = 1000

/** Counts refused requests and logs the counts at most once a second, because anybody can cause them. */
class Refusals {
  readonly #log
  #counts: Partial<Record<RefusalReason, number>> = {}
  #timer: NodeJS.Timeout | undefined

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log
  }

  add(reason: RefusalReason): void {
    this.#counts[reason] = (this.#counts[reason] ?? 0) + 1
    this.#timer ??= setTimeout(() => this.flush(), LOG_INTERVAL_MS).unref()
  }

  flush(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#log.info({ refused: this.#counts }, 'requests were refused')
    this.#counts = {}
  }
}

/** Serves Slack's requests in HTTP mode, health, metrics and installation. */
export class HttpServer {
  readonly #server: Server
  readonly #options
  readonly #refusals
  readonly #gets = new Map<string, GetHandler>()
  readonly #posts = new Map<string, PostRoute>()
  readonly #inFlight = new InFlight()
  #isStopping = false

  /** @param options.requestTimeoutMs for the whole request to arrive; 10 s by default, while Slack waits for 3 s */
  constructor(options: {
    port: number
    host: string | undefined
    log: Pick<Log, 'info' | 'error'>
    requestTimeoutMs?: Milliseconds
  }) {
    this.#options = options
    this.#refusals = new Refusals(options.log)
    const { requestTimeoutMs = 10_000 } = options
    const timeouts = {
      // Longer than proxies keep a connection: one that is reused while it is being closed here fails a request.
      keepAliveTimeout: 65_000,
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 4,
    }
    this.#server = createServer(timeouts, (...exchange) => this.#handle(...exchange))
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  get({ path, handle }: HttpRoute): void {
    this.#gets.set(path, handle)
  }

  /**
   * Work after the response counts as in flight until the handler's promise is settled. A handler throws
   * RefusedRequestError to refuse the request.
   */
  post(path: string, handle: PostHandler, refusal?: PostRoute['refusal']): void {
    this.#posts.set(path, { handle, refusal })
  }

  async start(): Promise<number> {
    const { port, host } = this.#options
    await once(this.#server.listen(port, host), 'listening')
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /**
   * Refuses new work and waits at most `graceMs` for the work in flight. Health checks are still answered, so that load
   * balancers notice.
   */
  async drain(graceMs: Milliseconds): Promise<void> {
    this.#isStopping = true
    await this.#inFlight.settled(graceMs)
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
    this.#refusals.flush()
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const post = this.#posts.get(path)
    const get = this.#gets.get(path)
    if (post && request.method === 'POST') {
      this.#take(post, request, response)
      return
    }
    response.setHeader('x-content-type-options', 'nosniff')
    if (get && (request.method === 'GET' || request.method === 'HEAD')) get(request, response)
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

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/** Cached, because anyone may send requests, and each check queries the database. */
const CHECK_INTERVAL_MS: Milliseconds = 1000

class DatabaseCheck {
  readonly #store
  readonly #log
  #checkedAt = Number.NEGATIVE_INFINITY
  #isReady = Promise.resolve(false)

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** Returns whether the database answered within the last second. Never rejects. */
  isReady(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#checkedAt < CHECK_INTERVAL_MS) return this.#isReady
    this.#checkedAt = now
    this.#isReady = this.#store.ready().then(
      () => true,
      (error: unknown) => {
        this.#log.warn({ err: error }, 'not ready')
        return false
      },
    )
    return this.#isReady
  }
}

/** Serves `/healthz` (the process runs) and `/readyz` (the database answers and the process isn't stopping). */
export function healthRoutes(http: HttpServer, store: Store, log: Log): readonly HttpRoute[] {
  const database = new DatabaseCheck(store, log)
  return [
    { path: '/healthz', handle: (_request, response) => answer(response, 200, 'ok') },
    {
      path: '/readyz',
      handle(_request, response) {
        if (http.isStopping) return answer(response, 503, 'stopping')
        void database
          .isReady()
          .then((ready) =>
            ready ? answer(response, 200, 'ready') : answer(response, 503, 'the store does not answer'),
          )
      },
    },
  ]
}
