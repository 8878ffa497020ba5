import { randomUUID } from 'node:crypto'
import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import {
  conversationText,
  escapeText,
  isDirectConversation,
  isPersonId,
  section,
} from '../../slack/blocks/blocks.ts'
import { modalWithMetadata } from '../../slack/blocks/modal.ts'
import { readMetadata } from '../../slack/blocks/view-metadata.ts'
import { type Answer, type Reply, textAnswer } from '../../slack/deliver/answers.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { refuseChannel } from '../../slack/deliver/posting-channel.ts'
import type { Click, ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  type ActionHandler,
  bind,
  type CommandRequest,
  type FeatureRoutes,
  type Interaction,
  type SubmissionRequest,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { channelWord, unknownWordsMessage } from '../../slack/routing/words.ts'
import type { Muted } from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { addDays } from '../../time/days.ts'
import { localDay, startOfDay, type Zone } from '../../time/zones.ts'
import { type EpochMs, hourMs } from '../../util/units.ts'
import {
  type Draft,
  MAX_SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionInfo,
  type SubscriptionKind,
  type SubscriptionRef,
  type SubscriptionSection,
} from './kind.ts'
import { createConversationForm, listMessage, type MuteEntry, mutedText } from './view.ts'

const formMetadataSchema = z.object({
  /** Without an id, the form creates a subscription. */
  id: z.string().max(40).optional(),
  /** Page of the list that the form was opened from. */
  page: z.number().optional(),
  /** The form's channel when it was opened. */
  preselected: z.string().optional(),
})

/** Entries of the menu that need no modal. */
const menuChanges = ['mute-hour', 'mute-day', 'mute', 'turn-on'] as const
type ChangeName = (typeof menuChanges)[number] | 'delete'

function startMute(name: MuteEntry, by: string, zone: Zone, now: EpochMs): Muted {
  if (name === 'mute') return { by, from: now }
  if (name === 'mute-hour') return { by, from: now, until: now + hourMs }
  return { by, from: now, until: startOfDay(zone, addDays(localDay(zone, new Date(now)), 1)).getTime() }
}

interface OpenOptions<T> {
  /** Undefined to create one. */
  readonly record?: T
  readonly channel?: string | undefined
  readonly click?: Click
  /** Page of the list that was clicked in. */
  readonly page?: number | undefined
}

interface MenuRequest {
  readonly interaction: Interaction
  /** Without a page, the click wasn't in a list. */
  readonly value: Pick<SubscriptionRef, 'id'> & Partial<SubscriptionRef>
  readonly click: Click
}

export class SubscriptionRoutes<T extends Subscription, Options extends object> {
  readonly #services
  readonly #kind

  constructor(services: Services, kind: SubscriptionKind<T, Options>) {
    this.#services = services
    this.#kind = kind
  }

  get info(): SubscriptionInfo {
    return this.#kind.info
  }

  get #formId(): string {
    return `${this.info.command}.${this.info.word}`
  }

  get #deletionId(): string {
    return `${this.#formId}.delete`
  }

  /** @throws {StoreError} */
  async list(tenant: TenantKey): Promise<SubscriptionSection> {
    const { info, rows } = this.#kind
    const [listed, unread] = await Promise.all([this.#kind.list(tenant), rows.countMalformed(tenant)])
    const note = `⚠ Some ${info.longWord}s can't be read, so they post nothing. Set up again what is missing: the log names the row.`
    const sorted = listed.toSorted((one, other) => one.at - other.at)
    return { info, rows: sorted, note: unread === 0 ? undefined : note }
  }

  routes(): FeatureRoutes {
    const { command, word, needs, actions } = this.info
    const { page, new: create, menu } = actions
    const form = { needs, waiting: 'Saving…' }
    return {
      ...this.#kind.work?.(),
      commands: [
        {
          command,
          word,
          moreWords: 'read',
          needs,
          opensModal: true,
          handle: (request) => this.#openFromCommand(request),
        },
        { command, word: `${word}s`, needs, handle: ({ interaction }) => this.#show(interaction) },
      ],
      actions: [
        ...bind(
          { page, create, edit: menu.entry('edit'), delete: menu.entry('delete') },
          {
            page: { needs, handle: ({ interaction, value }) => this.#show(interaction, value.page) },
            create: {
              needs,
              opensModal: true,
              handle: ({ interaction, value, click }) => this.#open(interaction, { click, page: value.page }),
            },
            edit: { needs, opensModal: true, handle: (request) => this.edit(request) },
            delete: {
              needs,
              opensModal: true,
              handle: (request) => this.#askToDelete(request),
            },
          },
        ),
        ...menuChanges.flatMap((name) => bind({ change: menu.entry(name) }, { change: this.#button(name) })),
      ],
      submissions: [
        { view: this.#formId, ...form, handle: (request) => this.#submit(request) },
        { view: this.#deletionId, ...form, handle: (request) => this.#delete(request) },
      ],
    }
  }

  #notice(text: string): types.ModalView {
    return messageModal(text, { title: this.info.title })
  }

  async #show({ tenant }: Interaction, page = 1, sentence?: string): Promise<Answer> {
    const { rows, note: unread } = await this.list(tenant)
    const note = [sentence, unread].filter(Boolean).join('\n') || undefined
    const nonce = randomUUID().slice(0, 8)
    return { message: listMessage(this.info, rows, { page, nonce, note }) }
  }

  #button(name: ChangeName): ActionHandler<SubscriptionRef> {
    return {
      needs: this.info.needs,
      handle: async ({ interaction, value: { id, page }, click }) => {
        const sentence = await this.apply(interaction, id, name)
        return click.view?.type === 'home' ? textAnswer(sentence) : this.#show(interaction, page, sentence)
      },
    }
  }

  async #open(
    interaction: Interaction,
    { record, click, page, channel }: OpenOptions<T>,
  ): Promise<types.ModalView> {
    const { actor, tenant, channel: here, channelName } = interaction
    // Throws if there is no account, before someone fills in the form.
    await this.#services.workspaces.account(tenant)
    const current = isDirectConversation(here, channelName) ? '' : here
    const preselected = record?.channel ?? channel ?? current
    return modalWithMetadata(formMetadataSchema, {
      id: this.#formId,
      origin: { workspace: actor.workspace, channel: here, openedBy: click?.replyTo },
      metadata: { id: record?.id, page, preselected },
      title: this.info.title,
      submit: 'Save',
      blocks: [
        section(this.info.intro),
        ...createConversationForm(preselected).inputs(),
        ...(await this.#kind.inputs(tenant, record)),
      ],
    })
  }

  /** Returns the form of a record. */
  async edit({ interaction, value: { id, page }, click }: MenuRequest): Promise<types.ModalView> {
    const record = await this.#kind.rows.get(interaction.tenant, id)
    return record ? this.#open(interaction, { record, click, page }) : this.#notice(this.#notFoundText)
  }

  async #askToDelete({ interaction: { actor }, value: { id, page }, click }: MenuRequest) {
    const { title, word, posts } = this.info
    return modalWithMetadata(formMetadataSchema, {
      id: this.#deletionId,
      origin: { workspace: actor.workspace, channel: '', openedBy: click.replyTo },
      metadata: { id, page },
      title,
      submit: 'Delete',
      blocks: [
        section(`*Delete this ${word}?*\nIt won't post ${posts} there any more. This can't be undone.`),
      ],
    })
  }

  async #delete({ interaction, view }: SubmissionRequest): Promise<SubmissionResult> {
    const { id = '', page } = readMetadata(view, formMetadataSchema)
    const sentence = await this.apply(interaction, id, 'delete')
    return { view: this.#notice(sentence), answer: this.#updateList(interaction, page) }
  }

  /** There is no list if the form was opened from the Home tab or by a command. */
  #updateList(interaction: Interaction, page: number | undefined): Promise<Answer> | undefined {
    return page === undefined || interaction.isInView ? undefined : this.#show(interaction, page)
  }

  async #openFromCommand({ interaction, words }: CommandRequest): Promise<Reply> {
    const { command, word } = this.info
    const named = words.find((one) => channelWord(one) !== undefined)
    const unknown = words.filter((one) => one !== named)
    if (unknown.length === 0) return this.#open(interaction, { channel: named && channelWord(named) })
    const alone = `/${command} ${word}`
    return { message: unknownWordsMessage(unknown, named ? `${alone} ${named.value}` : alone) }
  }

  /** Prefers a newly chosen channel to direct messages, which are preselected where no channel is. */
  #read(view: ViewPayload, person: string, preselected = '') {
    const { values, errors } = createConversationForm('').read(view)
    if (!values) return { errors }
    const { where, channel } = values
    const isDirect = where === 'direct' && (channel === undefined || channel === preselected)
    if (!isDirect && channel === undefined) return { errors: { channel: 'Choose a channel.' } }
    const read = this.#kind.read(view)
    return 'errors' in read ? read : { ...read, place: isDirect ? person : (channel ?? '') }
  }

  /** Returns undefined if the draft can be saved. @throws {StoreError} */
  async #refuse(interaction: Interaction, draft: Draft<Options>, before: T | undefined) {
    const { actor, tenant } = interaction
    const { info, rows } = this.#kind
    const { id, workspace: _, owner: _owner, ...content } = draft
    const all = await rows.all(tenant)
    if (!before && all.length >= MAX_SUBSCRIPTIONS) {
      const text = `This workspace has ${MAX_SUBSCRIPTIONS} ${info.longWord}s, the most it can have. Delete one first.`
      return { view: this.#notice(text) }
    }
    // The owner may move it away from a channel after leaving that channel.
    if (before && before.owner !== actor.person.id)
      if (!(await this.#isInChannel(interaction, before.channel)))
        return { view: this.#notice(this.#notInText(before.channel)) }
    const hasSameContent = (one: T) => JSON.stringify({ ...one, ...content }) === JSON.stringify(one)
    if (!(before && hasSameContent(before)) && all.some((one) => one.id !== id && hasSameContent(one))) {
      const channel = `This ${info.word} already exists: see /${info.command} ${info.word}s.`
      return { errors: { channel } }
    }
    if (isPersonId(draft.channel)) return undefined
    const channel = await refuseChannel(this.#services.channels, interaction, draft.channel)
    return channel === undefined ? undefined : { errors: { channel } }
  }

  async #submit({ interaction, view }: SubmissionRequest): Promise<SubmissionResult> {
    const { actor, tenant } = interaction
    const { workspaces, audit, homeTab } = this.#services
    const { info, rows } = this.#kind
    await workspaces.account(tenant)
    const { id = view.id, page, preselected } = readMetadata(view, formMetadataSchema)
    const read = this.#read(view, actor.person.id, preselected)
    if ('errors' in read) return read
    const draft = {
      ...read.options,
      id,
      workspace: actor.workspace,
      owner: actor.person.id,
      channel: read.place,
    }
    // A second submission of the same modal creates no second subscription.
    const before = await rows.get(tenant, id)
    const notFound = { view: this.#notice(this.#notFoundText) }
    if (!before && id !== view.id) return notFound
    const refusal = await this.#refuse(interaction, draft, before)
    if (refusal) return refusal
    const saved = await (before
      ? rows.change(tenant, id, (current) => this.#kind.make(draft, current))
      : this.#kind.make(draft, undefined))
    if (!saved) return notFound
    if (!before) await rows.set(tenant, id, saved)
    await this.#kind.changed?.(saved)
    const verb = id === view.id ? 'set up' : 'changed'
    await audit.record(actor, `${verb} ${info.audit}`, {
      channel: saved.channel,
      detail: await this.#kind.describe(saved),
    })
    homeTab.emit('outdated', actor)
    const row = (await this.#kind.list(tenant)).find((one) => one.id === id)
    const lines = ['Saved.']
    if (row) lines.push(`*${row.title}*`, ...row.lines)
    const warning = await this.#kind.warn?.(saved)
    if (warning !== undefined) lines.push(warning)
    return { view: this.#notice(lines.join('\n')), answer: this.#updateList(interaction, page) }
  }

  get #notFoundText(): string {
    return `That ${this.info.word} was already deleted.`
  }

  #notInText(channel: string): string {
    const who = isPersonId(channel)
      ? `Only <@${channel}> can`
      : `You and Callboard must both be in <#${channel}> to`
    return `${who} do that. An administrator can mute or delete this ${this.info.word} without that.`
  }

  async #isInChannel({ actor, channel: here }: Interaction, channel: string): Promise<boolean> {
    if (isPersonId(channel)) return channel === actor.person.id
    return channel === here || this.#services.channels.hasMember(actor, channel)
  }

  /** Returns a sentence in mrkdwn. */
  async apply(interaction: Interaction, id: string, name: ChangeName): Promise<string> {
    const sentence = await this.#change(interaction, id, name)
    // If it was deleted already, the Home tab still shows it.
    this.#services.homeTab.emit('outdated', interaction.actor)
    return sentence
  }

  async #change(interaction: Interaction, id: string, name: ChangeName): Promise<string> {
    const { actor, tenant } = interaction
    const { workspaces, audit, now } = this.#services
    const { info, rows } = this.#kind
    const before = await rows.get(tenant, id)
    if (!before) return this.#notFoundText
    const { channel } = before
    if (!(await this.#mayChange(interaction, before, name))) return this.#notInText(channel)
    const detail = await this.#kind.describe(before)
    const label = `${conversationText(channel)}: ${escapeText(detail)}`
    const record = (verb: string) => audit.record(actor, `${verb} ${info.audit}`, { channel, detail })
    if (name === 'delete') {
      if (!(await rows.delete(tenant, id))) return this.#notFoundText
      await this.#kind.deleted?.(before)
      await record('deleted')
      return `Deleted: ${label}.`
    }
    const { zone } = await workspaces.zone(tenant, channel)
    const muted = name === 'turn-on' ? undefined : startMute(name, actor.person.id, zone, now())
    const after = await rows.change(tenant, id, (one) =>
      muted ? this.#kind.mute(one, muted) : this.#kind.turnOn(one, actor.person.id),
    )
    if (!after) return this.#notFoundText
    await this.#kind.changed?.(after)
    await record(muted ? 'muted' : 'turned on')
    await this.#kind.announce?.(actor, after)
    return muted
      ? `${mutedText(muted, zone, now())}: ${label}. ${info.meanwhile}`
      : `Turned on: ${label}. You own it now.`
  }

  /** Everyone in its channel may change it. Its owner and administrators may mute and delete it from anywhere. */
  async #mayChange(interaction: Interaction, { channel, owner }: T, name: ChangeName): Promise<boolean> {
    const isStop = name !== 'turn-on'
    return (
      (isStop && owner === interaction.actor.person.id) ||
      (await this.#isInChannel(interaction, channel)) ||
      (isStop && (await this.#services.guards.may(interaction.actor, 'admin')))
    )
  }
}

export type ListedKind = Pick<SubscriptionRoutes<Subscription, never>, 'info' | 'list' | 'apply'>
