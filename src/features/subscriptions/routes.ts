import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import { section } from '../../slack/blocks/blocks.ts'
import { modalWithMetadata } from '../../slack/blocks/modal.ts'
import { readMetadata } from '../../slack/blocks/view-metadata.ts'
import { type Reply, textAnswer } from '../../slack/deliver/answers.ts'
import {
  type ActionHandler,
  type ActionRoute,
  bind,
  type CommandRequest,
  type FeatureRoutes,
  type Interaction,
  type SubmissionRequest,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { channelWord, unknownWordsMessage } from '../../slack/routing/words.ts'
import type { TenantKey } from '../../store/tenant.ts'
import { type ChangeName, menuChanges, SubscriptionChanges } from './changes.ts'
import { formId, formMetadataSchema, type MenuRequest, SubscriptionForm } from './form.ts'
import type {
  Subscription,
  SubscriptionInfo,
  SubscriptionKind,
  SubscriptionRef,
  SubscriptionSection,
} from './kind.ts'
import { SubscriptionList } from './list.ts'

const deletionId = (info: SubscriptionInfo) => `${formId(info)}.delete`

export class SubscriptionRoutes<T extends Subscription, Options extends object> {
  readonly info
  readonly #kind
  readonly #list
  readonly #changes
  readonly #form

  constructor(services: Services, kind: SubscriptionKind<T, Options>) {
    this.info = kind.info
    this.#kind = kind
    this.#list = new SubscriptionList(kind)
    this.#changes = new SubscriptionChanges(services, kind)
    this.#form = new SubscriptionForm(services, { kind, list: this.#list, changes: this.#changes })
  }

  /** @throws {StoreError} */
  list(tenant: TenantKey): Promise<SubscriptionSection> {
    return this.#list.read(tenant)
  }

  /** Returns the form of a record. */
  edit(request: MenuRequest): Promise<types.ModalView> {
    return this.#form.edit(request)
  }

  /** Returns a sentence in mrkdwn. */
  apply(interaction: Interaction, id: string, name: ChangeName): Promise<string> {
    return this.#changes.apply(interaction, id, name)
  }

  routes(): FeatureRoutes {
    const { command, word, needs } = this.info
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
        { command, word: `${word}s`, needs, handle: ({ interaction }) => this.#list.show(interaction) },
      ],
      actions: this.#actionRoutes(),
      submissions: [
        { view: formId(this.info), ...form, handle: (request) => this.#form.submit(request) },
        { view: deletionId(this.info), ...form, handle: (request) => this.#delete(request) },
      ],
    }
  }

  #actionRoutes(): readonly ActionRoute[] {
    const { needs, actions } = this.info
    const { page, new: create, where, menu } = actions
    const routes = bind(
      { page, create, where, edit: menu.entry('edit'), delete: menu.entry('delete') },
      {
        page: { needs, handle: ({ interaction, value }) => this.#list.show(interaction, value.page) },
        create: {
          needs,
          opensModal: true,
          handle: ({ interaction, value, click }) =>
            this.#form.open(interaction, { click, page: value.page }),
        },
        where: { needs, handle: ({ interaction, click }) => this.#form.redraw(interaction, click) },
        edit: { needs, opensModal: true, handle: (request) => this.edit(request) },
        delete: { needs, opensModal: true, handle: (request) => this.#askToDelete(request) },
      },
    )
    const changes = menuChanges.flatMap((name) =>
      bind({ change: menu.entry(name) }, { change: this.#changeHandler(name) }),
    )
    return [...routes, ...changes]
  }

  #changeHandler(name: ChangeName): ActionHandler<SubscriptionRef> {
    return {
      needs: this.info.needs,
      handle: async ({ interaction, value: { id, page }, click }) => {
        const sentence = await this.apply(interaction, id, name)
        if (click.view?.type === 'home') return textAnswer(sentence)
        return this.#list.show(interaction, page, sentence)
      },
    }
  }

  async #openFromCommand({ interaction, words }: CommandRequest): Promise<Reply> {
    const { command, word } = this.info
    const named = words.find((one) => channelWord(one) !== undefined)
    const unknown = words.filter((one) => one !== named)
    if (unknown.length === 0) return this.#form.open(interaction, { channel: named && channelWord(named) })
    const alone = `/${command} ${word}`
    return { message: unknownWordsMessage(unknown, named ? `${alone} ${named.value}` : alone) }
  }

  async #askToDelete({ interaction: { actor }, value: { id, page }, click }: MenuRequest) {
    const { title, word, posts } = this.info
    const question = `*Delete this ${word}?*\nIt won't post ${posts} there any more. This can't be undone.`
    return modalWithMetadata(formMetadataSchema, {
      id: deletionId(this.info),
      origin: { workspace: actor.workspace, channel: '', openedBy: click.replyTo },
      metadata: { id, page, preselected: '' },
      title,
      submit: 'Delete',
      blocks: [section(question)],
    })
  }

  async #delete({ interaction, view }: SubmissionRequest): Promise<SubmissionResult> {
    const { id = '', page } = readMetadata(view, formMetadataSchema)
    const sentence = await this.apply(interaction, id, 'delete')
    return { view: this.#form.notice(sentence), answer: this.#list.update(interaction, page) }
  }
}

export type ListedKind = Pick<SubscriptionRoutes<Subscription, never>, 'info' | 'list' | 'apply'>
