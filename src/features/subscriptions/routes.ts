import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { isDirectConversation, isPersonId, section } from '../../slack/blocks/blocks.ts'
import { modalWithMetadata, readMetadata } from '../../slack/blocks/modal.ts'
import { type Reply, textAnswer } from '../../slack/deliver/answers.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { joinOrRefuse } from '../../slack/deliver/posting-channel.ts'
import type { Click } from '../../slack/inbound/payloads.ts'
import * as routing from '../../slack/routing/routes.ts'
import { getChannelId, unknownWordsMessage } from '../../slack/routing/words.ts'
import type { TenantKey } from '../../store/tenant.ts'
import * as kinds from './kind.ts'
import { type ChangeName, menuChanges, SubscriptionRecords } from './records.ts'
import { buildSavedModal, createPlaceForm, notFoundText } from './view.ts'

const formMetadataSchema = z.object({
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
  readonly page?: number | undefined
}

interface MenuRequest {
  readonly interaction: routing.Interaction
  /** Without a page, the click was in an alert's message. */
  readonly value: { readonly id: string; readonly page?: number }
  readonly click: Click
}

/** The commands, buttons and forms of one kind. */
export class SubscriptionRoutes<T extends kinds.Subscription, Options extends object> {
  readonly info
  readonly records
  readonly #services
  readonly #kind
  readonly #formId

  constructor(services: Services, kind: kinds.SubscriptionKind<T, Options>) {
    this.info = kind.info
    this.records = new SubscriptionRecords(services, kind)
    this.#services = services
    this.#kind = kind
    this.#formId = `${kind.info.command}.${kind.info.word}`
  }

  routes(): routing.FeatureRoutes {
    const { command, word, needs } = this.info
    return {
      ...this.#kind.backgroundRoutes?.(),
      commands: [
        {
          command,
          word,
          moreWords: 'read',
          needs,
          opensModal: true,
          handle: (request) => this.#openFromCommand(request),
        },
        { command, word: `${word}s`, needs, handle: ({ interaction }) => this.records.showList(interaction) },
      ],
      actions: this.#actionRoutes(),
      submissions: [
        { view: this.#formId, needs, handle: (request) => this.#submit(request) },
        { view: `${this.#formId}.delete`, needs, handle: (request) => this.#delete(request) },
      ],
    }
  }

  #actionRoutes(): readonly routing.ActionRoute[] {
    const { needs, actions } = this.info
    const { page, create, menu } = actions
    const routes = routing.bind(
      { page, create, edit: menu.entry('edit'), delete: menu.entry('delete') },
      {
        page: { needs, handle: ({ interaction, value }) => this.records.showList(interaction, value.page) },
        create: {
          needs,
          opensModal: true,
          handle: ({ interaction, value, click }) => this.#open(interaction, { click, page: value.page }),
        },
        edit: { needs, opensModal: true, handle: (request) => this.edit(request) },
        delete: { needs, opensModal: true, handle: (request) => this.#askToDelete(request) },
      },
    )
    const changes = menuChanges.map((name) => routing.bindAction(menu.entry(name), this.#changeHandler(name)))
    return [...routes, ...changes]
  }

  #changeHandler(name: ChangeName): routing.ActionHandler<kinds.SubscriptionRef> {
    return {
      needs: this.info.needs,
      handle: async ({ interaction, value: { id, page }, click }) => {
        const sentence = await this.records.change(interaction, id, name)
        if (click.view?.type === 'home') return textAnswer(sentence)
        return this.records.showList(interaction, page, sentence)
      },
    }
  }

  async #openFromCommand({ interaction, words }: routing.CommandRequest): Promise<Reply> {
    const { command, word } = this.info
    const mention = words.find((typed) => getChannelId(typed) !== undefined)
    const unknownWords = words.filter((typed) => typed !== mention)
    if (unknownWords.length === 0)
      return this.#open(interaction, { channel: mention && getChannelId(mention) })
    const openCommand = `/${command} ${word}`
    const suggestion = mention ? `${openCommand} ${mention.value}` : openCommand
    return { message: unknownWordsMessage(unknownWords, suggestion) }
  }

  async #open(interaction: routing.Interaction, options: OpenOptions<T>): Promise<types.ModalView> {
    const { actor, tenant, channel: currentChannel, channelName } = interaction
    const { record, click, page } = options
    // Throws if there is no account, before someone fills in the form.
    await this.#services.workspaces.getAccount(tenant)
    // The Home tab has no channel.
    const isInChannel = currentChannel !== '' && !isDirectConversation(currentChannel, channelName)
    const channel = record?.channel ?? options.channel ?? (isInChannel ? currentChannel : actor.person.id)
    const place = createPlaceForm(isPersonId(channel) ? undefined : channel)
    const inputs = await this.#kind.inputs(tenant, record)
    return modalWithMetadata(formMetadataSchema, {
      id: this.#formId,
      origin: { workspace: actor.workspace, channel: currentChannel, openedBy: click?.replyTo },
      metadata: { id: record?.id, page },
      title: this.info.title,
      submit: 'Save',
      blocks: [section(this.info.intro), ...place.buildInputs(), ...inputs],
    })
  }

  /** Returns the form of a record, or says that it was deleted. */
  async edit({ interaction, value: { id, page }, click }: MenuRequest): Promise<types.ModalView> {
    const record = await this.#kind.rows.get(interaction.tenant, id)
    if (!record) return this.notice(notFoundText(this.info))
    return this.#open(interaction, { record, click, page })
  }

  notice(text: string): types.ModalView {
    return messageModal(text, { title: this.info.title })
  }

  async #submit({ interaction, view }: routing.SubmissionRequest): Promise<routing.SubmissionResult> {
    const { actor, tenant } = interaction
    await this.#services.workspaces.getAccount(tenant)
    // The form's only possible error is a missing channel.
    const { values: place } = createPlaceForm().read(view)
    const channel = place?.where === 'direct' ? actor.person.id : place?.channel
    if (channel === undefined) return { errors: { channel: 'Choose a channel.' } }
    const { values, errors } = this.#kind.read(view)
    if (errors) return { errors }
    const metadata = readMetadata(view, formMetadataSchema)
    const isNew = metadata.id === undefined
    // With the modal's id, a second submission creates no second subscription.
    const id = metadata.id ?? view.id
    const draft = { ...values, id, workspace: actor.workspace, owner: actor.person.id, channel }
    const before = await this.#kind.rows.get(tenant, id)
    const wasDeleted = !before && !isNew
    if (wasDeleted) return { view: this.notice(notFoundText(this.info)) }
    const refusal = await this.#refuse(interaction, draft, before)
    if (refusal) return refusal
    const saved = await this.#save(tenant, draft, before)
    if (!saved) return { view: this.notice(notFoundText(this.info)) }
    await this.records.publishChange(actor, isNew ? 'set up' : 'changed', saved)
    this.#services.homeTab.emit('outdated', actor)
    const rows = await this.#kind.list(tenant)
    const warning = await this.#kind.warn?.(saved)
    const savedView = buildSavedModal(this.info, rows, { id: saved.id, warning })
    return { view: savedView, answer: this.records.updateList(interaction, metadata.page) }
  }

  /** Returns undefined if the draft can be saved. @throws {StoreError} */
  async #refuse(
    interaction: routing.Interaction,
    draft: kinds.Draft<Options>,
    before: T | undefined,
  ): Promise<routing.SubmissionResult | undefined> {
    if (!before) {
      const existing = await this.#kind.rows.all(interaction.tenant)
      const text = `This workspace has ${kinds.MAX_SUBSCRIPTIONS} ${this.info.word}s, the most it can have. Delete one first.`
      if (existing.length >= kinds.MAX_SUBSCRIPTIONS) return { view: this.notice(text) }
    }
    // An owner who has left the channel may still move the subscription to another one.
    if (before && before.owner !== interaction.actor.person.id) {
      const isAllowed = await this.records.isInChannel(interaction, before.channel)
      if (!isAllowed) return { view: this.notice(this.records.outsiderText(before.channel)) }
    }
    if (isPersonId(draft.channel)) return undefined
    const error = await joinOrRefuse(this.#services.channels, interaction, draft.channel)
    return error === undefined ? undefined : { errors: { channel: error } }
  }

  /** Returns undefined if it was deleted meanwhile. */
  async #save(tenant: TenantKey, draft: kinds.Draft<Options>, before: T | undefined) {
    const { rows } = this.#kind
    if (before) return rows.change(tenant, draft.id, (current) => this.#kind.make(draft, current))
    const created = await this.#kind.make(draft, undefined)
    await rows.set(tenant, draft.id, created)
    return created
  }

  async #askToDelete({ interaction: { actor }, value: { id, page }, click }: MenuRequest) {
    const { title, word } = this.info
    const question = `*Delete this ${word}?*\nIt won't post there any more. This can't be undone.`
    return modalWithMetadata(formMetadataSchema, {
      id: `${this.#formId}.delete`,
      origin: { workspace: actor.workspace, channel: '', openedBy: click.replyTo },
      metadata: { id, page },
      title,
      submit: 'Delete',
      blocks: [section(question)],
    })
  }

  async #delete({ interaction, view }: routing.SubmissionRequest): Promise<routing.SubmissionResult> {
    // Always has an id: see `#askToDelete`.
    const { id = '', page } = readMetadata(view, formMetadataSchema)
    const sentence = await this.records.change(interaction, id, 'delete')
    return { view: this.notice(sentence), answer: this.records.updateList(interaction, page) }
  }
}

/** The part of a kind that the Home tab lists. */
export type ListedKind = Pick<SubscriptionRoutes<kinds.Subscription, object>, 'info' | 'records'>
