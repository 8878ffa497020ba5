import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Receiver } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import { ConfigError } from '../../config/config.ts'
import { type Log, slackLogger } from '../../log.ts'
import { InFlight, withTimeout } from '../../util/promises.ts'
import { backoff, type Milliseconds, minuteMs } from '../../util/units.ts'
import { fieldsWithoutNulls } from '../api/slack-json.ts'
import { isUselessToken, slackErrorCode, slackRetryAfterMs } from '../api/web-api.ts'
import { findEventType } from './events.ts'

const slackEventSchema = z.object({
  body: z.record(z.string(), z.unknown()).transform(fieldsWithoutNulls),
  ack: z.custom<(answer?: unknown) => Promise<void>>((value) => typeof value === 'function'),
})

function toPayload(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  return answer === '' ? undefined : JSON.parse(answer)
}

/** Slack announces that it will close the connection. */
const isDisconnectMessage = (message: unknown) =>
  typeof message === 'string' && message.length < 1000 && /"type"\s*:\s*"disconnect"/.test(message)

/** Slack accepts no later acknowledgement. */
const ACKNOWLEDGEMENT_TIMEOUT_MS: Milliseconds = 3000
const CLOSE_TIMEOUT_MS: Milliseconds = 1000
const OPEN_TIMEOUT_MS: Milliseconds = 10_000
const STABLE_AFTER_MS: Milliseconds = 10_000
const MAX_RECONNECT_DELAY_MS: Milliseconds = 30_000
/** Slack's limits are per minute. */
const MAX_RETRY_AFTER_MS: Milliseconds = 2 * minuteMs

/** Closes TCP, too, which Slack leaves open after its own close frame. */
const closeClient = (client: SocketModeClient) =>
  // The client closes TCP if it is asked twice.
  withTimeout(Promise.all([client.disconnect(), client.disconnect()]), CLOSE_TIMEOUT_MS)

/**
 * Creates a client for each connection: one client reconnects only after 5 s, and a refusal ends the process.
 * @see https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export class SocketReceiver implements Receiver {
  readonly #options
  readonly #unacknowledged = new InFlight()
  readonly #inProgress = new InFlight()
  readonly #stopping = new AbortController()
  #client: SocketModeClient | undefined
  #isClosed = false
  #app: App | undefined

  /** @param options.apiUrl base of Slack's Web API, ends in `/` @param options.reconnectAfterMs first backoff */
  constructor(options: {
    appToken: string
    apiUrl: string
    log: Log
    onAcknowledged: (ms: Milliseconds) => void
    /** Events that are acknowledged only once they were handled. */
    requiredEvents: ReadonlySet<string>
    reconnectAfterMs?: Milliseconds | undefined
  }) {
    this.#options = options
  }

  init(app: App): void {
    this.#app = app
  }

  /** Resolves once it is connected. @throws {ConfigError} if Slack refuses the token */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.#stayConnected(resolve, reject)
    })
  }

  /** Acknowledges requests in progress, then disconnects and waits at most `graceMs` for the work. */
  async stop(graceMs: Milliseconds): Promise<void> {
    const start = performance.now()
    this.#stopping.abort()
    await this.#unacknowledged.settled(Math.min(ACKNOWLEDGEMENT_TIMEOUT_MS, graceMs))
    this.#isClosed = true
    if (this.#client) await closeClient(this.#client)
    await this.#inProgress.settled(graceMs - (performance.now() - start))
  }

  async #stayConnected(onConnected: () => void, onRefused: (error: unknown) => void): Promise<void> {
    const { signal } = this.#stopping
    const { log, reconnectAfterMs = 1000 } = this.#options
    let isFirst = true
    let failures = 0
    while (!signal.aborted) {
      let retryAfterMs: Milliseconds = 0
      try {
        const { client, ended } = this.#createClient()
        this.#client = client
        await client.start()
        const start = performance.now()
        isFirst = false
        onConnected()
        await ended
        void closeClient(client)
        if (performance.now() - start >= STABLE_AFTER_MS) failures = 0
      } catch (error) {
        const code = slackErrorCode(error)
        if (isFirst && isUselessToken(code))
          return onRefused(new ConfigError([`SLACK_APP_TOKEN: one that Slack accepts (it says ${code})`]))
        log.warn({ err: error }, 'Slack could not be connected to')
        retryAfterMs = Math.min(slackRetryAfterMs(error) ?? 0, MAX_RETRY_AFTER_MS)
        failures = Math.max(failures, 1)
      }
      // Reconnects at once after a stable connection.
      const times = { firstMs: reconnectAfterMs, maxMs: MAX_RECONNECT_DELAY_MS }
      const delay = failures === 0 ? 0 : backoff(failures, times)
      failures += 1
      await sleep(Math.max(delay, retryAfterMs), undefined, { signal }).catch(() => {})
    }
  }

  /** Attaches listeners before the start: a message may arrive together with the greeting. */
  #createClient() {
    const { appToken, apiUrl, log } = this.#options
    const client = new SocketModeClient({
      appToken,
      logger: slackLogger(log),
      autoReconnectEnabled: false,
      clientOptions: {
        slackApiUrl: apiUrl,
        allowAbsoluteUrls: false,
        timeout: OPEN_TIMEOUT_MS,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    client.on('slack_event', (event: unknown) => this.#receive(event))
    client.on('ws_message', (message: unknown) => {
      if (isDisconnectMessage(message)) end()
    })
    client.once('disconnected', () => end())
    return { client, ended }
  }

  #receive(event: unknown): void {
    // Slack would no longer accept the acknowledgement.
    if (this.#isClosed) return
    const { promise: acknowledged, resolve: onAcknowledged } = Promise.withResolvers<void>()
    this.#unacknowledged.add(acknowledged)
    const work = this.#handle(event, onAcknowledged)
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'a request failed'))
      .finally(onAcknowledged)
    this.#inProgress.add(work)
  }

  async #handle(event: unknown, onAcknowledged: () => void): Promise<void> {
    const { body, ack } = slackEventSchema.parse(event)
    let isAcknowledged = false
    const start = performance.now()
    const acknowledge = async (answer?: unknown) => {
      if (isAcknowledged) return
      isAcknowledged = true
      this.#options.onAcknowledged(performance.now() - start)
      await ack(toPayload(answer)).catch((error: unknown) =>
        // The connection was replaced after the request arrived.
        this.#options.log.warn({ err: error }, 'a request could not be acknowledged'),
      )
      onAcknowledged()
    }
    const eventType = findEventType(body)
    if (eventType !== undefined && this.#options.requiredEvents.has(eventType)) {
      // Slack repeats an event that isn't acknowledged.
      await this.#app?.processEvent({ body, ack: async () => {} })
      await acknowledge()
      return
    }
    try {
      await this.#app?.processEvent({ body, ack: acknowledge })
    } finally {
      await acknowledge()
    }
  }
}
