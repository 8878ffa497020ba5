import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { App, Receiver } from '@slack/bolt'
import type { Log } from '../../log.ts'

export type Route = (request: IncomingMessage, response: ServerResponse) => void

export interface HttpReceiver extends Receiver {
  /** The port in use. */
  start(): Promise<number>
  /** Takes no more requests, and waits for the work under way, after acknowledgements included, `graceMs` at most. */
  stop(graceMs: number): Promise<void>
}

export interface HttpReceiverOptions {
  /** None: Slack's requests come another way, and there is no place for them here. */
  readonly signingSecret: string | undefined
  /** GET and HEAD, by path. */
  readonly routes: Readonly<Record<string, Route>>
  readonly port: number
  readonly host: string | undefined
  readonly log: Log
  /** How long an acknowledgement took, in ms. */
  readonly onAcknowledged?: (ms: number) => void
}

const eventsPath = '/slack/events'
const largestBody = 1024 * 1024
const oldestSeconds = 5 * 60
/** Slack gives up at 3 s; every handler acknowledges by 2 s, so this tells of a defect. */
const watchdogMs = 2900

function end(
  response: ServerResponse,
  status: number,
  body?: string,
  type = 'application/json; charset=utf-8',
): void {
  if (response.headersSent) return
  // With its length known, head and body leave in one write rather than in chunks.
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = { 'content-length': bytes?.length ?? 0 }
  response.writeHead(status, bytes === undefined ? length : { 'content-type': type, ...length })
  response.end(bytes)
}

/** The whole body; `undefined` where it is too large. Listeners cost a third of what iterating over the stream does. */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > largestBody) resolve(undefined)
      else chunks.push(chunk)
    })
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    request.once('error', reject)
  })
}

/** Slack sends commands as a form, the rest as JSON in a form's `payload`, and events as JSON. */
function parseBody(request: IncomingMessage, text: string): Record<string, unknown> {
  const isJson = (request.headers['content-type'] ?? '').startsWith('application/json')
  const form = isJson ? undefined : Object.fromEntries(new URLSearchParams(text))
  const json = isJson ? text : form?.['payload']
  const parsed: unknown = json === undefined ? form : JSON.parse(json)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SyntaxError('no object')
  return { ...parsed }
}

/**
 * Does what Bolt's HTTPReceiver does (signature, size limit, ssl_check, url_verification, retry headers, the watchdog,
 * routes) with the signing key prepared once and the body parsed once.
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function createHttpReceiver(options: HttpReceiverOptions): HttpReceiver {
  const { log, routes } = options
  const signingKey =
    options.signingSecret === undefined ? undefined : createSecretKey(Buffer.from(options.signingSecret))
  const underWay = new Set<Promise<void>>()
  let app: App | undefined
  let server: Server | undefined

  function isSigned(request: IncomingMessage, text: string): boolean {
    if (!signingKey) return false
    const timestamp = request.headers['x-slack-request-timestamp']
    const signature = request.headers['x-slack-signature']
    if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp))
      return false
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > oldestSeconds) return false
    const digest = createHmac('sha256', signingKey).update(`v0:${timestamp}:${text}`).digest('hex')
    const [given, expected] = [Buffer.from(signature), Buffer.from(`v0=${digest}`)]
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  async function handleEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request)
    if (text === undefined) return end(response.setHeader('connection', 'close'), 413)
    if (!isSigned(request, text)) {
      log.warn('a request without a valid signature was refused')
      return end(response, 401)
    }
    let body: Record<string, unknown>
    try {
      body = parseBody(request, text)
    } catch (error) {
      log.warn(
        { err: error instanceof Error ? error.name : 'unknown' },
        'a signed request could not be parsed',
      )
      return end(response, 400)
    }
    if (body['ssl_check'] === '1') return end(response, 200)
    if (body['type'] === 'url_verification')
      return end(response, 200, JSON.stringify({ challenge: body['challenge'] }))
    await dispatch(request, response, body)
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) {
    const start = performance.now()
    const watchdog = setTimeout(() => {
      log.error('a request was not acknowledged in time')
      end(response, 200)
    }, watchdogMs)
    const retryNum = request.headers['x-slack-retry-num']
    const retryReason = request.headers['x-slack-retry-reason']
    try {
      await app?.processEvent({
        body,
        ack: async (answer?: unknown) => {
          clearTimeout(watchdog)
          options.onAcknowledged?.(performance.now() - start)
          if (answer === undefined || answer === '') return end(response, 200)
          if (typeof answer === 'string') return end(response, 200, answer, 'text/plain; charset=utf-8')
          end(response, 200, JSON.stringify(answer))
        },
        ...(typeof retryNum === 'string' ? { retryNum: Number(retryNum) } : {}),
        ...(typeof retryReason === 'string' ? { retryReason } : {}),
      })
    } finally {
      clearTimeout(watchdog)
      end(response, 200)
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (signingKey && path === eventsPath && request.method === 'POST') {
      const work = handleEvent(request, response)
        .catch((error: unknown) => {
          log.error({ err: error }, 'a request failed')
          end(response, 500)
        })
        .finally(() => underWay.delete(work))
      underWay.add(work)
      return
    }
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (route && isRead) route(request, response)
    else end(response, route || (signingKey && path === eventsPath) ? 405 : 404)
  }

  return {
    init(given) {
      app = given
    },
    start() {
      const listening = createServer({ keepAliveTimeout: 65_000 }, handle)
      server = listening
      return new Promise((resolve, reject) => {
        listening.once('error', reject)
        listening.listen(options.port, options.host, () => {
          listening.off('error', reject)
          const address = listening.address()
          resolve(typeof address === 'object' && address !== null ? address.port : options.port)
        })
      })
    },
    async stop(graceMs) {
      const closing = server
      const closed = closing
        ? new Promise<void>((resolve) => closing.close(() => resolve()))
        : Promise.resolve()
      closing?.closeIdleConnections()
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.allSettled([...underWay]), deadline])
      closing?.closeAllConnections()
      await closed
    },
  }
}
