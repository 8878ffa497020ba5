import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App, Receiver } from '@slack/bolt'
import { Bodies } from '../../http/bodies.ts'
import { type HttpServer, respond } from '../../http/http-server.ts'
import { RefusedRequestError } from '../../http/refusals.ts'
import type { Log } from '../../log.ts'
import type { Milliseconds } from '../../util/units.ts'

const oldestSeconds = 5 * 60
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

const form = 'application/x-www-form-urlencoded'
/** Slack's check of the certificate, which is not signed, has two short fields. */
const longestSslCheck = 1000
const mayBeSslCheck = ({ headers }: IncomingMessage) =>
  headers['x-slack-signature'] === undefined &&
  headers['content-type'] === form &&
  Number(headers['content-length']) <= longestSslCheck

const isSslCheck = (text: string) => new URLSearchParams(text).get('ssl_check') === '1'

/** Another address that Slack sends signed requests to. */
export interface SignedRoute {
  readonly path: string
  /** JSON that a request is answered with which is not Slack's, or which doesn't arrive whole. */
  readonly refusal: (status: number) => string
  handle(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>
}

interface SignatureHeaders {
  readonly timestamp: string
  readonly signature: string
}

/** What can be checked before anything of the body is held. @throws {RefusedRequestError} for what is not of Slack, or old */
function readSignature({ headers }: IncomingMessage): SignatureHeaders {
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp))
    throw new RefusedRequestError(401, 'timestamp')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > oldestSeconds)
    throw new RefusedRequestError(401, 'timestamp')
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature))
    throw new RefusedRequestError(401, 'signature')
  return { timestamp, signature }
}

/**
 * Does what Bolt's HTTPReceiver does (signature, size limit, ssl_check, url_verification, retry headers, the watchdog)
 * with the signing key prepared once and the body parsed once.
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export class HttpReceiver implements Receiver {
  readonly #http: HttpServer
  readonly #log: Log
  readonly #onAcknowledged: (ms: Milliseconds) => void
  /** Slack gives up at 3 s; all but the options of a menu are acknowledged by 2 s, so this shows a defect, or slow options. */
  readonly #watchdogMs: Milliseconds
  readonly #signingKey: KeyObject
  readonly #bodies = new Bodies()
  #app: App | undefined

  constructor(services: {
    http: HttpServer
    signingSecret: string
    log: Log
    onAcknowledged: (ms: Milliseconds) => void
    watchdogMs?: Milliseconds
  }) {
    this.#http = services.http
    this.#log = services.log
    this.#onAcknowledged = services.onAcknowledged
    this.#watchdogMs = services.watchdogMs ?? 2900
    this.#signingKey = createSecretKey(Buffer.from(services.signingSecret))
  }

  init(app: App): void {
    this.#app = app
    this.#http.post('/slack/events', (request, response) => this.#handle(request, response))
  }

  route({ path, refusal, handle }: SignedRoute): void {
    const take = async (request: IncomingMessage, response: ServerResponse) =>
      handle(request, await this.#readSigned(request), response)
    this.#http.post(path, take, refusal)
  }

  /** What comes over HTTP comes and goes with the server: its owner starts and stops it. */
  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (mayBeSslCheck(request) && isSslCheck(await this.#bodies.read(request))) return respond(response, 200)
    const text = await this.#readSigned(request)
    let body: Record<string, unknown>
    try {
      body = parseBody(request, text)
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown'
      this.#log.warn({ err: name }, 'a signed request could not be parsed')
      return respond(response, 400)
    }
    if (body['ssl_check'] === '1') return respond(response, 200)
    if (body['type'] === 'url_verification')
      return respond(response, 200, JSON.stringify({ challenge: body['challenge'] }))
    await this.#dispatch(request, response, body)
  }

  /** @throws {RefusedRequestError} for what is not of Slack, is old, or doesn't arrive */
  async #readSigned(request: IncomingMessage): Promise<string> {
    const headers = readSignature(request)
    const text = await this.#bodies.read(request)
    if (!this.#isSigned(headers, text)) throw new RefusedRequestError(401, 'signature')
    return text
  }

  #isSigned({ timestamp, signature }: SignatureHeaders, text: string): boolean {
    const digest = createHmac('sha256', this.#signingKey).update(`v0:${timestamp}:${text}`).digest('hex')
    return timingSafeEqual(Buffer.from(signature), Buffer.from(`v0=${digest}`))
  }

  async #dispatch(request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) {
    const start = performance.now()
    const watchdog = setTimeout(() => {
      this.#log.error('a request was not acknowledged in time')
      respond(response, 200)
    }, this.#watchdogMs)
    const retryNum = request.headers['x-slack-retry-num']
    const retryReason = request.headers['x-slack-retry-reason']
    try {
      await this.#app?.processEvent({
        body,
        ack: async (answer?: unknown) => {
          clearTimeout(watchdog)
          this.#onAcknowledged(performance.now() - start)
          if (answer === undefined || answer === '') return respond(response, 200)
          // Text is JSON that was written already.
          respond(response, 200, typeof answer === 'string' ? answer : JSON.stringify(answer))
        },
        ...(typeof retryNum === 'string' ? { retryNum: Number(retryNum) } : {}),
        ...(typeof retryReason === 'string' ? { retryReason } : {}),
      })
    } finally {
      clearTimeout(watchdog)
      respond(response, 200)
    }
  }
}
