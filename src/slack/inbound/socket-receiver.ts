import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Receiver } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import { ConfigError } from '../../config/config.ts'
import { type Log, slackLogger } from '../../log.ts'
import { InFlight, timedOut, withTimeout } from '../../util/promises.ts'
import { backoff, type Milliseconds, minuteMs } from '../../util/units.ts'
import { findRetryAfterMs, findSlackCode, isUselessToken } from '../api/slack-failure.ts'
import { withoutNulls } from '../api/slack-json.ts'
import { hasEventType } from './payloads.ts'

const CLOSE_TIMEOUT_MS: Milliseconds = 1000
/** Includes the request for the address and Slack's greeting, for which the SDK would wait without end. */
const CONNECT_TIMEOUT_MS: Milliseconds = 15_000

/** Slack announces that it will close the connection, mostly some seconds before. The message is short. */
const isDisconnectMessage = (message: unknown) =>
  typeof message === 'string' && message.length < 1000 && /"type"\s*:\s*"disconnect"/.test(message)

/** The SDK's client would close the connection as soon as its end is announced, and lose acknowledgements. */
class PatientClient extends SocketModeClient {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'ws_message' && isDisconnectMessage(args[0])) return super.emit('end_announced')
    return super.emit(event, ...args)
  }
}

/** One connection: the SDK's client would reconnect only after 5 s, and end the process at a refusal. */
class SocketConnection {
  readonly #client: SocketModeClient
  /** Resolves when Slack announces that it will close the connection, or after it is closed. */
  readonly ended: Promise<void>

  /** @param onEvent called before `connect` resolves if an event arrives together with the greeting */
  constructor(
    { appToken, apiUrl, log }: { appToken: string; apiUrl: string; log: Log },
    onEvent: (event: unknown) => void,
  ) {
    this.#client = new PatientClient({
      appToken,
      logger: slackLogger(log),
      autoReconnectEnabled: false,
      clientOptions: {
        slackApiUrl: apiUrl,
        allowAbsoluteUrls: false,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.ended = ended
    this.#client.on('slack_event', onEvent)
    this.#client.once('end_announced', () => end())
    this.#client.once('disconnected', () => end())
  }

  /** Resolves once Slack has greeted. @throws if Slack refuses the connection or doesn't greet in time */
  async connect(timeoutMs: Milliseconds = CONNECT_TIMEOUT_MS): Promise<void> {
    const starting = this.#client.start()
    try {
      const greeting = await withTimeout(starting, timeoutMs)
      if (greeting !== timedOut) return
    } catch (error) {
      void this.close()
      // The SDK rejects with undefined if the connection is closed before the greeting.
      throw error ?? new Error('the connection was closed before Slack greeted')
    }
    void this.close()
    // A client that was still waiting for the address connects nevertheless.
    starting.then(() => this.close()).catch(() => {})
    throw new Error('Slack did not greet in time')
  }

  /** Closes TCP, too, which Slack leaves open after its own close frame. */
  async close(): Promise<void> {
    // The client closes TCP if it is asked twice.
    const closing = Promise.all([this.#client.disconnect(), this.#client.disconnect()])
    await withTimeout(closing, CLOSE_TIMEOUT_MS)
  }
}

const slackEventSchema = z.object({
  body: z.preprocess(withoutNulls, z.record(z.string(), z.unknown())),
  ack: z.custom<(answer?: unknown) => Promise<void>>((value) => typeof value === 'function'),
})

/** Answers to commands arrive as bytes of JSON. */
function toPayload(answer: unknown): unknown {
  if (answer === '') return undefined
  return Buffer.isBuffer(answer) ? JSON.parse(answer.toString()) : answer
}

/** Slack accepts no later acknowledgement. */
const ACKNOWLEDGEMENT_TIMEOUT_MS: Milliseconds = 3000
/** A connection that ends sooner counts as a failure. */
const STABLE_AFTER_MS: Milliseconds = 10_000
const MAX_RECONNECT_DELAY_MS: Milliseconds = 30_000
/** Slack's limits are per minute. */
const MAX_RETRY_AFTER_MS: Milliseconds = 2 * minuteMs

/**
 * Keeps a connection to Slack, and opens the next one before it closes a connection that Slack refreshes: Slack allows
 * ten at a time.
 * @see https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export class SocketReceiver implements Receiver {
  readonly #options
  readonly #inProgress = new InFlight()
  readonly #stopping = new AbortController()
  readonly #connections = new Set<SocketConnection>()
  #app: App | undefined

  constructor(options: {
    appToken: string
    /** Base of Slack's Web API, ends in `/`. */
    apiUrl: string
    log: Log
    onAcknowledged: (ms: Milliseconds) => void
    /** Events that are acknowledged only once they were handled. */
    requiredEvents: ReadonlySet<string>
    reconnectAfterMs?: Milliseconds | undefined
    connectWithinMs?: Milliseconds | undefined
  }) {
    this.#options = options
  }

  init(app: App): void {
    this.#app = app
  }

  /** Resolves once it is connected. @throws {ConfigError} if Slack refuses the token */
  start(): Promise<void> {
    return new Promise((resolve, reject) => void this.#stayConnected(resolve, reject))
  }

  /** Acknowledges requests in progress, then disconnects and waits at most `graceMs` for the work. */
  async stop(graceMs: Milliseconds): Promise<void> {
    const start = performance.now()
    this.#stopping.abort()
    await this.#inProgress.settle(Math.min(ACKNOWLEDGEMENT_TIMEOUT_MS, graceMs))
    await Promise.all(Array.from(this.#connections, (connection) => connection.close()))
    await this.#inProgress.settle(graceMs - (performance.now() - start))
  }

  async #stayConnected(onConnected: () => void, onRefused: (error: unknown) => void): Promise<void> {
    const { signal } = this.#stopping
    const { log, reconnectAfterMs = 1000 } = this.#options
    const backoffTimes = { firstMs: reconnectAfterMs, maxMs: MAX_RECONNECT_DELAY_MS }
    let wasConnected = false
    /** Connections in a row that failed, or ended soon. */
    let failures = 0
    while (!signal.aborted) {
      let retryAfterMs: Milliseconds = 0
      try {
        const connection = await this.#replaceConnections()
        const connectedAt = performance.now()
        wasConnected = true
        onConnected()
        await connection.ended
        const wasStable = performance.now() - connectedAt >= STABLE_AFTER_MS
        failures = wasStable ? 0 : failures + 1
      } catch (error) {
        const code = findSlackCode(error)
        if (!wasConnected && isUselessToken(code)) {
          onRefused(new ConfigError([`SLACK_APP_TOKEN: one that Slack accepts (it says ${code})`]))
          return
        }
        log.warn({ err: error }, 'Slack could not be connected to')
        failures += 1
        retryAfterMs = Math.min(findRetryAfterMs(error) ?? 0, MAX_RETRY_AFTER_MS)
      }
      const backoffMs = failures === 0 ? 0 : backoff(failures, backoffTimes)
      // Rejects when the receiver stops, which ends the loop.
      await sleep(Math.max(retryAfterMs, backoffMs), undefined, { signal }).catch(() => {})
    }
  }

  /** Opens a connection, then closes the earlier ones. */
  async #replaceConnections(): Promise<SocketConnection> {
    const earlierConnections = [...this.#connections]
    const connection = new SocketConnection(this.#options, (event) => this.#receive(event))
    this.#connections.add(connection)
    try {
      await connection.connect(this.#options.connectWithinMs)
    } catch (error) {
      this.#connections.delete(connection)
      throw error
    }
    for (const earlier of earlierConnections) void this.#retire(earlier)
    return connection
  }

  /** Lets requests in progress be acknowledged before it closes the connection. */
  async #retire(connection: SocketConnection): Promise<void> {
    await this.#inProgress.settle(ACKNOWLEDGEMENT_TIMEOUT_MS)
    await connection.close()
    this.#connections.delete(connection)
  }

  #receive(event: unknown): void {
    const { log } = this.#options
    const work = this.#handle(event).catch((error: unknown) => log.error({ err: error }, 'a request failed'))
    this.#inProgress.add(work)
  }

  async #handle(event: unknown): Promise<void> {
    const { log, onAcknowledged, requiredEvents } = this.#options
    const { body, ack } = slackEventSchema.parse(event)
    const start = performance.now()
    let isAcknowledged = false
    /** Counts once: it is also called when the work ends. */
    const acknowledge = async (answer?: unknown) => {
      if (isAcknowledged) return
      isAcknowledged = true
      onAcknowledged(performance.now() - start)
      // If the connection was lost meanwhile, Slack tells the person that the app didn't respond.
      await ack(toPayload(answer)).catch((error: unknown) => {
        log.warn({ err: error }, 'a request could not be acknowledged')
      })
    }
    if (hasEventType(body, requiredEvents)) {
      // Slack repeats an event that isn't acknowledged.
      await this.#app?.processEvent({ body, ack: async () => {} })
      await acknowledge()
      return
    }
    // Slack mustn't repeat other requests, even if they failed.
    try {
      await this.#app?.processEvent({ body, ack: acknowledge })
    } finally {
      await acknowledge()
    }
  }
}
