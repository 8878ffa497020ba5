import { randomUUID } from 'node:crypto'
import type { ScheduleKind } from '../../scheduler/kind.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { schedulesMessage } from './list.ts'

/** What is planned of one kind, page by page. */
export class ScheduleLists {
  readonly #now
  readonly #kind

  constructor({ now }: Pick<Services, 'now'>, kind: Pick<ScheduleKind, 'info' | 'scheduler'>) {
    this.#now = now
    this.#kind = kind
  }

  /** @param note what was done just now. mrkdwn. @throws {StoreError} */
  async show({ tenant }: Interaction, page = 1, note?: string): Promise<Answer> {
    const { info, scheduler } = this.#kind
    const options = { page, now: new Date(this.#now()), nonce: randomUUID().slice(0, 8), note }
    return { message: schedulesMessage(info, await scheduler.list(tenant), options) }
  }
}
