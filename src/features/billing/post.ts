import { hash } from 'node:crypto'
import type { types } from '@slack/bolt'
import { z } from 'zod'
import { joinWords, type Word } from '../../grammar/parse-words.ts'
import type { Services } from '../../services.ts'
import { findPermalink, postMessage } from '../../slack/api/web-api.ts'
import { channelWord, modalWithMetadata, readMetadata, withChannelNames } from '../../slack/blocks/action.ts'
import { escapeText, isDirectConversation, section } from '../../slack/blocks/blocks.ts'
import { notInChannelText, plainChannelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import { modalBlocks, noticeModal } from '../../slack/deliver/modals.ts'
import { attributed, type MessageForms } from '../../slack/deliver/replies.ts'
import { channelField, checkboxesField, enteredIn, Form } from '../../slack/forms/form.ts'
import type { ActionPayload, ViewPayload } from '../../slack/inbound/payloads.ts'
import {
  bind,
  type FeatureRoutes,
  type Interaction,
  type SubmissionResult,
} from '../../slack/routing/routes.ts'
import { scopedKey } from '../../store/tenant.ts'
import { dayMs } from '../../util/units.ts'
import { billExtra } from '../subscriptions/schedule-rows.ts'
import { billingPost, chooseChannel, extraOptions, postActions } from './view.ts'

const POST_VIEW = 'billing.post'
const CHANGED_NOTE = 'The figures have changed. Check the preview again before you post.'

const includeSchema = z.array(billExtra).max(2)
type Include = z.infer<typeof includeSchema>

const enteredSchema = z.object({ channel: z.string().catch(''), include: includeSchema.catch([]) })

const postMetadataSchema = z.object({
  digest: z.string(),
  /** Channel for which the person was warned that they aren't in it. Submitting again posts there. */
  warnedChannel: z.string().optional(),
})

interface PostDraft {
  readonly include: Include
  /** Empty if none is chosen. */
  readonly channel: string
  /** Tells the person what to check before posting. mrkdwn. */
  readonly note?: string | undefined
  readonly warnedChannel?: string | undefined
}

const createPostForm = ({ channel, include }: PostDraft) =>
  new Form({
    channel: channelField(channel),
    include: checkboxesField('Also show', billExtra, extraOptions, include, { redraw: postActions.include }),
  })

const postNotice = (mrkdwn: string) => noticeModal(mrkdwn, { title: 'Post billing' })

/** Modal that posts the bill: channel, options and a preview. Submitting it posts once. */
class BillPostModal {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** @param channel preselected, by default the one that the person is in */
  open(interaction: Interaction, channel = interaction.channel, note?: string): Promise<types.ModalView> {
    interaction.fallback = { retry: chooseChannel }
    const name = channel === interaction.channel ? interaction.channelName : ''
    const isDirect = isDirectConversation(channel, name)
    return this.#renderModal(interaction, { include: [], channel: isDirect ? '' : channel, note })
  }

  async openFromCommand(interaction: Interaction, words: readonly Word[]): Promise<types.ModalView> {
    const [word, ...rest] = words
    if (!word) return this.open(interaction)
    const channel = rest.length === 0 ? await this.#findChannel(interaction, word) : undefined
    if (channel !== undefined) return this.open(interaction, channel)
    const written = escapeText(withChannelNames(joinWords(words)))
    return this.open(interaction, '', `I couldn't find a channel named "${written}". Choose one.`)
  }

  /** Returns the id of a mentioned channel, unchecked, or of a named one that both the person and the app are in. */
  async #findChannel({ actor }: Interaction, word: Word): Promise<string | undefined> {
    const [, name] = /^#?([\p{L}\p{N}_-]{1,80})$/u.exec(word.written.toLowerCase()) ?? []
    return channelWord(word) ?? (name && (await this.#services.channels.findByName(actor, name)))
  }

  /** Redraws the preview after a choice. */
  async redraw(
    interaction: Interaction,
    { view, action_ts: actionTs }: Pick<ActionPayload, 'view' | 'action_ts'>,
  ): Promise<undefined> {
    if (!view) return
    const { warnedChannel } = readMetadata(view, postMetadataSchema)
    const draft = { ...enteredSchema.parse(enteredIn(view)), warnedChannel }
    await this.#services.modals.redraw(interaction.actor, { viewId: view.id, actionTs }, () =>
      this.#renderModal(interaction, draft),
    )
  }

  async #buildPost({ actor, tenant }: Interaction, include: Include) {
    const { workspaces, telephony } = this.#services
    const post = billingPost(await telephony.billing(await workspaces.account(tenant)), include)
    return {
      post: attributed(post, actor.person.name),
      digest: hash('sha256', JSON.stringify(post.message)).slice(0, 16),
    }
  }

  async #renderModal(
    interaction: Interaction,
    draft: PostDraft,
    built = this.#buildPost(interaction, draft.include),
  ): Promise<types.ModalView> {
    const { post, digest } = await built
    const { note, warnedChannel } = draft
    return modalWithMetadata(postMetadataSchema, {
      id: POST_VIEW,
      title: 'Post billing',
      origin: { team: interaction.actor.team, channel: interaction.channel },
      metadata: { digest, warnedChannel },
      submit: 'Post',
      blocks: [
        ...(note === undefined ? [] : [section(note)]),
        ...createPostForm(draft).inputs(),
        { type: 'divider' },
        section('*Preview.* Everyone in the channel will see this. Tables are shown as text here.'),
        ...(modalBlocks(post) ?? []),
      ],
    })
  }

  async submit(interaction: Interaction, view: ViewPayload): Promise<SubmissionResult> {
    const { channels, guards, store } = this.#services
    const { actor, tenant } = interaction
    const { digest: previewed, warnedChannel } = readMetadata(view, postMetadataSchema)
    const { values, errors } = createPostForm({ channel: '', include: [] }).read(view)
    if (errors) return { errors }
    const { channel, include } = values
    const { state, isIn } = await channels.findFor(actor, channel, interaction)
    if (state !== 'ok') return { errors: { channel: isIn ? plainChannelRefusal(state) : notInChannelText } }
    if (!isIn && !(await guards.may(actor, 'admin'))) return { errors: { channel: notInChannelText } }
    const built = this.#buildPost(interaction, include)
    const { post, digest } = await built
    const notes = [
      ...(digest === previewed ? [] : [CHANGED_NOTE]),
      ...(isIn || warnedChannel === channel
        ? []
        : [`You aren't in <#${channel}> yourself. Submit again to post there.`]),
    ]
    if (notes.length > 0) {
      const draft = { include, channel, note: notes.join(' '), warnedChannel: channel }
      return { view: await this.#renderModal(interaction, draft, built) }
    }
    if (!(await store.claim('post', scopedKey(tenant, view.id, digest), dayMs)))
      return { view: postNotice(`Already posted. Look in <#${channel}>.`) }
    return { view: postNotice(await this.#send(interaction, channel, post)) }
  }

  /** Sends the post, and returns a sentence about the result in mrkdwn. */
  async #send({ actor }: Interaction, channel: string, post: MessageForms): Promise<string> {
    const { delivery, webApi, audit, metrics } = this.#services
    const { botToken } = actor.installation
    const result = await delivery.send(post, actor.team, ({ message }) =>
      postMessage(webApi, botToken, channel, message),
    )
    metrics.count('billing_posts_total', { how: 'by-hand', outcome: result.kind })
    if (result.kind === 'refused' || result.kind === 'not-now')
      return `Nothing was posted. ${unsentText(result)}`
    const isUnknown = result.kind === 'unknown'
    const subject = { channel, detail: isUnknown ? 'not confirmed by Slack' : '' }
    await audit.record(actor, 'post billing', subject)
    if (isUnknown)
      return `Slack didn't respond in time, so the post may or may not be there. Look in <#${channel}> before you post again.`
    const { ts = '', channel: conversation } = result
    const link = await findPermalink(this.#services, botToken, { channel: conversation, ts })
    return `Posted in <#${channel}>.${link === undefined ? '' : ` <${escapeText(link)}|View post>`}`
  }
}

/** `/billing post` */
export function billPosts(services: Services): FeatureRoutes {
  const modal = new BillPostModal(services)
  return {
    commands: [
      {
        command: 'billing',
        word: 'post',
        moreWords: 'read',
        needs: 'billing',
        openModal: (interaction, words) => modal.openFromCommand(interaction, words),
      },
    ],
    actions: bind(postActions, {
      channel: {
        needs: 'billing',
        replacesOriginal: false,
        openModal: (interaction) => modal.open(interaction),
      },
      include: {
        needs: 'billing',
        handle: (interaction, _value, _place, clicked) => modal.redraw(interaction, clicked),
      },
    }),
    submissions: [
      { view: POST_VIEW, needs: 'billing', handle: (interaction, view) => modal.submit(interaction, view) },
    ],
  }
}
