import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../../services.ts'
import { NotInstalledError } from '../../../slack/access/errors.ts'
import { updateMessage } from '../../../slack/api/post-message.ts'
import { SlackUnavailableError, TokenRefusedError } from '../../../slack/api/web-api.ts'
import type { Message } from '../../../slack/blocks/blocks.ts'
import { withTeam } from '../../../slack/blocks/message-team.ts'
import type { ExportRecord } from '../../../store/exports.ts'
import type { EpochMs, Milliseconds } from '../../../util/units.ts'

const mostTries = 4
const longestWaitMs: Milliseconds = 30_000

/** The direct message that says how far an export is. That it can't be shown ends no export. */
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
    const { guards, backgroundWebApi, log } = this.#services
    const { tenant, message: place } = this.#record
    try {
      const { botToken } = await guards.installation(tenant)
      const result = await updateMessage(backgroundWebApi, botToken, place, withTeam(message, tenant))
      if (result.kind === 'sent') return 0
      log.info({ cause: result }, 'how far an export is could not be shown')
      if (result.kind === 'refused') return 0
      const waitMs = (result.kind === 'not-now' ? result.retryAfterMs : undefined) ?? 1000
      this.#notBefore = performance.now() + waitMs
      return waitMs
    } catch (error) {
      const isAway = error instanceof SlackUnavailableError
      if (!isAway && !(error instanceof NotInstalledError || error instanceof TokenRefusedError)) throw error
      log.info({ cause: error.message }, 'how far an export is could not be shown')
      const waitMs = isAway ? (error.retryAfterMs ?? 1000) : 0
      this.#notBefore = performance.now() + waitMs
      return waitMs
    }
  }
}
