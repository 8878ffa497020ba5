import { SocketModeClient } from '@slack/socket-mode'
import { type Log, slackLogger } from '../../log.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'

const CLOSE_TIMEOUT_MS: Milliseconds = 1000
/** Includes the request for the address and Slack's greeting, for which the SDK would wait without end. */
const CONNECT_TIMEOUT_MS: Milliseconds = 15_000

/** Slack announces that it will close the connection, mostly some seconds before. */
const isDisconnectMessage = (message: unknown) =>
  typeof message === 'string' && message.length < 1000 && /"type"\s*:\s*"disconnect"/.test(message)

/** The SDK's client would close the connection as soon as its end is announced, and lose acknowledgements. */
class PatientClient extends SocketModeClient {
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const isEnd = event === 'ws_message' && isDisconnectMessage(args[0])
    return isEnd ? super.emit('end_announced') : super.emit(event, ...args)
  }
}

/** One connection: the SDK's client would reconnect only after 5 s, and end the process at a refusal. */
export class SocketConnection {
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
    try {
      const starting = this.#client.start()
      const result = await withTimeout(starting, timeoutMs)
      if (result !== timedOut) return
      // The greeting may still come.
      starting.then(() => this.close()).catch(() => {})
      throw new Error('Slack did not greet in time')
    } catch (error) {
      void this.close()
      // The SDK rejects with undefined if the connection is closed before the greeting.
      throw error ?? new Error('the connection was closed before Slack greeted')
    }
  }

  /** Closes TCP, too, which Slack leaves open after its own close frame. */
  async close(): Promise<void> {
    // The client closes TCP if it is asked twice.
    const closing = Promise.all([this.#client.disconnect(), this.#client.disconnect()])
    await withTimeout(closing, CLOSE_TIMEOUT_MS)
  }
}
