import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../../services.ts'
import { directMessageFailure, updateMessage } from '../../../slack/api/post-message.ts'
import { SlackUnavailableError } from '../../../slack/api/web-api.ts'
import type { Message } from '../../../slack/blocks/blocks.ts'
import { withTeam } from '../../../slack/blocks/values.ts'
import { StoreError } from '../../../store/errors.ts'
import type { ExportRecord } from '../../../store/exports.ts'
import type { Milliseconds } from '../../../util/units.ts'

const mostTries = 4
const firstWaitMs: Milliseconds = 1000
const longestWaitMs: Milliseconds = 60_000

/** Tries again what did nothing because Slack stumbled. @throws what the last try throws, and the signal's reason */
export async function withTries<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SlackUnavailableError) || attempt >= mostTries) throw error
      const waitMs = error.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1)
      if (waitMs > longestWaitMs) throw error
      await sleep(waitMs, undefined, { signal })
    }
  }
}

/** The direct message that shows how an export stands. That it can't be shown ends no export. */
export class ExportMessage {
  readonly #services
  readonly #record

  constructor(
    services: Pick<Services, 'guards' | 'backgroundWebApi' | 'log'>,
    record: Pick<ExportRecord, 'tenant' | 'message'>,
  ) {
    this.#services = services
    this.#record = record
  }

  /** @throws {StoreError} */
  show(message: Message): Promise<void> {
    return this.#logged(this.#update(message))
  }

  /** Shows what is to stay, as soon as Slack lets us. @throws {StoreError} */
  end(message: Message): Promise<void> {
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
      this.#services.log.info({ err: error }, 'how far an export is could not be shown')
    }
  }
}
