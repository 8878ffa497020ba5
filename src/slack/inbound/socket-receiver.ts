import type { App } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { z } from 'zod'
import { type Log, slackLogger } from '../../log.ts'
import type { HttpReceiver } from './http-receiver.ts'

const envelope = z.object({
  body: z.record(z.string(), z.unknown()),
  ack: z.custom<(answer?: unknown) => Promise<void>>((value) => typeof value === 'function'),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
})

/**
 * Slack's requests through a WebSocket that this process opens; health and installation stay on HTTP.
 * @see https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export function createSocketReceiver(options: {
  http: HttpReceiver
  appToken: string
  /** Base of Slack's Web API, ends in `/`. */
  apiUrl: string
  log: Log
  onAcknowledged: (ms: number) => void
}): HttpReceiver {
  const { http, log } = options
  const underWay = new Set<Promise<unknown>>()
  const client = new SocketModeClient({
    appToken: options.appToken,
    logger: slackLogger(log),
    clientOptions: { slackApiUrl: options.apiUrl, allowAbsoluteUrls: false },
  })
  let app: App | undefined

  async function handle(given: unknown): Promise<void> {
    const { body, ack, retry_num: retryNum, retry_reason: retryReason } = envelope.parse(given)
    let isAcknowledged = false
    const start = performance.now()
    const acknowledge = async (answer?: unknown) => {
      if (isAcknowledged) return
      isAcknowledged = true
      options.onAcknowledged(performance.now() - start)
      await ack(answer === '' ? undefined : answer)
    }
    try {
      await app?.processEvent({
        body,
        ack: acknowledge,
        ...(retryNum === undefined ? {} : { retryNum }),
        ...(retryReason === undefined ? {} : { retryReason }),
      })
    } finally {
      await acknowledge()
    }
  }

  client.on('slack_event', (given: unknown) => {
    const work = handle(given)
      .catch((error: unknown) => log.error({ err: error }, 'a request failed'))
      .finally(() => underWay.delete(work))
    underWay.add(work)
  })

  return {
    init(given) {
      app = given
      http.init(given)
    },
    async start() {
      const port = await http.start()
      await client.start()
      return port
    },
    async stop(graceMs) {
      await client.disconnect()
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
      await Promise.race([Promise.allSettled([...underWay]), deadline])
      await http.stop(graceMs)
    },
  }
}
