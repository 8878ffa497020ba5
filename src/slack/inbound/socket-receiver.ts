import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Receiver } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import { ConfigError } from '../../config/config.ts'
import { type Log, slackLogger } from '../../log.ts'
import { InFlight, withTimeout } from '../../util/promises.ts'
import { backoff, type Milliseconds } from '../../util/units.ts'
import { isUselessToken, slackErrorCode, slackRetryAfterMs } from '../api/web-api.ts'

const envelope = z.object({
  body: z.record(z.string(), z.unknown()),
  ack: z.custom<(answer?: unknown) => Promise<void>>((value) => typeof value === 'function'),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
})

function toPayload(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer
  return answer === '' ? undefined : JSON.parse(answer)
}

/** Slack takes no acknowledgement after that. */
const acknowledgedWithin: Milliseconds = 3000
const closedWithin: Milliseconds = 1000
const steadyAfter: Milliseconds = 10_000
const openingTimeout: Milliseconds = 10_000

const longestReconnect: Milliseconds = 30_000

/**
 * Slack's requests through a WebSocket that this process opens, and opens again: the client's own way back waits for 5 s,
 * and ends the process by an unhandled rejection where Slack refuses.
 * @see https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export class SocketReceiver implements Receiver {
  readonly #log: Log
  readonly #onAcknowledged: (ms: Milliseconds) => void
  /** After the first failure; doubled by each that follows. */
  readonly #reconnectAfterMs: Milliseconds
  readonly #client
  readonly #unacknowledged = new InFlight()
  readonly #underWay = new InFlight()
  readonly #stopping = new AbortController()
  #isClosed = false
  #app: App | undefined

  /** @param services.apiUrl base of Slack's Web API, ends in `/` */
  constructor(services: {
    appToken: string
    apiUrl: string
    log: Log
    onAcknowledged: (ms: Milliseconds) => void
    reconnectAfterMs?: Milliseconds | undefined
  }) {
    this.#log = services.log
    this.#onAcknowledged = services.onAcknowledged
    this.#reconnectAfterMs = services.reconnectAfterMs ?? 1000
    this.#client = new SocketModeClient({
      appToken: services.appToken,
      logger: slackLogger(services.log),
      autoReconnectEnabled: false,
      clientOptions: {
        slackApiUrl: services.apiUrl,
        allowAbsoluteUrls: false,
        timeout: openingTimeout,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    })
    this.#client.on('slack_event', (event: unknown) => this.#take(event))
  }

  init(app: App): void {
    this.#app = app
  }

  /** Resolves once it is connected. @throws {ConfigError} where Slack refuses the token */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.#stayConnected(resolve, reject)
    })
  }

  /**
   * Acknowledges what is under way before it disconnects, what still comes meanwhile too, and waits for the work,
   * `graceMs` at most.
   */
  async stop(graceMs: Milliseconds): Promise<void> {
    const start = performance.now()
    this.#stopping.abort()
    await this.#unacknowledged.settled(Math.min(acknowledgedWithin, graceMs))
    this.#isClosed = true
    await withTimeout(this.#client.disconnect(), closedWithin)
    await this.#underWay.settled(graceMs - (performance.now() - start))
  }

  async #stayConnected(onConnected: () => void, onRefused: (error: unknown) => void): Promise<void> {
    const { signal } = this.#stopping
    let isFirst = true
    for (let failures = 0; !signal.aborted; failures += 1) {
      const { promise: disconnected, resolve: onDisconnected } = Promise.withResolvers<void>()
      this.#client.once('disconnected', onDisconnected)
      let askedForMs: Milliseconds = 0
      try {
        await this.#client.start()
        const start = performance.now()
        isFirst = false
        onConnected()
        await disconnected
        if (performance.now() - start >= steadyAfter) failures = 0
      } catch (error) {
        const code = slackErrorCode(error)
        if (isFirst && isUselessToken(code))
          return onRefused(new ConfigError([`SLACK_APP_TOKEN: one that Slack accepts (it says ${code})`]))
        this.#log.warn({ err: error }, 'Slack could not be connected to')
        askedForMs = slackRetryAfterMs(error) ?? 0
      } finally {
        this.#client.off('disconnected', onDisconnected)
      }
      // At once after a connection that worked.
      const delay =
        failures === 0
          ? 0
          : backoff(failures, { firstMs: this.#reconnectAfterMs, longestMs: longestReconnect })
      await sleep(Math.max(delay, askedForMs), undefined, { signal }).catch(() => {})
    }
  }

  #take(event: unknown): void {
    // Slack would not hear of it any more.
    if (this.#isClosed) return
    const { promise: acknowledged, resolve: onAcknowledged } = Promise.withResolvers<void>()
    this.#unacknowledged.add(acknowledged)
    const work = this.#handle(event, onAcknowledged)
      .catch((error: unknown) => this.#log.error({ err: error }, 'a request failed'))
      .finally(onAcknowledged)
    this.#underWay.add(work)
  }

  async #handle(event: unknown, onAcknowledged: () => void): Promise<void> {
    const { body, ack, retry_num: retryNum, retry_reason: retryReason } = envelope.parse(event)
    let isAcknowledged = false
    const start = performance.now()
    const acknowledge = async (answer?: unknown) => {
      if (isAcknowledged) return
      isAcknowledged = true
      this.#onAcknowledged(performance.now() - start)
      await ack(toPayload(answer))
      onAcknowledged()
    }
    try {
      await this.#app?.processEvent({
        body,
        ack: acknowledge,
        ...(retryNum === undefined ? {} : { retryNum }),
        ...(retryReason === undefined ? {} : { retryReason }),
      })
    } finally {
      await acknowledge()
    }
  }
}
