import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App, Receiver } from '@slack/bolt'
import { z } from 'zod'
import { Bodies } from '../../http/bodies.ts'
import { type HttpRoute, type HttpServer, RefusedRequestError, respond } from '../../http/http-server.ts'
import type { Log } from '../../log.ts'
import type { Milliseconds } from '../../util/units.ts'
import { parseSlackJson } from '../api/slack-json.ts'
import { hasEventType } from './payloads.ts'

const MAX_AGE_SECONDS = 5 * 60
/** Slack gives up after 3 s. Everything but a menu's options is acknowledged within 2 s. */
const WATCHDOG_MS: Milliseconds = 2900
/** Slack's check of the certificate has two short fields. */
const MAX_SSL_CHECK_BYTES = 1000

const bodySchema = z.record(z.string(), z.unknown())
type SlackBody = z.infer<typeof bodySchema>

/** Commands are forms, interactions are forms with JSON in `payload`, events are JSON. @throws {RefusedRequestError} */
function parseSlackBody({ headers }: IncomingMessage, text: string): SlackBody {
  if (headers['content-type']?.startsWith('application/json')) return parseObject(text)
  const form = Object.fromEntries(new URLSearchParams(text))
  return form['payload'] === undefined ? form : parseObject(form['payload'])
}

/** @throws {RefusedRequestError} */
function parseObject(json: string): SlackBody {
  try {
    return bodySchema.parse(parseSlackJson(json))
  } catch {
    throw new RefusedRequestError('malformed')
  }
}

/** Slack may send the check of the certificate unsigned: nothing is done but to answer it. */
const mayBeSslCheck = ({ headers }: IncomingMessage): boolean =>
  headers['x-slack-signature'] === undefined &&
  headers['content-type'] === 'application/x-www-form-urlencoded' &&
  Number(headers['content-length']) <= MAX_SSL_CHECK_BYTES

export interface SignedRoute {
  readonly path: string
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>
}

/** Checks as much as possible before the body is read. @throws {RefusedRequestError} */
function readSignature({ headers }: IncomingMessage) {
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers
  if (typeof timestamp !== 'string' || typeof signature !== 'string')
    throw new RefusedRequestError('unsigned')
  if (!/^\d{1,12}$/.test(timestamp)) throw new RefusedRequestError('timestamp')
  // One of the clocks may be ahead.
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (ageSeconds > MAX_AGE_SECONDS) throw new RefusedRequestError('timestamp')
  if (!/^v0=[0-9a-f]{64}$/.test(signature)) throw new RefusedRequestError('unsigned')
  return { timestamp, signature }
}

/**
 * Does what Bolt's HTTPReceiver does, but prepares the signing key once and parses the body once.
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export class HttpReceiver implements Receiver {
  readonly #options
  readonly #signingKey
  readonly #bodies = new Bodies()

  constructor(options: {
    http: HttpServer
    signingSecret: string
    log: Log
    onAcknowledged: (ms: Milliseconds) => void
    /** Events that are acknowledged only once they were handled. */
    requiredEvents: ReadonlySet<string>
    watchdogMs?: Milliseconds
  }) {
    this.#options = options
    this.#signingKey = createSecretKey(Buffer.from(options.signingSecret))
  }

  init(app: App): void {
    const handle: HttpRoute['handle'] = (request, response) => this.#handle(app, request, response)
    this.#options.http.post({ path: '/slack/events', handle })
  }

  route({ path, handle }: SignedRoute): void {
    const handleSigned: HttpRoute['handle'] = async (request, response) => {
      const body = await this.#readSigned(request)
      await handle(request, body, response)
    }
    this.#options.http.post({ path, handle: handleSigned })
  }

  /** The server is started and stopped by its owner. */
  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  async #handle(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (mayBeSslCheck(request)) {
      const form = new URLSearchParams(await this.#bodies.read(request))
      // Anything else needs a signature.
      if (form.get('ssl_check') !== '1') throw new RefusedRequestError('unsigned')
      return respond(response, 200)
    }
    const text = await this.#readSigned(request)
    const body = parseSlackBody(request, text)
    // The check may also be signed.
    if (body['ssl_check'] === '1') return respond(response, 200)
    if (body['type'] === 'url_verification')
      return respond(response, 200, JSON.stringify({ challenge: body['challenge'] }))
    await this.#dispatch(app, response, body)
  }

  /** @throws {RefusedRequestError} if the request isn't from Slack, is old, or doesn't arrive */
  async #readSigned(request: IncomingMessage): Promise<string> {
    const { timestamp, signature } = readSignature(request)
    const text = await this.#bodies.read(request)
    const digest = createHmac('sha256', this.#signingKey).update(`v0:${timestamp}:${text}`).digest('hex')
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(`v0=${digest}`)))
      throw new RefusedRequestError('signature')
    return text
  }

  /**
   * Answers a required event once it is handled, and with an error if it isn't in time, so that Slack repeats it. Anything
   * else gets 200, even if it fails. Only the first `respond` counts.
   */
  async #dispatch(app: App, response: ServerResponse, body: SlackBody): Promise<void> {
    const { log, onAcknowledged, requiredEvents, watchdogMs = WATCHDOG_MS } = this.#options
    const isRequired = hasEventType(body, requiredEvents)
    const unhandledStatus = isRequired ? 503 : 200
    const start = performance.now()
    const watchdog = setTimeout(() => {
      log.error('a request was not acknowledged in time')
      respond(response, unhandledStatus)
    }, watchdogMs)
    const ack = async (answer?: unknown) => {
      // Bolt acknowledges an event before it is handled, which is too early for these.
      if (isRequired) return
      clearTimeout(watchdog)
      onAcknowledged(performance.now() - start)
      if (answer === undefined || answer === '') return respond(response, 200)
      // The answer to a command was serialized to check its size.
      respond(response, 200, Buffer.isBuffer(answer) ? answer : JSON.stringify(answer))
    }
    try {
      await app.processEvent({ body, ack })
      respond(response, 200)
    } finally {
      clearTimeout(watchdog)
      respond(response, unhandledStatus)
    }
  }
}
