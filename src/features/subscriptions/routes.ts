import type { Services } from '../../services.ts'
import { section } from '../../slack/blocks/blocks.ts'
import { modalWithMetadata } from '../../slack/blocks/modal.ts'
import { readMetadata } from '../../slack/blocks/view-metadata.ts'
import { type Reply, textAnswer } from '../../slack/deliver/answers.ts'
import * as routing from '../../slack/routing/routes.ts'
import { channelWord, unknownWordsMessage } from '../../slack/routing/words.ts'
import { formId, formMetadataSchema, type MenuRequest, SubscriptionForm } from './form.ts'
import type * as kinds from './kind.ts'
import { type ChangeName, menuChanges, SubscriptionRecords } from './records.ts'

const deletionId = (info: kinds.SubscriptionInfo) => `${formId(info)}.delete`

export class SubscriptionRoutes<T extends kinds.Subscription, Options extends object> {
  readonly info
  readonly records
  readonly form
  readonly #kind

  constructor(services: Services, kind: kinds.SubscriptionKind<T, Options>) {
    this.info = kind.info
    this.records = new SubscriptionRecords(services, kind)
    this.form = new SubscriptionForm(services, kind, this.records)
    this.#kind = kind
  }

  routes(): routing.FeatureRoutes {
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
        { command, word: `${word}s`, needs, handle: ({ interaction }) => this.records.list(interaction) },
      ],
      actions: this.#actionRoutes(),
      submissions: [
        { view: formId(this.info), ...form, handle: (request) => this.form.submit(request) },
        { view: deletionId(this.info), ...form, handle: (request) => this.#delete(request) },
      ],
    }
  }

  #actionRoutes(): readonly routing.ActionRoute[] {
    const { needs, actions } = this.info
    const { page, new: create, menu } = actions
    const routes = routing.bind(
      { page, create, edit: menu.entry('edit'), delete: menu.entry('delete') },
      {
        page: { needs, handle: ({ interaction, value }) => this.records.list(interaction, value.page) },
        create: {
          needs,
          opensModal: true,
          handle: ({ interaction, value, click }) => this.form.open(interaction, { click, page: value.page }),
        },
        edit: { needs, opensModal: true, handle: (request) => this.form.edit(request) },
        delete: { needs, opensModal: true, handle: (request) => this.#askToDelete(request) },
      },
    )
    const changes = menuChanges.flatMap((name) =>
      routing.bind({ change: menu.entry(name) }, { change: this.#changeHandler(name) }),
    )
    return [...routes, ...changes]
  }

  #changeHandler(name: ChangeName): routing.ActionHandler<kinds.SubscriptionRef> {
    return {
      needs: this.info.needs,
      handle: async ({ interaction, value: { id, page }, click }) => {
        const sentence = await this.records.change(interaction, id, name)
        if (click.view?.type === 'home') return textAnswer(sentence)
        return this.records.list(interaction, page, sentence)
      },
    }
  }

  async #openFromCommand({ interaction, words }: routing.CommandRequest): Promise<Reply> {
    const { command, word } = this.info
    const named = words.find((one) => channelWord(one) !== undefined)
    const unknown = words.filter((one) => one !== named)
    if (unknown.length === 0) return this.form.open(interaction, { channel: named && channelWord(named) })
    const alone = `/${command} ${word}`
    return { message: unknownWordsMessage(unknown, named ? `${alone} ${named.value}` : alone) }
  }

  async #askToDelete({ interaction: { actor }, value: { id, page }, click }: MenuRequest) {
    const { title, word } = this.info
    const question = `*Delete this ${word}?*\nIt won't post there any more. This can't be undone.`
    return modalWithMetadata(formMetadataSchema, {
      id: deletionId(this.info),
      origin: { workspace: actor.workspace, channel: '', openedBy: click.replyTo },
      metadata: { id, page },
      title,
      submit: 'Delete',
      blocks: [section(question)],
    })
  }

  async #delete({ interaction, view }: routing.SubmissionRequest): Promise<routing.SubmissionResult> {
    const { id = '', page } = readMetadata(view, formMetadataSchema)
    const sentence = await this.records.change(interaction, id, 'delete')
    return { view: this.form.notice(sentence), answer: this.records.updateList(interaction, page) }
  }
}

export type ListedKind = Pick<SubscriptionRoutes<kinds.Subscription, object>, 'info' | 'records'>
