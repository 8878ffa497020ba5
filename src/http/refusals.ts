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

const LOG_INTERVAL_MS: Milliseconds = 1000
const WARNING_INTERVAL_MS: Milliseconds = 2 * minuteMs

const noCounts = () => ({ signature: 0, timestamp: 0, accepted: 0 })

/** Logs only counts, because anyone can cause refusals. Warns if most requests with a signature are refused. */
export class Refusals {
  readonly #options
  #refused: Partial<Record<RefusalReason, number>> = {}
  #counts = noCounts()

  constructor(options: {
    log: Pick<Log, 'info' | 'warn'>
    onRefused: (reason: RefusalReason) => void
    warnAfterMs?: Milliseconds | undefined
  }) {
    this.#options = options
  }

  countAccepted(): void {
    this.#counts.accepted += 1
  }

  countRefused(reason: RefusalReason): void {
    this.#options.onRefused(reason)
    this.#logSoon(reason)
    if (reason === 'signature' || reason === 'timestamp') this.#warnLater(reason)
  }

  #logSoon(reason: RefusalReason): void {
    if (Object.keys(this.#refused).length === 0)
      setTimeout(() => {
        this.#options.log.info({ refused: this.#refused }, 'requests were refused')
        this.#refused = {}
      }, LOG_INTERVAL_MS).unref()
    this.#refused[reason] = (this.#refused[reason] ?? 0) + 1
  }

  /** The first refusal begins an interval, at whose end the requests since then are compared. */
  #warnLater(reason: 'signature' | 'timestamp'): void {
    if (this.#counts.signature + this.#counts.timestamp === 0) {
      this.#counts.accepted = 0
      setTimeout(() => this.#warnIfMost(), this.#options.warnAfterMs ?? WARNING_INTERVAL_MS).unref()
    }
    this.#counts[reason] += 1
  }

  #warnIfMost(): void {
    const { log } = this.#options
    const counts = this.#counts
    this.#counts = noCounts()
    if (counts.signature + counts.timestamp <= counts.accepted) return
    if (counts.signature >= counts.timestamp)
      log.warn(counts, "most requests are refused: SLACK_SIGNING_SECRET isn't this app's")
    else log.warn(counts, "most requests are refused: this machine's clock is wrong")
  }
}
