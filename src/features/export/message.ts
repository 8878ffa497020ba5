import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../services.ts'
import { directMessageFailure, SlackUnavailableError, updateMessage } from '../../slack/api/web-api.ts'
import { withTeam } from '../../slack/blocks/action.ts'
import type { Message } from '../../slack/blocks/blocks.ts'
import { StoreError } from '../../store/errors.ts'
import { backoff, type Milliseconds } from '../../util/units.ts'
import type { ExportRecord } from './record.ts'

const MAX_SLACK_TRIES = 4
const FIRST_WAIT_MS: Milliseconds = 1000
const MAX_UPDATE_WAIT_MS: Milliseconds = 60_000

/** Repeats work that had no effect because Slack was unavailable. @throws the last error, or the signal's reason */
export async function withTries<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SlackUnavailableError) || attempt >= MAX_SLACK_TRIES) throw error
      const waitMs =
        error.retryAfterMs ?? backoff(attempt, { firstMs: FIRST_WAIT_MS, maxMs: MAX_UPDATE_WAIT_MS })
      if (waitMs > MAX_UPDATE_WAIT_MS) throw error
      await sleep(waitMs, undefined, { signal })
    }
  }
}

/** Direct message that shows the state of an export. A failed update doesn't end the export. */
export class ExportMessage {
  readonly #services
  readonly #record

  constructor(services: Pick<Services, 'guards' | 'backgroundWebApi' | 'log'>, record: ExportRecord) {
    this.#services = services
    this.#record = record
  }

  /** @throws {StoreError} */
  show(message: Message): Promise<void> {
    return this.#logged(this.#update(message))
  }

  /** Shows the final state, as soon as Slack allows it. @throws {StoreError} */
  showEnd(message: Message): Promise<void> {
    return this.#logged(withTries(() => this.#update(message)))
  }

  async #update(message: Message): Promise<void> {
    const { guards, backgroundWebApi } = this.#services
    const { tenant, message: place } = this.#record
    const { botToken } = await guards.installation(tenant)
    const result = await updateMessage(backgroundWebApi, botToken, place, withTeam(message, tenant))
    if (result.kind !== 'sent') throw directMessageFailure(result)
  }

  async #logged(update: Promise<void>): Promise<void> {
    try {
      await update
    } catch (error) {
      if (error instanceof StoreError) throw error
      this.#services.log.info({ err: error }, 'export message not updated')
    }
  }
}
