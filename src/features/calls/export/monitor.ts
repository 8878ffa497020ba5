import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../log.ts'
import type { Services } from '../../../services.ts'
import { NotInstalledError } from '../../../slack/access/errors.ts'
import { updateMessage } from '../../../slack/api/post-message.ts'
import { SlackUnavailableError, TokenRefusedError } from '../../../slack/api/web-api.ts'
import type { Message } from '../../../slack/blocks/blocks.ts'
import { withTeam } from '../../../slack/blocks/values.ts'
import type { ExportRecord } from '../../../store/exports.ts'
import type { EpochMs, Milliseconds } from '../../../util/units.ts'

/** Why an export ended before its end: `lost` where its record is gone, since another process went on with it. */
export class ExportEndedError extends Error {
  override readonly name = 'ExportEndedError'
  readonly why

  constructor(why: 'cancelled' | 'lost' | 'too-slow' | 'too-many') {
    super(`an export ended: ${why}`)
    this.why = why
  }
}

const checkEveryMs: Milliseconds = 500
/** As often as Slack lets a message be changed: https://docs.slack.dev/reference/methods/chat.update, Tier 3. */
const showEveryMs: Milliseconds = 2000
const longestMs: Milliseconds = 60 * 60_000

/** What goes on beside the reading of an export: it checks whether to end, and shows how far it is. */
export class ExportMonitor {
  /** Aborted with an `ExportEndedError`, or with the reason of `ending`. */
  readonly signal: AbortSignal
  readonly #ended = new AbortController()
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #inFlight = new Map<() => Promise<void>, Promise<void>>()

  /** @param work.check comes to why it is over, or to nothing */
  constructor(
    work: { check: () => Promise<ExportEndedError['why'] | undefined>; show: () => Promise<void> },
    { ending, log }: { ending: AbortSignal; log: Pick<Log, 'warn'> },
  ) {
    this.signal = AbortSignal.any([ending, this.#ended.signal])
    const check = async () => {
      const why = await work.check()
      if (why) this.#end(why)
    }
    /** One of each at a time. */
    const once = (task: () => Promise<void>) => {
      if (this.#inFlight.has(task)) return
      const attempt = task().catch((err: unknown) => log.warn({ err }, 'an export could not be monitored'))
      this.#inFlight.set(
        task,
        attempt.finally(() => this.#inFlight.delete(task)),
      )
    }
    // What waited has begun.
    once(work.show)
    this.#timers = [
      setInterval(once, checkEveryMs, check),
      setInterval(once, showEveryMs, work.show),
      setTimeout(() => this.#end('too-slow'), longestMs),
    ]
  }

  /** Once nothing is shown any more: what is shown then stays. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#inFlight.values())
  }

  #end(why: ExportEndedError['why']): void {
    this.#ended.abort(new ExportEndedError(why))
  }
}

const mostTries = 4
const longestWaitMs: Milliseconds = 30_000

/** The direct message that shows how an export stands. That it can't be shown ends no export. */
export class ProgressMessage {
  readonly #services
  readonly #record
  #notBefore: EpochMs = 0

  constructor(
    services: Pick<Services, 'guards' | 'backgroundWebApi' | 'log'>,
    record: Pick<ExportRecord, 'tenant' | 'message'>,
  ) {
    this.#services = services
    this.#record = record
  }

  /** Shows it now, unless Slack has asked to wait. @throws {StoreError} */
  async show(message: Message): Promise<void> {
    if (performance.now() >= this.#notBefore) await this.#update(message)
  }

  /** Shows what is to stay, as soon as Slack lets us. @throws {StoreError} */
  async end(message: Message): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const waitMs = Math.min(await this.#update(message), longestWaitMs)
      if (waitMs === 0 || attempt >= mostTries) return
      await sleep(waitMs)
    }
  }

  /** @returns after how long another try makes sense; 0 where none does */
  async #update(message: Message): Promise<Milliseconds> {
    const waitMs = await this.#tryUpdate(message)
    if (waitMs > 0) this.#notBefore = performance.now() + waitMs
    return waitMs
  }

  async #tryUpdate(message: Message): Promise<Milliseconds> {
    const { guards, backgroundWebApi, log } = this.#services
    const { tenant, message: place } = this.#record
    const notShown = 'how far an export is could not be shown'
    try {
      const { botToken } = await guards.installation(tenant)
      const result = await updateMessage(backgroundWebApi, botToken, place, withTeam(message, tenant))
      if (result.kind === 'sent') return 0
      log.info({ cause: result }, notShown)
      if (result.kind === 'refused') return 0
      return (result.kind === 'not-now' ? result.retryAfterMs : undefined) ?? 1000
    } catch (error) {
      const isUnavailable = error instanceof SlackUnavailableError
      const isRefused = error instanceof NotInstalledError || error instanceof TokenRefusedError
      if (!isUnavailable && !isRefused) throw error
      log.info({ cause: error.message }, notShown)
      return isUnavailable ? (error.retryAfterMs ?? 1000) : 0
    }
  }
}
