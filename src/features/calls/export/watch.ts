import type { Log } from '../../../log.ts'
import type { Milliseconds } from '../../../util/units.ts'

/** Why an export ended before its end. */
export class ExportEndedError extends Error {
  override readonly name = 'ExportEndedError'
  readonly why

  constructor(why: 'cancelled' | 'too-slow' | 'too-many') {
    super(`an export ended: ${why}`)
    this.why = why
  }
}

const lookEveryMs: Milliseconds = 500
/** As often as Slack lets a message be changed: https://docs.slack.dev/reference/methods/chat.update, Tier 3. */
const showEveryMs: Milliseconds = 2000
const longestMs: Milliseconds = 60 * 60_000

/** What goes on beside the reading of an export: looks whether it was cancelled, and shows how far it is. */
export class Watch {
  /** Aborted with an `ExportEndedError`, or with the reason of `ending`. */
  readonly signal: AbortSignal
  readonly #ended = new AbortController()
  readonly #timers
  #looking: Promise<void> | undefined
  #showing: Promise<void> | undefined

  constructor(
    options: { ending: AbortSignal; isCancelled: () => Promise<boolean>; show: () => Promise<void> },
    log: Pick<Log, 'warn'>,
  ) {
    const { ending, isCancelled, show } = options
    this.signal = AbortSignal.any([ending, this.#ended.signal])
    const look = async () => {
      if (await isCancelled()) this.#end('cancelled')
    }
    const attempt = (work: () => Promise<void>) =>
      work().catch((error: unknown) => log.warn({ err: error }, 'an export could not be looked after'))
    const showOnce = () => {
      this.#showing ??= attempt(show).finally(() => {
        this.#showing = undefined
      })
    }
    const lookOnce = () => {
      this.#looking ??= attempt(look).finally(() => {
        this.#looking = undefined
      })
    }
    // What waited has begun.
    showOnce()
    this.#timers = [
      setInterval(lookOnce, lookEveryMs),
      setInterval(showOnce, showEveryMs),
      setTimeout(() => this.#end('too-slow'), longestMs),
    ]
  }

  /** Once nothing is shown any more: what is shown then stays. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all([this.#looking, this.#showing])
  }

  #end(why: ExportEndedError['why']): void {
    this.#ended.abort(new ExportEndedError(why))
  }
}
