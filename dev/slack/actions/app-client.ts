import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import type { Milliseconds } from '../../../src/util/units.ts'
import type { Core } from '../core.ts'
import { type Json, parseJson } from '../shapes.ts'
import type { Exchange } from './exchange.ts'
import type { RawRequest } from './inputs.ts'

export interface AppResponse {
  readonly status: number
  readonly ms: Milliseconds
  /** Parsed JSON, or the text if it isn't JSON; undefined if it is empty. */
  readonly body: unknown
  readonly text: string
  readonly isJson: boolean
}

/** Path of most of Slack's requests. */
const eventsPath = '/slack/events'

/** Sends signed requests to the app, with Slack's timeout. */
export class AppClient {
  readonly #core: Core
  readonly #agent = new Agent({ keepAliveTimeout: 10_000 })

  constructor(core: Core) {
    this.#core = core
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  /** @throws the connection's error, or one named TimeoutError */
  async send(appUrl: string, raw: RawRequest): Promise<AppResponse> {
    const timestamp = raw.timestamp ?? Math.floor(Date.now() / 1000)
    const { secret = this.#core.signingSecret } = raw
    const started = performance.now()
    const { statusCode, headers, body } = await request(`${appUrl}${raw.path ?? eventsPath}`, {
      method: 'POST',
      headers: {
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'content-type': 'application/x-www-form-urlencoded',
        ...(secret === null
          ? {}
          : {
              'x-slack-request-timestamp': String(timestamp),
              'x-slack-signature': signature(raw.body, secret, timestamp),
            }),
        ...raw.headers,
      },
      body: raw.body,
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(raw.timeoutMs ?? this.#core.ackTimeoutMs),
    })
    const text = await body.text()
    const ms = performance.now() - started
    const isJson = String(headers['content-type'] ?? '').includes('application/json')
    this.#core.acknowledged.push(text)
    return { status: statusCode, ms, text, isJson, body: text === '' ? undefined : parseJson(text) }
  }

  /** Sends the fields as a form, and passes a response that arrives in time to `take`. */
  async sendForm(
    appUrl: string,
    fields: Json,
    exchange: Exchange,
    take: (response: AppResponse) => void,
  ): Promise<Exchange> {
    const body = new URLSearchParams()
    for (const [key, value] of Object.entries(fields)) body.set(key, String(value))
    try {
      const response = await this.send(appUrl, { body: body.toString() })
      exchange.status = response.status
      exchange.ackMs = response.ms
      exchange.ackBody = response.body
      take(response)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
      exchange.timedOut = true
      exchange.error = 'operation_timeout'
    } finally {
      this.#core.changes.emit('change')
    }
    return exchange
  }

  sendPayload(appUrl: string, exchange: Exchange, take: (response: AppResponse) => void): Promise<Exchange> {
    return this.sendForm(appUrl, { payload: JSON.stringify(exchange.payload) }, exchange, take)
  }
}

/**
 * Returns Slack's `v0` signature of a body (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 * @param timestamp seconds since 1970
 */
export function signature(body: string, secret: string, timestamp: number): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
}
