import { randomUUID } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log.ts'
import type { Claims } from '../../store/claims.ts'
import { scopedKey } from '../../store/tenant.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'
import type { Guards } from '../access/guards.ts'
import type { Answer } from '../answers/answer.ts'
import { type ClickPlace, isAnswerable, justAfter, outdatedText } from '../answers/clicks.ts'
import type { Delivery } from '../answers/delivery.ts'
import { plainChannelRefusal } from '../answers/failures.ts'
import type { Channels } from '../api/channels.ts'
import { type PostResult, permalinkOf, postMessage } from '../api/post-message.ts'
import type { Interaction, SubmissionResult } from '../routing/routes.ts'
import { changedNote, type PostMessages } from './messages.ts'
import { lookAt } from './place.ts'
import { attributed, digestOf, type PostPlan, type PreviewSetting } from './preview.ts'

const claimedForMs: Milliseconds = 24 * 60 * 60_000

/** What one kind of post says, and what becomes of it. */
export interface PostKind<Plan extends PostPlan> {
  messages(plan: Plan): PostMessages
  /** What everyone in the channel would see, without who posted it. */
  make(interaction: Interaction, plan: Plan): Promise<Answer>
  preview(post: Answer, plan: Plan, setting: PreviewSetting): Answer
  /** Counts it. */
  count(outcome: PostResult['kind']): void
  /** Notes that it was posted, or may have been: Slack confirms what it takes. @throws {StoreError} */
  record(interaction: Interaction, plan: Plan, isConfirmed: boolean): Promise<void>
}

/** Posts to channels by hand: a preview for one person, then a message for everyone there. */
export class ChannelPosts<Plan extends PostPlan> {
  readonly #services
  readonly #kind

  constructor(
    services: {
      store: { readonly claims: Claims }
      channels: Channels
      guards: Guards
      delivery: Delivery
      webApi: WebClient
      log: Pick<Log, 'info'>
      now: () => EpochMs
    },
    kind: PostKind<Plan>,
  ) {
    this.#services = services
    this.#kind = kind
  }

  /** For one person, with what changed since they looked. */
  async preview(interaction: Interaction, plan: Plan, changed?: string): Promise<Answer> {
    const messages = this.#kind.messages(plan)
    interaction.fallback = { ...interaction.fallback, ...messages.previewFallback(plan.channel) }
    const place = await lookAt(this.#services, interaction, plan.channel, messages)
    if (place.refusal) return place.refusal
    const note = [changed, place.note].filter((one) => one !== undefined).join(' ') || undefined
    const setting = { name: interaction.actor.person.name, channelName: place.channelName, note }
    return this.#kind.preview(await this.#kind.make(interaction, plan), plan, setting)
  }

  /** For a channel that was chosen in a modal: the preview goes below the message that it was opened from. */
  async choose(interaction: Interaction, place: ClickPlace, plan: Plan): Promise<SubmissionResult> {
    const { channels, now } = this.#services
    if (!isAnswerable(place.actionTs, now())) return { errors: { channel: outdatedText } }
    const state = await channels.state(interaction.actor, plan.channel)
    if (state !== 'ok') return { errors: { channel: plainChannelRefusal(state) } }
    // Below, as the preview is: what was shown stays.
    interaction.fallback = { place: 'below' }
    return {
      place: { ...place, actionTs: justAfter(place.actionTs) },
      answer: async () => ({ ...(await this.preview(interaction, plan)), place: 'below' }),
    }
  }

  /** Posts what was previewed, unless it is not the same any more or was posted already. */
  async send(interaction: Interaction, plan: Plan, digest: string): Promise<Answer> {
    const { claims } = this.#services.store
    const { actor, tenant } = interaction
    const { channel, nonce } = plan
    const messages = this.#kind.messages(plan)
    interaction.fallback = messages.previewFallback(channel)
    const { refusal } = await lookAt(this.#services, interaction, channel, messages)
    if (refusal) return refusal
    const post = await this.#kind.make(interaction, plan)
    if (digestOf(post.message) !== digest) {
      return this.preview(interaction, { ...plan, nonce: randomUUID() }, changedNote)
    }
    if (!(await claims.claim('post', scopedKey(tenant, nonce), claimedForMs))) {
      return { message: messages.used(channel) }
    }
    // From here on it may be posted: nothing that goes wrong is mended by another preview.
    interaction.fallback = {}
    const result = await this.#post(interaction, channel, attributed(post, actor.person.name))
    this.#kind.count(result.kind)
    if (result.kind === 'unknown') await this.#kind.record(interaction, plan, false)
    if (result.kind !== 'sent') return { message: messages.unsent(result, channel) }
    await this.#kind.record(interaction, plan, true)
    return { message: messages.posted(channel, await this.#linkTo(actor.installation.botToken, result)) }
  }

  #post({ actor }: Interaction, channel: string, post: Answer): Promise<PostResult> {
    const { delivery, webApi } = this.#services
    const { team, installation } = actor
    return delivery.send(post, team, ({ message }) =>
      postMessage(webApi, installation.botToken, channel, message),
    )
  }

  /** Where a post can be looked at; it is there, whether Slack tells its address or not. */
  async #linkTo(token: string, { channel, ts }: Extract<PostResult, { kind: 'sent' }>) {
    if (ts === undefined) return undefined
    try {
      return await permalinkOf(this.#services.webApi, token, { channel, ts })
    } catch (error) {
      this.#services.log.info({ err: error }, 'Slack tells no address of a post')
      return undefined
    }
  }
}
