import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { isDirectConversation, isPersonId, section } from '../../slack/blocks/blocks.ts'
import { modalWithMetadata } from '../../slack/blocks/modal.ts'
import { readMetadata } from '../../slack/blocks/view-metadata.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { refuseChannel } from '../../slack/deliver/posting-channel.ts'
import type { Click } from '../../slack/inbound/payloads.ts'
import type { Interaction, SubmissionRequest, SubmissionResult } from '../../slack/routing/routes.ts'
import type { TenantKey } from '../../store/tenant.ts'
import * as kinds from './kind.ts'
import type { SubscriptionRecords } from './records.ts'
import { createPlaceForm, notFoundText, savedText } from './view.ts'

export const formMetadataSchema = z.object({
  /** Without an id, the form creates a subscription. */
  id: z.string().max(40).optional(),
  /** Page of the list that the form was opened from. */
  page: z.number().optional(),
})

interface OpenOptions<T> {
  /** Undefined to create one. */
  readonly record?: T
  readonly channel?: string | undefined
  readonly click?: Click
  /** Page of the list that was clicked in. */
  readonly page?: number | undefined
}

export interface MenuRequest {
  readonly interaction: Interaction
  /** Without a page, the click wasn't in a list. */
  readonly value: Pick<kinds.SubscriptionRef, 'id'> & Partial<kinds.SubscriptionRef>
  readonly click: Click
}

export const formId = ({ command, word }: kinds.SubscriptionInfo): string => `${command}.${word}`

/** The form that creates or changes a subscription. */
export class SubscriptionForm<T extends kinds.Subscription, Options extends object> {
  readonly #services
  readonly #kind
  readonly #records

  constructor(services: Services, kind: kinds.SubscriptionKind<T, Options>, records: SubscriptionRecords<T>) {
    this.#services = services
    this.#kind = kind
    this.#records = records
  }

  async open(interaction: Interaction, options: OpenOptions<T>): Promise<types.ModalView> {
    const { actor, tenant, channel: here, channelName } = interaction
    const { record, click, page } = options
    // Throws if there is no account, before someone fills in the form.
    await this.#services.workspaces.account(tenant)
    const current = isDirectConversation(here, channelName) ? '' : here
    const channel = record?.channel ?? options.channel ?? current
    const place = createPlaceForm(isPersonId(channel) ? '' : channel)
    const { info } = this.#kind
    const inputs = await this.#kind.inputs(tenant, record)
    return modalWithMetadata(formMetadataSchema, {
      id: formId(info),
      origin: { workspace: actor.workspace, channel: here, openedBy: click?.replyTo },
      metadata: { id: record?.id, page },
      title: info.title,
      submit: 'Save',
      blocks: [section(info.intro), ...place.inputs(), ...inputs],
    })
  }

  /** Returns the form of a record. */
  async edit({ interaction, value: { id, page }, click }: MenuRequest): Promise<types.ModalView> {
    const record = await this.#kind.rows.get(interaction.tenant, id)
    if (!record) return this.notice(notFoundText(this.#kind.info))
    return this.open(interaction, { record, click, page })
  }

  async submit({ interaction, view }: SubmissionRequest): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    await this.#services.workspaces.account(tenant)
    const { values: place } = createPlaceForm().read(view)
    const channel = place?.where === 'direct' ? actor.person.id : place?.channel
    if (channel === undefined) return { errors: { channel: 'Choose a channel.' } }
    const read = this.#kind.read(view)
    if ('errors' in read) return read
    // A second submission of the same modal creates no second subscription.
    const { id = view.id, page } = readMetadata(view, formMetadataSchema)
    const draft = { ...read.options, id, workspace: actor.workspace, owner: actor.person.id, channel }
    const before = await this.#kind.rows.get(tenant, id)
    const isNew = id === view.id
    if (!before && !isNew) return { view: this.notice(notFoundText(this.#kind.info)) }
    const refusal = await this.#refuse(interaction, draft, before)
    if (refusal) return refusal
    const saved = await this.#save(tenant, draft, before)
    if (!saved) return { view: this.notice(notFoundText(this.#kind.info)) }
    await this.#records.recordChange(actor, isNew ? 'set up' : 'changed', saved)
    this.#services.homeTab.emit('outdated', actor)
    const sentence = await this.#describeSaved(tenant, saved)
    return { view: this.notice(sentence), answer: this.#records.updateList(interaction, page) }
  }

  /** Returns undefined if the draft can be saved. @throws {StoreError} */
  async #refuse(
    interaction: Interaction,
    draft: kinds.Draft<Options>,
    before: T | undefined,
  ): Promise<SubmissionResult | undefined> {
    if (!before && (await this.#isFull(interaction.tenant))) {
      const text = `This workspace has ${kinds.MAX_SUBSCRIPTIONS} ${this.#kind.info.word}s, the most it can have. Delete one first.`
      return { view: this.notice(text) }
    }
    // The owner may move it away from a channel after leaving that channel.
    const isOwn = before === undefined || before.owner === draft.owner
    if (!isOwn && !(await this.#records.isInChannel(interaction, before.channel)))
      return { view: this.notice(this.#records.outsiderText(before.channel)) }
    if (isPersonId(draft.channel)) return undefined
    const channel = await refuseChannel(this.#services.channels, interaction, draft.channel)
    return channel === undefined ? undefined : { errors: { channel } }
  }

  async #isFull(tenant: TenantKey): Promise<boolean> {
    const all = await this.#kind.rows.all(tenant)
    return all.length >= kinds.MAX_SUBSCRIPTIONS
  }

  /** Returns undefined if it was deleted meanwhile. */
  async #save(tenant: TenantKey, draft: kinds.Draft<Options>, before: T | undefined) {
    const { rows } = this.#kind
    if (before) return rows.change(tenant, draft.id, (current) => this.#kind.make(draft, current))
    const created = await this.#kind.make(draft, undefined)
    await rows.set(tenant, draft.id, created)
    return created
  }

  async #describeSaved(tenant: TenantKey, saved: T): Promise<string> {
    const rows = await this.#kind.list(tenant)
    const row = rows.find(({ id }) => id === saved.id)
    return savedText(this.#kind.info, row)
  }

  notice(text: string): types.ModalView {
    return messageModal(text, { title: this.#kind.info.title })
  }
}
