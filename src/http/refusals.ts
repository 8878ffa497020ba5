import type { Log } from '../log.ts'
import { type Milliseconds, minuteMs } from '../util/units.ts'

/** `unsigned`: not from Slack, whose requests always have a signature. */
const refusalStatuses = {
  unsigned: 401,
  signature: 401,
  timestamp: 401,
  cut: 408,
  'too-large': 413,
  crowded: 503,
  stopping: 503,
} as const

export type RefusalReason = keyof typeof refusalStatuses
export const refusalReasons: readonly string[] = Object.keys(refusalStatuses)

/** Answers the request with the reason's status, and closes its connection. */
export class RefusedRequestError extends Error {
  override readonly name = this.constructor.name
  readonly reason

  constructor(reason: RefusalReason) {
    super(`refused: ${reason}`)
    this.reason = reason
  }

  get status(): number {
    return refusalStatuses[this.reason]
  }
}

const WARNING_INTERVAL_MS: Milliseconds = 2 * minuteMs

interface ComparedRequests {
  signature: number
  timestamp: number
  accepted: number
}

/** Warns if most requests with a signature are refused. */
export class Refusals {
  readonly #log
  readonly #onRefused
  /** Counts since the refusal that began an interval. */
  #compared: ComparedRequests | undefined

  constructor(log: Pick<Log, 'info' | 'warn'>, onRefused: (reason: RefusalReason) => void) {
    this.#log = log
    this.#onRefused = onRefused
  }

  countAccepted(): void {
    if (this.#compared) this.#compared.accepted += 1
  }

  countRefused(reason: RefusalReason): void {
    this.#onRefused(reason)
    // Written once a second with its count, because anyone can cause refusals.
    this.#log.info({ err: reason }, 'requests were refused')
    if (reason === 'signature' || reason === 'timestamp') this.#compareLater(reason)
  }

  #compareLater(reason: 'signature' | 'timestamp'): void {
    if (!this.#compared) {
      const compared: ComparedRequests = { signature: 0, timestamp: 0, accepted: 0 }
      this.#compared = compared
      setTimeout(() => this.#warnIfMost(compared), WARNING_INTERVAL_MS).unref()
    }
    this.#compared[reason] += 1
  }

  #warnIfMost(compared: ComparedRequests): void {
    this.#compared = undefined
    const { signature, timestamp, accepted } = compared
    if (signature + timestamp <= accepted) return
    if (signature >= timestamp)
      this.#log.warn(compared, "most requests are refused: SLACK_SIGNING_SECRET isn't this app's")
    else this.#log.warn(compared, "most requests are refused: this machine's clock is wrong")
  }
}
