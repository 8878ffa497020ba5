import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { plainChannelRefusal } from '../../slack/answers/channel-texts.ts'
import { isAnswerable, justAfter } from '../../slack/answers/clicks.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { type PostResult, permalinkOf, postMessage } from '../../slack/api/post-message.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import { billingPost } from '../../slack/blocks/billing-post.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
import type { FeatureRoutes, Interaction, SubmissionResult } from '../../slack/routing/routes.ts'
import { scopedKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { outdatedModalText, postModal, readPost } from './post-modal.ts'
import { channelWord, lookAt } from './post-place.ts'
import {
  digestOf,
  type PostPlan,
  previewMessage,
  readPlanWithDigest,
  readPlanWithExtras,
} from './post-preview.ts'
import {
  changedNote,
  discardedMessage,
  noChannelMessage,
  postedMessage,
  previewFallback,
  unsentMessage,
  usedMessage,
} from './post-texts.ts'

const claimedForMs: Milliseconds = 24 * 60 * 60_000

/** `/billing post`: a preview for one person, then a message for a channel. */
export function posts({
  store,
  workspaces,
  telephony,
  channels,
  guards,
  webApi,
  audit,
  metrics,
  log,
  now,
}: Services): FeatureRoutes {
  const billingOf = async ({ tenant }: Interaction) => telephony.billing(await workspaces.account(tenant))

  async function preview(interaction: Interaction, plan: PostPlan, changed?: string): Promise<Answer> {
    interaction.fallback = { ...interaction.fallback, ...previewFallback(plan.channel) }
    const { refusal, note, channelName } = await lookAt({ channels, guards }, interaction, plan.channel)
    if (refusal) return refusal
    const notes = [changed, note].filter((one) => one !== undefined).join(' ')
    const { name } = interaction.actor.person
    const setting = { name, channelName, note: notes || undefined }
    return { message: previewMessage(await billingOf(interaction), plan, setting) }
  }

  const newPlan = (channel: string): PostPlan => ({ channel, nonce: randomUUID(), include: [] })

  /** Where the modal was opened: the preview of what would be posted in the channel that was chosen there. */
  async function choose(
    interaction: Interaction,
    { place, channel }: ReturnType<typeof readPost>,
  ): Promise<SubmissionResult> {
    if (!isAnswerable(place.actionTs, now())) return { errors: { channel: outdatedModalText } }
    const state = await channels.state(interaction.actor, channel)
    if (state !== 'ok') return { errors: { channel: plainChannelRefusal(state) } }
    // Below, as the preview is: what was shown stays.
    interaction.fallback = { place: 'below' }
    return {
      place: { ...place, actionTs: justAfter(place.actionTs) },
      answer: async () => ({ ...(await preview(interaction, newPlan(channel))), place: 'below' }),
    }
  }

  /** Where a post can be looked at; it is there, whether Slack tells its address or not. */
  async function linkTo(token: string, { channel, ts }: Extract<PostResult, { kind: 'sent' }>) {
    if (ts === undefined) return undefined
    try {
      return await permalinkOf(webApi, token, { channel, ts })
    } catch (error) {
      log.info({ err: error }, 'Slack tells no address of a post')
      return undefined
    }
  }

  /** Posts what was previewed, unless it is not the same any more or was posted already. */
  async function send(interaction: Interaction, value: string | undefined): Promise<Answer> {
    const { digest, ...plan } = readPlanWithDigest(value)
    const { installation, person } = interaction.actor
    const { channel, nonce } = plan
    interaction.fallback = previewFallback(channel)
    const { refusal } = await lookAt({ channels, guards }, interaction, channel)
    if (refusal) return refusal
    const message = billingPost(await billingOf(interaction), plan.include)
    if (digestOf(message) !== digest) {
      return preview(interaction, { ...plan, nonce: randomUUID() }, changedNote)
    }
    if (!(await store.claims.claim('post', scopedKey(interaction.tenant, nonce), claimedForMs))) {
      return { message: usedMessage(channel) }
    }
    // From here on it may be posted: nothing that goes wrong is mended by another preview.
    interaction.fallback = {}
    const blocks = [...message.blocks, attribution(person.name, 'Posted')]
    const result = await postMessage(webApi, installation.botToken, channel, { ...message, blocks })
    metrics.post('by-hand', result.kind)
    if (result.kind === 'unknown')
      await audit.record(interaction.actor, 'post billing', `channel ${channel}, not confirmed by Slack`)
    if (result.kind !== 'sent') return { message: unsentMessage(result, channel) }
    await audit.record(interaction.actor, 'post billing', `channel ${channel}`)
    return { message: postedMessage(channel, await linkTo(installation.botToken, result)) }
  }

  return {
    commands: [
      {
        command: 'billing',
        word: 'post',
        needs: 'billing',
        async handle(interaction, [word, ...more]) {
          const channel = word === undefined ? interaction.channel : channelWord(word)
          if (channel === undefined || more.length > 0) {
            const written = [word, ...more].map((one) => one?.written ?? '').join(' ')
            return { message: noChannelMessage(written) }
          }
          return preview(interaction, newPlan(channel))
        },
      },
    ],
    actions: [
      {
        action: ACTIONS.postChannel,
        needs: 'billing',
        async openModal({ actor, channel, channelName }, _action, place) {
          return postModal(actor.team, isDirectConversation(channel, channelName) ? '' : channel, place)
        },
      },
      // A link, whose click Slack tells too.
      { action: ACTIONS.postView, needs: 'member', handle: async () => undefined },
      {
        action: ACTIONS.postInclude,
        needs: 'billing',
        handle: (interaction, { block_id, selected_options }) => {
          const ticked = (selected_options ?? []).map(({ value }) => value)
          return preview(interaction, readPlanWithExtras(block_id, ticked))
        },
      },
      {
        action: ACTIONS.postCancel,
        needs: 'member',
        handle: async () => ({ message: discardedMessage() }),
      },
      {
        action: ACTIONS.postSend,
        needs: 'billing',
        handle: (interaction, { value }) => send(interaction, value),
      },
    ],
    submissions: [
      {
        view: VIEWS.billingPost,
        needs: 'billing',
        handle: (interaction, view) => choose(interaction, readPost(view)),
      },
    ],
  }
}
