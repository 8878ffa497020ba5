import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { InFlight } from '../util/promises.ts'
import type { Milliseconds } from '../util/units.ts'
import { type RefusalReason, Refusals, RefusedRequestError } from './refusals.ts'

// Importing node:http would evaluate all of its exports, including Node's own copy of undici.
const { createServer } = process.getBuiltinModule('node:http')

export interface HttpRoute {
  readonly path: string
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
}

interface PostRoute {
  readonly path: string
  /** Counts as in flight until it settles. @throws {RefusedRequestError} to refuse the request */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** @param body JSON */
export function respond(response: ServerResponse, status: number, body?: string): void {
  if (response.headersSent) return
  // Counting the bytes of a string would take a second pass over it.
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const type = bytes && { 'content-type': 'application/json; charset=utf-8' }
  response.writeHead(status, { ...type, 'content-length': bytes?.length ?? 0 })
  response.end(bytes)
}

/** Five times Slack's largest bodies. */
const MAX_BODY_BYTES = 512_000
/** Limits the total of all arriving bodies. */
const MAX_BYTES_IN_FLIGHT = 32_000_000

interface Body {
  size: number
  readonly refuse: (reason: RefusalReason) => void
}

/** Refuses the oldest body at the limit: Slack's bodies are small and arrive at once, so attackers only displace each other. */
export class Bodies {
  readonly #inFlight = new Set<Body>()
  #size = 0

  /** @throws {RefusedRequestError} if the body is too large, is displaced, or doesn't arrive */
  async read(request: IncomingMessage): Promise<string> {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
      throw new RefusedRequestError('too-large')
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    let chunks: Buffer[] = []
    const settle = () => {
      if (this.#inFlight.delete(body)) this.#size -= body.size
    }
    const refuse = (reason: RefusalReason) => {
      settle()
      chunks = []
      reject(new RefusedRequestError(reason))
    }
    const body: Body = { size: 0, refuse }
    this.#inFlight.add(body)
    // Listeners take a third of the time that iterating over the stream takes.
    request.on('data', (chunk: Buffer) => {
      if (!this.#inFlight.has(body)) return
      chunks.push(chunk)
      body.size += chunk.length
      this.#size += chunk.length
      const [oldest = body] = this.#inFlight
      if (body.size > MAX_BODY_BYTES) refuse('too-large')
      else if (this.#size > MAX_BYTES_IN_FLIGHT) oldest.refuse('crowded')
    })
    request.once('end', () => {
      settle()
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
    request.once('error', () => refuse('cut'))
    return promise
  }
}

/** Serves Slack's requests in HTTP mode, health, metrics and installation. */
export class HttpServer {
  /** Fails `/readyz`. */
  isDraining = false
  #isRefusing = false
  readonly #server: Server
  readonly #options
  readonly #gets = new Map<string, HttpRoute>()
  readonly #posts = new Map<string, PostRoute>()
  readonly #inFlight = new InFlight()
  readonly #refusals

  /** @param options.requestTimeoutMs 10 s by default, because Slack waits for 3 s */
  constructor(options: {
    port: number
    host: string | undefined
    log: Pick<Log, 'info' | 'warn' | 'error'>
    onRefused?: (reason: RefusalReason) => void
    requestTimeoutMs?: Milliseconds
    warnOfRefusalsAfterMs?: Milliseconds | undefined
  }) {
    this.#options = options
    const { log, onRefused = () => {}, warnOfRefusalsAfterMs: warnAfterMs } = options
    this.#refusals = new Refusals({ log, onRefused, warnAfterMs })
    const { requestTimeoutMs = 10_000 } = options
    const timeouts = {
      // Longer than proxies keep a connection, because a request fails on one that is being closed here.
      keepAliveTimeout: 65_000,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 4,
    }
    this.#server = createServer(timeouts, (request, response) => this.#handle(request, response))
  }

  /** Serves HEAD requests too. */
  get(route: HttpRoute): void {
    this.#gets.set(route.path, route)
  }

  post(route: PostRoute): void {
    this.#posts.set(route.path, route)
  }

  async start(): Promise<number> {
    const { port, host } = this.#options
    await once(this.#server.listen(port, host), 'listening')
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /** Refuses new work except health checks, and waits for the work in flight. */
  async finish(graceMs: Milliseconds): Promise<void> {
    this.isDraining = true
    this.#isRefusing = true
    await this.#inFlight.settled(graceMs)
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
    if (post && method === 'POST') {
      this.#inFlight.add(this.#handlePost(post, request, response))
      return
    }
    response.setHeader('x-content-type-options', 'nosniff')
    if (get && (method === 'GET' || method === 'HEAD')) get.handle(request, response)
    else respond(response, get || post ? 405 : 404)
  }

  async #handlePost({ handle }: PostRoute, request: IncomingMessage, response: ServerResponse) {
    try {
      if (this.#isRefusing) throw new RefusedRequestError('stopping')
      await handle(request, response)
      this.#refusals.countAccepted()
    } catch (error) {
      if (error instanceof RefusedRequestError) {
        this.#refusals.countRefused(error.reason)
        return respond(response.setHeader('connection', 'close'), error.status)
      }
      this.#options.log.error({ err: error }, 'a request failed')
      respond(response, 500)
    }
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(`${text}\n`)
}

/** Anyone may send requests, and each check queries the database. */
const CHECK_INTERVAL_MS: Milliseconds = 1000

/** @param findProblem returns another reason for not being ready, or `''` */
export function healthRoutes(
  http: HttpServer,
  { store, log, findProblem }: { store: Store; log: Log; findProblem: () => Promise<string> },
): readonly HttpRoute[] {
  let check = { at: Number.NEGATIVE_INFINITY, problem: Promise.resolve('') }
  const onFailure = (error: unknown) => {
    log.warn({ err: error }, 'not ready')
    return 'the store does not answer'
  }
  return [
    { path: '/healthz', handle: (_request, response) => answer(response, 200, 'ok') },
    {
      path: '/readyz',
      async handle(_request, response) {
        const now = performance.now()
        if (now >= check.at + CHECK_INTERVAL_MS)
          check = { at: now, problem: store.ready().then(findProblem, onFailure) }
        const problem = http.isDraining ? 'stopping' : await check.problem
        answer(response, problem === '' ? 200 : 503, problem || 'ready')
      },
    },
  ]
}
