import type { App, Receiver } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import { type Log, slackLogger } from '../../log.ts'
import type { Milliseconds } from '../../util/units.ts'
import { WorkUnderWay } from '../../util/work-under-way.ts'

const envelope = z.object({
  body: z.record(z.string(), z.unknown()),
  ack: z.custom<(answer?: unknown) => Promise<void>>((value) => typeof value === 'function'),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
})

/**
 * Slack's requests through a WebSocket that this process opens.
 * @see https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export class SocketReceiver implements Receiver {
  readonly #services
  readonly #client: SocketModeClient
  readonly #underWay = new WorkUnderWay()
  #app: App | undefined

  /** @param services.apiUrl base of Slack's Web API, ends in `/` */
  constructor(services: {
    appToken: string
    apiUrl: string
    log: Log
    onAcknowledged: (ms: Milliseconds) => void
  }) {
    this.#services = services
    this.#client = new SocketModeClient({
      appToken: services.appToken,
      logger: slackLogger(services.log),
      clientOptions: { slackApiUrl: services.apiUrl, allowAbsoluteUrls: false },
    })
    this.#client.on('slack_event', (event: unknown) => {
      const work = this.#handle(event).catch((error: unknown) =>
        this.#services.log.error({ err: error }, 'a request failed'),
      )
      this.#underWay.add(work)
    })
  }

  init(app: App): void {
    this.#app = app
  }

  async start(): Promise<void> {
    await this.#client.start()
  }

  /** Takes no more requests, and waits for the work under way, `graceMs` at most. */
  async stop(graceMs: Milliseconds): Promise<void> {
    await this.#client.disconnect()
    await this.#underWay.settled(graceMs)
  }

  async #handle(event: unknown): Promise<void> {
    const { body, ack, retry_num: retryNum, retry_reason: retryReason } = envelope.parse(event)
    let isAcknowledged = false
    const start = performance.now()
    const acknowledge = async (answer?: unknown) => {
      if (isAcknowledged) return
      isAcknowledged = true
      this.#services.onAcknowledged(performance.now() - start)
      await ack(answer === '' ? undefined : answer)
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
