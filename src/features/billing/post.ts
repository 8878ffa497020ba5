import type { types } from '@slack/bolt'
import { z } from 'zod'
import type { Services } from '../../services.ts'
import { postMessage } from '../../slack/api/web-api.ts'
import { escapeText, isDirectConversation, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { attributed, type MessageVariants } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import { plainChannelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import { messageModal, modalBlocks } from '../../slack/deliver/modals.ts'
import { refuseChannel } from '../../slack/deliver/posting-channel.ts'
import { channelField } from '../../slack/forms/fields.ts'
import { enteredIn, Form } from '../../slack/forms/form.ts'
import type { Click, ViewPayload } from '../../slack/inbound/payloads.ts'
import * as routing from '../../slack/routing/routes.ts'
import { channelWord, joinWords, type Word } from '../../slack/routing/words.ts'
import { scopedKey } from '../../store/tenant.ts'
import { withMentionNames } from '../../util/mentions.ts'
import { cleanTyped } from '../../util/text.ts'
import { dayMs } from '../../util/units.ts'
import { billExtra } from '../subscriptions/schedule.ts'
import { billingPost, type Include, includeAction, includeField, postButton } from './view.ts'

const POST_VIEW = 'billing.post'

/** The preview shows no details where the boxes can't be read. */
const includeSchema = z.array(billExtra).max(2).catch([])

const CHANNEL_NAME = /^#?([\p{L}\p{M}\p{N}_-]{1,80})$/u

const createPostForm = (channel = '', include: Include = []) =>
  new Form({ channel: channelField(channel), include: includeField(include, includeAction) })

const postNotice = (mrkdwn: string) => messageModal(mrkdwn, { title: 'Post billing' })

class BillPostModal {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  async open({ interaction, words }: routing.CommandRequest): Promise<types.ModalView> {
    const channel = await this.#findChannel(interaction, words)
    const inputs: types.ModalView['blocks'] = createPostForm(channel).inputs()
    if (channel === undefined && words.length > 0) {
      const typed = escapeText(withMentionNames(joinWords(words)))
      inputs.unshift(section(`I couldn't find a channel named "${typed}". Choose one.`))
    }
    const makeOffers = () => ({ retry: postButton, request: 'the billing details' })
    return offerOnFailure(makeOffers, this.#render(interaction, [], inputs))
  }

  /** Returns the channel that the words name. Without words, returns the current one, if it is a channel. */
  async #findChannel(
    { actor, channel: here, channelName }: routing.Interaction,
    words: readonly Word[],
  ): Promise<string | undefined> {
    const [word, ...otherWords] = words
    if (word === undefined) return isDirectConversation(here, channelName) ? undefined : here
    const mentioned = channelWord(word)
    if (mentioned !== undefined && otherWords.length === 0) return mentioned
    const typed = cleanTyped(joinWords(words)).normalize('NFC').toLowerCase()
    const name = CHANNEL_NAME.exec(typed)?.[1]
    if (name === undefined) return undefined
    return this.#services.channels.findByName(actor, name)
  }

  /** Shows the preview with what was ticked. */
  async redraw(interaction: routing.Interaction, click: Click): Promise<undefined> {
    if (!click.view) return
    const entered = enteredIn(click.view)
    const include = includeSchema.parse(entered['include'])
    const view = await this.#render(interaction, include, createPostForm('', include).inputs(entered))
    await this.#services.modals.redraw(interaction.actor, click, view)
  }

  async #buildPost({ actor, tenant }: routing.Interaction, include: Include) {
    const { workspaces, telephony } = this.#services
    const billing = await telephony.billing(await workspaces.account(tenant))
    return attributed(billingPost(billing, include), actor.person.name)
  }

  async #render(
    interaction: routing.Interaction,
    include: Include,
    inputs: types.ModalView['blocks'],
  ): Promise<types.ModalView> {
    const post = await this.#buildPost(interaction, include)
    const previewText = '*Preview.* Everyone in the channel will see this. Tables are shown as text here.'
    const postBlocks = modalBlocks(post) ?? []
    return modal({
      id: POST_VIEW,
      title: 'Post billing',
      origin: { workspace: interaction.actor.workspace, channel: interaction.channel },
      submit: 'Post',
      blocks: [...inputs, { type: 'divider' }, section(previewText), ...postBlocks],
    })
  }

  async submit(interaction: routing.Interaction, view: ViewPayload): Promise<routing.SubmissionResult> {
    const { channels, store } = this.#services
    const { actor, tenant } = interaction
    const { values, errors } = createPostForm().read(view)
    if (errors) return { errors }
    const { channel, include } = values
    const refusal = await refuseChannel(channels, interaction, channel)
    if (refusal !== undefined) return { errors: { channel: refusal } }
    const post = await this.#buildPost(interaction, include)
    // The channel may have been shared with another company while the service was read.
    const lateState = await channels.state(actor, channel)
    if (lateState !== 'ok') return { errors: { channel: plainChannelRefusal(lateState) } }
    // A second submission of the same form posts nothing.
    const isFirst = await store.claim('post', scopedKey(tenant, view.id), dayMs)
    if (!isFirst) return { view: postNotice(`Already posted. Look in <#${channel}>.`) }
    const sentence = await this.#send(interaction, channel, post)
    return { view: postNotice(sentence) }
  }

  /** Posts, records it, and returns a sentence about the result in mrkdwn. */
  async #send({ actor }: routing.Interaction, channel: string, post: MessageVariants): Promise<string> {
    const { delivery, webApi, audit, metrics } = this.#services
    const { botToken } = actor.installation
    const result = await delivery.send(post, actor.workspace, ({ message }) =>
      postMessage(webApi, botToken, channel, message),
    )
    metrics.count('billing_posts_total', { how: 'by-hand', outcome: result.kind })
    if (result.kind === 'refused' || result.kind === 'not-now') {
      return `Nothing was posted. ${unsentText(result)}`
    }
    const isConfirmed = result.kind === 'sent'
    const detail = isConfirmed ? '' : 'not confirmed by Slack'
    await audit.record(actor, 'posted the bill', { channel, detail })
    if (isConfirmed) return `Posted in <#${channel}>.`
    return `Slack didn't respond in time, so the post may or may not be there. Look in <#${channel}> before you post again.`
  }
}

export function billPosts(services: Services): routing.FeatureRoutes {
  const posts = new BillPostModal(services)
  return {
    commands: [
      {
        command: 'billing',
        word: 'post',
        moreWords: 'read',
        needs: 'billing',
        opensModal: true,
        handle: (request) => posts.open(request),
      },
    ],
    actions: routing.bind(
      { includeAction },
      {
        includeAction: {
          needs: 'billing',
          handle: ({ interaction, click }) => posts.redraw(interaction, click),
        },
      },
    ),
    submissions: [
      {
        view: POST_VIEW,
        needs: 'billing',
        handle: ({ interaction, view }) => posts.submit(interaction, view),
      },
    ],
  }
}
