import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { postMessage } from '../../slack/api/messages.ts'
import { attribution, escapeText, isDirectConversation, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { appendBlocks, type MessageVariants } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import { channelRefusal, unsentText } from '../../slack/deliver/failures.ts'
import { messageModal, modalBlocks } from '../../slack/deliver/modals.ts'
import { joinOrRefuse } from '../../slack/deliver/posting-channel.ts'
import { channelField } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import type * as routing from '../../slack/routing/routes.ts'
import { getChannelId, joinWords } from '../../slack/routing/words.ts'
import { scopedKey, type TenantKey } from '../../store/tenant.ts'
import type { Billing } from '../../telephony/wire.ts'
import { withMentionNames } from '../../util/mentions.ts'
import { cleanTyped } from '../../util/text.ts'
import { dayMs } from '../../util/units.ts'
import { type BillExtras, includeField, postButton, renderBillingPost } from './view.ts'

const POST_VIEW_ID = 'billing.post'
const CHANNEL_NAME = /^#?([\p{L}\p{M}\p{N}_-]{1,80})$/u

const createPostForm = (channel = '') =>
  new Form({ channel: channelField(channel), include: includeField([]) })

const postNotice = (mrkdwn: string) => messageModal(mrkdwn, { title: 'Post billing' })

async function openPostForm(services: Services, request: routing.CommandRequest): Promise<types.ModalView> {
  const { interaction, words } = request
  const channel = await findChannel(services, request)
  const isUnknownChannel = channel === undefined && words.length > 0
  const shown: types.ModalView['blocks'] = []
  if (isUnknownChannel) {
    const typed = escapeText(withMentionNames(joinWords(words)))
    shown.push(section(`I couldn't find a channel named "${typed}". Choose one.`))
  }
  shown.push(...createPostForm(channel).buildInputs())
  const post = await buildPost(services, interaction, [])
  const previewText =
    '*Preview.* Everyone in the channel will see this, and what you tick above. Tables are shown as text here.'
  shown.push({ type: 'divider' }, section(previewText), ...modalBlocks(post))
  return modal({
    id: POST_VIEW_ID,
    title: 'Post billing',
    origin: { workspace: interaction.actor.workspace, channel: interaction.channel },
    submit: 'Post',
    blocks: shown,
  })
}

/** Returns the channel that the words name. Without words, returns the current one, if it is a channel. */
async function findChannel({ channels }: Services, { interaction, words }: routing.CommandRequest) {
  const { actor, channel, channelName } = interaction
  const [word, ...otherWords] = words
  if (word === undefined) return isDirectConversation(channel, channelName) ? undefined : channel
  const mentioned = getChannelId(word)
  if (mentioned !== undefined && otherWords.length === 0) return mentioned
  const typed = cleanTyped(joinWords(words)).normalize('NFC').toLowerCase()
  const name = CHANNEL_NAME.exec(typed)?.[1]
  if (name === undefined) return undefined
  return channels.findByName(actor, name)
}

/** @throws {TelephonyError | StoreError | NotConnectedError} */
export async function readBilling({ workspaces, telephony }: Services, tenant: TenantKey): Promise<Billing> {
  return telephony.billing(await workspaces.getAccount(tenant))
}

async function buildPost(services: Services, { actor, tenant }: routing.Interaction, include: BillExtras) {
  const makeOffers = () => ({ retry: postButton, request: 'the billing details' })
  const billing = await offerOnFailure(makeOffers, readBilling(services, tenant))
  return appendBlocks(renderBillingPost(billing, include), [attribution(actor.person.name, 'Posted')])
}

async function submitPost(services: Services, { interaction, view }: routing.SubmissionRequest) {
  const { channels, store } = services
  const { actor, tenant } = interaction
  const { values, errors } = createPostForm().read(view)
  if (errors) return { errors }
  const { channel, include } = values
  const refusal = await joinOrRefuse(channels, interaction, channel)
  if (refusal !== undefined) return { errors: { channel: refusal } }
  const post = await buildPost(services, interaction, include)
  // The channel may have been shared with another company while the service was read.
  const stateNow = await channels.getState(actor, channel)
  if (stateNow !== 'ok') return { errors: { channel: channelRefusal(stateNow) } }
  // A second submission of the same form posts nothing.
  const isFirst = await store.claim('post', scopedKey(tenant, view.id), dayMs)
  if (!isFirst) return { view: postNotice(`Already posted. Look in <#${channel}>.`) }
  const sentence = await sendPost(services, actor, channel, post)
  return { view: postNotice(sentence) }
}

/** Posts the bill, records that, and returns a sentence about the result in mrkdwn. */
async function sendPost(services: Services, actor: Actor, channel: string, post: MessageVariants) {
  const { delivery, webApi, audit, metrics } = services
  const { botToken } = actor.installation
  const result = await delivery.send(post, actor.workspace, ({ message }) =>
    postMessage(webApi, botToken, channel, message),
  )
  metrics.count('billing_posts_total', { how: 'by-hand', outcome: result.kind })
  if (result.kind === 'refused' || result.kind === 'not-now')
    return `Nothing was posted. ${unsentText(result)}`
  const isConfirmed = result.kind === 'sent'
  const detail = isConfirmed ? '' : 'not confirmed by Slack'
  await audit.record(actor, 'posted the bill', { channel, detail })
  if (isConfirmed) return `Posted in <#${channel}>.`
  return `Slack didn't respond in time, so the post may or may not be there. Look in <#${channel}> before you post again.`
}

export const billPosts = (services: Services): routing.FeatureRoutes => ({
  commands: [
    {
      command: 'billing',
      word: 'post',
      moreWords: 'read',
      needs: 'billing',
      opensModal: true,
      handle: (request) => openPostForm(services, request),
    },
  ],
  submissions: [{ view: POST_VIEW_ID, needs: 'billing', handle: (request) => submitPost(services, request) }],
})
