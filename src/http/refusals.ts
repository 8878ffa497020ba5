import type { Log } from '../log.ts'
import type { Milliseconds } from '../util/units.ts'

type RefusalReason = 'signature' | 'timestamp' | 'too-large' | 'cut' | 'crowded'

/** The request is answered with the status, and its connection is closed. */
export class RefusedRequestError extends Error {
  override readonly name = this.constructor.name
  readonly status: number
  readonly reason: RefusalReason

  constructor(status: number, reason: RefusalReason) {
    super(`refused: ${reason}`)
    this.status = status
    this.reason = reason
  }
}

const LOG_INTERVAL_MS: Milliseconds = 1000

/** Counts refused requests and logs the counts at most once a second, because anybody can cause them. */
export class Refusals {
  readonly #log
  #counts: Partial<Record<RefusalReason, number>> = {}
  #timer: NodeJS.Timeout | undefined

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log
  }

  add(reason: RefusalReason): void {
    this.#counts[reason] = (this.#counts[reason] ?? 0) + 1
    this.#timer ??= setTimeout(() => this.flush(), LOG_INTERVAL_MS).unref()
  }

  flush(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#log.info({ refused: this.#counts }, 'requests were refused')
    this.#counts = {}
  }
}
