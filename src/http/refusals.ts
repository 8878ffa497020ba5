import type { Log } from '../log.ts'
import type { Milliseconds } from '../util/units.ts'

/** Why a request was not taken: the names under which the log counts. */
type RefusalReason = 'signature' | 'timestamp' | 'too-large' | 'cut' | 'crowded' | 'connections'

/** A request that is answered with a status, and whose connection is closed. */
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

const logEvery: Milliseconds = 1000

/** Counts what was refused, and says so once a second at most: anybody can send what is refused. */
export class Refusals {
  readonly #log
  #counts: Partial<Record<RefusalReason, number>> = {}
  #timer: NodeJS.Timeout | undefined

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log
  }

  add(reason: RefusalReason): void {
    this.#counts[reason] = (this.#counts[reason] ?? 0) + 1
    if (!this.#timer) this.#report()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (Object.keys(this.#counts).length > 0)
      this.#log.info({ refused: this.#counts }, 'requests were refused')
    this.#counts = {}
  }

  readonly #report = () => {
    const isQuiet = Object.keys(this.#counts).length === 0
    this.close()
    if (!isQuiet) this.#timer = setTimeout(this.#report, logEvery).unref()
  }
}
