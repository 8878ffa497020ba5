import { randomUUID } from 'node:crypto'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { Subscription, SubscriptionKind, SubscriptionSection } from './kind.ts'
import { listMessage } from './view.ts'

/** Reads and shows the subscriptions of one kind. Every method @throws {StoreError}. */
export class SubscriptionList {
  readonly #kind

  constructor(kind: Pick<SubscriptionKind<Subscription, never>, 'info' | 'rows' | 'list'>) {
    this.#kind = kind
  }

  async read(tenant: TenantKey): Promise<SubscriptionSection> {
    const { info, rows } = this.#kind
    const [listed, unreadCount] = await Promise.all([this.#kind.list(tenant), rows.countMalformed(tenant)])
    if (unreadCount === 0) return { info, rows: listed }
    const note = `⚠ Some ${info.word}s can't be read, so they post nothing. Set up again what is missing: the log names the row.`
    return { info, rows: listed, note }
  }

  /** @param sentence about what was just done, in mrkdwn */
  async show({ tenant }: Interaction, page = 1, sentence?: string): Promise<Answer> {
    const { info, rows, note } = await this.read(tenant)
    const notes = [sentence, note].filter((text) => text !== undefined)
    const nonce = randomUUID().slice(0, 8)
    return { message: listMessage(info, rows, { page, nonce, note: notes.join('\n') }) }
  }

  /** @param page undefined if a form was opened from the Home tab or by a command, where there is no list */
  async update(interaction: Interaction, page: number | undefined): Promise<Answer | undefined> {
    return page === undefined || interaction.isInView ? undefined : this.show(interaction, page)
  }
}
