import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { alertsMessage } from './list.ts'

/** A workspace's alerts, page by page. */
export class AlertLists {
  readonly #services

  constructor(services: Pick<Services, 'alerts' | 'workspaces' | 'now'>) {
    this.#services = services
  }

  /** @param note what was done just now. mrkdwn. @throws {StoreError} */
  async show({ tenant }: Interaction, page = 1, note?: string): Promise<Answer> {
    const { alerts, workspaces, now } = this.#services
    const [all, names] = await Promise.all([alerts.list(tenant), workspaces.lineNames(tenant)])
    const options = { page, now: new Date(now()), nonce: randomUUID().slice(0, 8), note }
    return { message: alertsMessage(all, names, options) }
  }
}
