import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { isDirectConversation, isPersonId, section } from '../../slack/blocks/blocks.ts'
import { modalWithMetadata } from '../../slack/blocks/modal.ts'
import { readMetadata, readOrigin, type ViewOrigin } from '../../slack/blocks/view-metadata.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { refuseChannel } from '../../slack/deliver/posting-channel.ts'
import { type Entered, enteredIn } from '../../slack/forms/form.ts'
import type { Click, ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Interaction, SubmissionRequest, SubmissionResult } from '../../slack/routing/routes.ts'
import { type TenantKey, tenantKey } from '../../store/tenant.ts'
import type { SubscriptionChanges } from './changes.ts'
import {
  type Draft,
  MAX_SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionInfo,
  type SubscriptionKind,
  type SubscriptionRef,
} from './kind.ts'
import type { SubscriptionList } from './list.ts'
import { lacksChannel, notFoundText, placeInputs, readPlace, savedModal } from './view.ts'

export const formMetadataSchema = z.object({
  /** Without an id, the form creates a subscription. */
  id: z.string().max(40).optional(),
  /** Page of the list that the form was opened from. */
  page: z.number().optional(),
  /** The channel when the form was opened; empty for direct messages. */
  preselected: z.string().default(''),
})
type FormMetadata = z.infer<typeof formMetadataSchema>

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
  readonly value: Pick<SubscriptionRef, 'id'> & Partial<SubscriptionRef>
  readonly click: Click
}

export const formId = ({ command, word }: SubscriptionInfo): string => `${command}.${word}`

/** The form that creates or changes a subscription. */
export class SubscriptionForm<T extends Subscription, Options extends object> {
  readonly #services
  readonly #kind
  readonly #list
  readonly #changes

  constructor(
    services: Services,
    parts: {
      kind: SubscriptionKind<T, Options>
      list: SubscriptionList
      changes: SubscriptionChanges<T>
    },
  ) {
    this.#services = services
    this.#kind = parts.kind
    this.#list = parts.list
    this.#changes = parts.changes
  }

  async open(interaction: Interaction, options: OpenOptions<T>): Promise<types.ModalView> {
    const { actor, tenant, channel: here, channelName } = interaction
    const { record, click, page } = options
    // Throws if there is no account, before someone fills in the form.
    await this.#services.workspaces.account(tenant)
    const current = isDirectConversation(here, channelName) ? '' : here
    const channel = record?.channel ?? options.channel ?? current
    const origin = { workspace: actor.workspace, channel: here, openedBy: click?.replyTo }
    const preselected = isPersonId(channel) ? '' : channel
    const metadata = { id: record?.id, page, preselected }
    return this.#render(origin, metadata, record)
  }

  /** Returns the form of a record. */
  async edit({ interaction, value: { id, page }, click }: MenuRequest): Promise<types.ModalView> {
    const record = await this.#kind.rows.get(interaction.tenant, id)
    if (!record) return this.notice(notFoundText(this.#kind.info))
    return this.open(interaction, { record, click, page })
  }

  /** Shows or hides the channel. */
  async redraw(interaction: Interaction, click: Click): Promise<undefined> {
    if (!click.view) return
    const view = await this.#renderAgain(interaction, click.view)
    await this.#services.modals.redraw(interaction.actor, click, view)
  }

  async #renderAgain({ tenant }: Interaction, view: ViewPayload): Promise<types.ModalView> {
    const metadata = readMetadata(view, formMetadataSchema)
    const record = metadata.id === undefined ? undefined : await this.#kind.rows.get(tenant, metadata.id)
    return this.#render(readOrigin(view), metadata, record, enteredIn(view))
  }

  /** @param entered the values so far, if the form is redrawn */
  async #render(
    origin: ViewOrigin,
    metadata: FormMetadata,
    record: T | undefined,
    entered: Entered = {},
  ): Promise<types.ModalView> {
    const { info } = this.#kind
    const tenant = tenantKey(origin.workspace)
    const inputs = await this.#kind.inputs(tenant, record)
    return modalWithMetadata(formMetadataSchema, {
      id: formId(info),
      origin,
      metadata,
      title: info.title,
      submit: 'Save',
      blocks: [section(info.intro), ...placeInputs(info, metadata.preselected, entered), ...inputs],
    })
  }

  async submit({ interaction, view }: SubmissionRequest): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const { rows } = this.#kind
    await this.#services.workspaces.account(tenant)
    if (lacksChannel(view)) return { view: await this.#renderAgain(interaction, view) }
    const place = readPlace(view, actor.person.id)
    if ('errors' in place) return place
    const read = this.#kind.read(view)
    if ('errors' in read) return read
    const { id = view.id, page } = readMetadata(view, formMetadataSchema)
    const { workspace, person } = actor
    const draft = { ...read.options, id, workspace, owner: person.id, channel: place.channel }
    // A second submission of the same modal creates no second subscription.
    const before = await rows.get(tenant, id)
    if (!before && id !== view.id) return { view: this.notice(notFoundText(this.#kind.info)) }
    const refusal = await this.#refuse(interaction, draft, before)
    if (refusal) return refusal
    const saved = await this.#save(tenant, draft, before)
    if (!saved) return { view: this.notice(notFoundText(this.#kind.info)) }
    await this.#recordSaved(actor, saved, id === view.id)
    return { view: await this.#savedModal(tenant, saved), answer: this.#list.update(interaction, page) }
  }

  /** Returns undefined if the draft can be saved. @throws {StoreError} */
  async #refuse(
    interaction: Interaction,
    draft: Draft<Options>,
    before: T | undefined,
  ): Promise<SubmissionResult | undefined> {
    const { actor, tenant } = interaction
    const { info, rows } = this.#kind
    const all = await rows.all(tenant)
    if (!before && all.length >= MAX_SUBSCRIPTIONS) {
      const text = `This workspace has ${MAX_SUBSCRIPTIONS} ${info.longWord}s, the most it can have. Delete one first.`
      return { view: this.notice(text) }
    }
    // The owner may move it away from a channel after leaving that channel.
    const isOwn = before === undefined || before.owner === actor.person.id
    if (!isOwn && !(await this.#changes.isInChannel(interaction, before.channel)))
      return { view: this.notice(this.#changes.notInText(before.channel)) }
    const isDirect = isPersonId(draft.channel)
    if (isCopy(draft, before, all)) {
      const text = `This ${info.word} already exists: see /${info.command} ${info.word}s.`
      return { errors: { [isDirect ? 'where' : 'channel']: text } }
    }
    if (isDirect) return undefined
    const channel = await refuseChannel(this.#services.channels, interaction, draft.channel)
    return channel === undefined ? undefined : { errors: { channel } }
  }

  /** Returns undefined if it was deleted meanwhile. */
  async #save(tenant: TenantKey, draft: Draft<Options>, before: T | undefined): Promise<T | undefined> {
    const { rows } = this.#kind
    if (before) return rows.change(tenant, draft.id, (current) => this.#kind.make(draft, current))
    const created = await this.#kind.make(draft, undefined)
    await rows.set(tenant, draft.id, created)
    return created
  }

  async #recordSaved(actor: Actor, saved: T, isNew: boolean): Promise<void> {
    const { audit, homeTab } = this.#services
    const { info } = this.#kind
    await this.#kind.changed?.(saved)
    const verb = isNew ? 'set up' : 'changed'
    await audit.record(actor, `${verb} ${info.audit}`, {
      channel: saved.channel,
      detail: await this.#kind.describe(saved),
    })
    homeTab.emit('outdated', actor)
  }

  async #savedModal(tenant: TenantKey, saved: T): Promise<types.ModalView> {
    const rows = await this.#kind.list(tenant)
    const warning = await this.#kind.warn?.(saved)
    return savedModal(this.#kind.info, rows, { id: saved.id, warning })
  }

  notice(text: string): types.ModalView {
    return messageModal(text, { title: this.#kind.info.title })
  }
}

/** Whether another one posts the same there. A record that is saved unchanged is no copy. */
function isCopy<T extends Subscription>(draft: Draft<object>, before: T | undefined, all: readonly T[]) {
  const { id, workspace: _, owner: _owner, ...content } = draft
  const hasSameContent = (record: T) => JSON.stringify({ ...record, ...content }) === JSON.stringify(record)
  if (before && hasSameContent(before)) return false
  return all.some((record) => record.id !== id && hasSameContent(record))
}
