import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import type { Claims } from '../../store/claims.ts'
import { scopedKey } from '../../store/tenant.ts'
import { dayMs } from '../../util/units.ts'
import type { Audit } from '../access/audit.ts'
import type { Guards, Needs } from '../access/guards.ts'
import { type Channels, isDirectConversation } from '../api/channels.ts'
import { type PostResult, postMessage } from '../api/post-message.ts'
import { type Block, escapeText, section } from '../blocks/blocks.ts'
import { modal } from '../blocks/inputs.ts'
import { readMetadata } from '../blocks/values.ts'
import type { MessageForms } from '../deliver/answer.ts'
import type { Delivery } from '../deliver/delivery.ts'
import { notInChannelText, plainChannelRefusal, unsentText } from '../deliver/failures.ts'
import { type Modals, modalBlocks, noticeModal } from '../deliver/modals.ts'
import { attributed, hashMessage } from '../deliver/post-messages.ts'
import { channelField } from '../forms/fields.ts'
import { enteredIn, Form } from '../forms/form.ts'
import type { ActionPayload, ViewPayload } from '../inbound/payloads.ts'
import type { Interaction, SubmissionResult, SubmissionRoute } from './routes.ts'

export interface PostKind<Query> {
  readonly needs: Needs
  /** Callback id of the modal. */
  readonly view: string
  readonly title: string
  readonly querySchema: z.ZodType<Query>
  /** Form for what else can be chosen. A choice redraws the preview. */
  options?(query: Query): Form<Partial<Query>>
  /** Builds what everyone in the channel will see. The same query must build the same message. */
  build(interaction: Interaction, query: Query): Promise<MessageForms>
  count(outcome: PostResult['kind']): void
  /** Action in the audit log. */
  readonly audited: string
  detail?(query: Query): string
}

interface PostDraft<Query> {
  readonly query: Query
  readonly channel: string
  /** Tells the person what to check before posting. mrkdwn. */
  readonly note?: string
  /** Channel that the note is about. */
  readonly noted?: string
}

const channelForm = (channel: string) => new Form({ channel: channelField(channel) })

const CHANGED_NOTE = 'The figures have changed. Check the preview again before you post.'

/** Posts to a channel by hand: one modal with the channel, options and a preview, whose submission posts once. */
export class ChannelPosts<Query extends object> {
  readonly #services
  readonly #kind
  readonly #metadataSchema

  constructor(
    services: {
      readonly store: { readonly claims: Claims }
      readonly channels: Channels
      readonly guards: Guards
      readonly delivery: Delivery
      readonly modals: Modals
      readonly webApi: WebClient
      readonly audit: Audit
      readonly log: Pick<Log, 'info'>
    },
    kind: PostKind<Query>,
  ) {
    this.#services = services
    this.#kind = kind
    this.#metadataSchema = z.object({
      query: kind.querySchema,
      digest: z.string(),
      noted: z.string().optional(),
    })
  }

  get submission(): SubmissionRoute {
    const { view, needs } = this.#kind
    return { view, needs, handle: (interaction, submitted) => this.#submit(interaction, submitted) }
  }

  /** @param channel preselected, by default the one that the person is in */
  open(interaction: Interaction, query: Query, channel = interaction.channel): Promise<types.ModalView> {
    const name = channel === interaction.channel ? interaction.channelName : ''
    const isDirect = isDirectConversation(channel, name)
    return this.#render(interaction, { query, channel: isDirect ? '' : channel })
  }

  /** Redraws the modal after a choice in it. */
  async redraw(
    interaction: Interaction,
    { view, action_ts: actionTs }: Pick<ActionPayload, 'view' | 'action_ts'>,
  ): Promise<undefined> {
    if (!view) return
    const { query, noted } = readMetadata(view, this.#metadataSchema)
    const channel = z.string().catch('').parse(enteredIn(view)['channel'])
    const draft = { query: this.#readQuery(view, query), channel, ...(noted === undefined ? {} : { noted }) }
    await this.#services.modals.redraw(interaction.actor, { viewId: view.id, actionTs }, () =>
      this.#render(interaction, draft),
    )
  }

  #readQuery(view: ViewPayload, query: Query): Query {
    return { ...query, ...this.#kind.options?.(query).read(view).values }
  }

  async #build(interaction: Interaction, query: Query) {
    // A copy: what building sets on an interaction would leak into this modal's errors.
    const post = await this.#kind.build({ ...interaction }, query)
    return { post: attributed(post, interaction.actor.person.name), digest: hashMessage(post.message) }
  }

  async #render(
    interaction: Interaction,
    draft: PostDraft<Query>,
    built = this.#build(interaction, draft.query),
  ): Promise<types.ModalView> {
    const { query, channel, note, noted } = draft
    const { view: id, title, options } = this.#kind
    const { post, digest } = await built
    const blocks: Block[] = [
      ...(note === undefined ? [] : [section(note)]),
      ...channelForm(channel).inputs(),
      ...(options?.(query).inputs() ?? []),
      { type: 'divider' },
      section('*Preview.* Everyone in the channel will see this. Tables and charts are shown as text here.'),
      ...(modalBlocks(post) ?? []),
    ]
    const origin = { team: interaction.actor.team, channel: interaction.channel }
    return modal({ id, title, origin, metadata: { query, digest, noted }, submit: 'Post', blocks })
  }

  async #submit(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { channels, guards, store } = this.#services
    const { actor, tenant } = interaction
    const { query: shown, digest: previewed, noted } = readMetadata(view, this.#metadataSchema)
    const query = this.#readQuery(view, shown)
    const { values, errors } = channelForm('').read(view)
    if (errors) return { errors }
    const { channel } = values
    const { state, isIn } = await channels.findFor(actor, channel, interaction)
    if (state !== 'ok') return { errors: { channel: isIn ? plainChannelRefusal(state) : notInChannelText } }
    if (!isIn && !(await guards.may(actor, 'admin'))) return { errors: { channel: notInChannelText } }
    const { post, digest } = await this.#build(interaction, query)
    const notes = [
      ...(digest === previewed ? [] : [CHANGED_NOTE]),
      ...(isIn || noted === channel
        ? []
        : [`You aren't in <#${channel}> yourself. Submit again to post there.`]),
    ]
    if (notes.length > 0) {
      const draft = { query, channel, note: notes.join(' '), noted: channel }
      return { view: await this.#render(interaction, draft, Promise.resolve({ post, digest })) }
    }
    if (!(await store.claims.claim('post', scopedKey(tenant, view.id, digest), dayMs)))
      return { view: this.#notice(`Already posted. Look in <#${channel}>.`) }
    return { view: this.#notice(await this.#send(interaction, { query, channel }, post)) }
  }

  #notice(text: string): types.ModalView {
    return noticeModal(text, { title: this.#kind.title })
  }

  /** Sends the post once. Returns its outcome as mrkdwn. */
  async #send({ actor }: Interaction, draft: PostDraft<Query>, post: MessageForms): Promise<string> {
    const { delivery, webApi, audit } = this.#services
    const { count, audited, detail } = this.#kind
    const { query, channel } = draft
    const { botToken } = actor.installation
    const result = await delivery.send(post, actor.team, ({ message }) =>
      postMessage(webApi, botToken, channel, message),
    )
    count(result.kind)
    if (result.kind === 'refused' || result.kind === 'not-now')
      return `Nothing was posted. ${unsentText(result)}`
    const unconfirmed = result.kind === 'unknown' ? ['not confirmed by Slack'] : []
    const details = [...(detail ? [detail(query)] : []), ...unconfirmed]
    await audit.record(actor, audited, { channel, detail: details.join(', ') })
    if (result.kind === 'unknown')
      return `Slack didn't respond in time, so the post may or may not be there. Look in <#${channel}> before you post again.`
    const url = await this.#permalink(botToken, result)
    return `Posted in <#${channel}>.${url === undefined ? '' : ` <${escapeText(url)}|View post>`}`
  }

  async #permalink(token: string, { channel, ts }: Extract<PostResult, { kind: 'sent' }>) {
    if (ts === undefined) return undefined
    try {
      const { webApi } = this.#services
      return (await webApi.chat.getPermalink({ token, channel, message_ts: ts })).permalink
    } catch (error) {
      this.#services.log.info({ err: error }, 'Slack returned no permalink of a post')
      return undefined
    }
  }
}
