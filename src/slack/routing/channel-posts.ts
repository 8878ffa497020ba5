import { randomUUID } from 'node:crypto'
import type { types } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Log } from '../../log.ts'
import type { Claims } from '../../store/claims.ts'
import { scopedKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import type { Audit } from '../access/audit.ts'
import type { Guards, Needs } from '../access/guards.ts'
import { type Channels, isDirectConversation } from '../api/channels.ts'
import { type PostResult, postMessage } from '../api/post-message.ts'
import { type Block, section } from '../blocks/blocks.ts'
import { modalWithMetadata } from '../blocks/inputs.ts'
import { ForgedValueError, readMetadata } from '../blocks/values.ts'
import type { Answer } from '../deliver/answer.ts'
import { type ClickPlace, clickPlace } from '../deliver/clicks.ts'
import type { Delivery } from '../deliver/delivery.ts'
import { channelRefusal, notInChannelText, plainChannelRefusal } from '../deliver/failures.ts'
import {
  attributed,
  changedNote,
  digestOf,
  discardedMessage,
  notInItNote,
  type PostButtons,
  PostMessages,
  type PostPlan,
} from '../deliver/post-messages.ts'
import { channelField } from '../forms/fields.ts'
import { Form } from '../forms/form.ts'
import type { ActionHandler, Interaction, SubmissionRoute } from './routes.ts'

const claimedForMs: Milliseconds = 24 * 60 * 60_000

/** The message that the modal was opened from, where the preview goes, and what is to be posted. */
const metadata = clickPlace.extend({
  value: z.string().optional(),
  /** Whether that message is a preview, in whose place the next one comes. */
  isPreview: z.literal(true).optional(),
})

const formOf = (channel: string) =>
  new Form({
    channel: channelField(channel),
  })

export interface PostKind<About, Plan extends PostPlan> extends PostButtons<About, Plan> {
  readonly needs: Needs
  /** Of the modal that asks for the channel: its callback id and its title. */
  readonly view: string
  readonly title: string
  /** @param about as JSON @throws {ForgedValueError} */
  plan(channel: string, about: string | undefined): Plan
  /** What everyone in the channel would see, without who posted it. */
  make(interaction: Interaction, plan: Plan): Promise<Answer>
  /** What can still be chosen of it, below its preview. */
  options?(plan: Plan): readonly Block[]
  count(outcome: PostResult['kind']): void
  /** For the audit log: what was done, and of what. */
  readonly audited: string
  detail?(plan: Plan): string
}

/** A channel for a post, with what the person has to know first, or why there is none to be made. */
type CheckedChannel =
  | { readonly refusal: Answer }
  | { readonly refusal?: undefined; readonly name: string | undefined; readonly note?: string }

interface PostServices {
  readonly store: { readonly claims: Claims }
  readonly channels: Channels
  readonly guards: Guards
  readonly delivery: Delivery
  readonly webApi: WebClient
  readonly audit: Audit
  readonly log: Pick<Log, 'info'>
}

/**
 * Posts to channels by hand: a channel is chosen, one person sees a preview and confirms it, and everyone there sees one
 * message.
 */
export function channelPosts<About, Plan extends PostPlan>(
  services: PostServices,
  kind: PostKind<About, Plan>,
) {
  const { store, channels, guards, delivery, webApi, audit, log } = services
  /** Asks for the channel: the one that the person is in, to begin with. */
  async function openModal(
    { actor, channel: here, channelName }: Interaction,
    about: About,
    place: ClickPlace,
    chosen?: string,
  ): Promise<types.ModalView> {
    const own = isDirectConversation(here, channelName) ? '' : here
    const intro = section('You see a preview first. Nothing is posted until you confirm it.')
    const blocks = [intro, ...formOf(chosen ?? own).inputs()]
    const parts = { title: kind.title, submit: 'Preview', blocks }
    const origin = { team: actor.team, channel: own }
    const isPreview = chosen === undefined ? {} : ({ isPreview: true } as const)
    const opened = { ...place, ...isPreview, value: JSON.stringify(about) }
    return modalWithMetadata(metadata, { id: kind.view, origin, metadata: opened, ...parts })
  }

  /**
   * What keeps a person from posting there, or what they have to know before: whoever is not in it needs to be an
   * administrator, and is told nothing of it.
   * @throws {SlackUnavailableError | TokenRefusedError | StoreError}
   */
  async function checkChannel(
    interaction: Interaction,
    channel: string,
    messages: PostMessages<About, Plan>,
  ): Promise<CheckedChannel> {
    const { actor } = interaction
    const { state, name, isIn } = await channels.findFor(actor, channel, interaction)
    if (isIn && state !== 'ok') {
      const mayTryAgain = state === 'not-in' || state === 'unknown'
      const message = messages.refused(channelRefusal(state, channel), { mayTryAgain })
      return { refusal: { message } }
    }
    if (isIn) return { name }
    return state === 'ok' && (await guards.may(actor, 'admin'))
      ? { name, note: notInItNote(channel) }
      : { refusal: { message: messages.notInIt() } }
  }

  /** For one person, with what changed since they looked. */
  async function preview(interaction: Interaction, plan: Plan, changed?: string): Promise<Answer> {
    const messages = new PostMessages(kind, plan)
    interaction.fallback = { ...interaction.fallback, ...messages.previewFallback() }
    const checked = await checkChannel(interaction, plan.channel, messages)
    if (checked.refusal) return checked.refusal
    const note = [changed, checked.note].filter((one) => one !== undefined).join(' ') || undefined
    const setting = { name: interaction.actor.person.name, channelName: checked.name, note }
    const post = await kind.make(interaction, plan)
    return messages.preview(post, setting, kind.options?.(plan))
  }

  async function linkTo(token: string, { channel, ts }: Extract<PostResult, { kind: 'sent' }>) {
    if (ts === undefined) return undefined
    try {
      return (await webApi.chat.getPermalink({ token, channel, message_ts: ts })).permalink
    } catch (error) {
      log.info({ err: error }, 'Slack gave no address of a post')
      return undefined
    }
  }

  /** Posts what was previewed, unless it is not the same any more or was posted already. */
  async function send(interaction: Interaction, plan: Plan, digest: string): Promise<Answer> {
    const { actor, tenant } = interaction
    const { person, team, installation } = actor
    const { channel, nonce } = plan
    const messages = new PostMessages(kind, plan)
    interaction.fallback = messages.previewFallback()
    const { refusal } = await checkChannel(interaction, channel, messages)
    if (refusal) return refusal
    const post = await kind.make(interaction, plan)
    if (digestOf(post.message) !== digest)
      return preview(interaction, { ...plan, nonce: randomUUID() }, changedNote)
    if (!(await store.claims.claim('post', scopedKey(tenant, nonce), claimedForMs)))
      return { message: messages.used() }
    // From here on it may be posted: nothing that goes wrong is mended by another preview.
    interaction.fallback = {}
    const result = await delivery.send(attributed(post, person.name), team, ({ message }) =>
      postMessage(webApi, installation.botToken, channel, message),
    )
    kind.count(result.kind)
    if (result.kind === 'sent' || result.kind === 'unknown') {
      const unconfirmed = result.kind === 'sent' ? undefined : 'not confirmed by Slack'
      const detail = [kind.detail?.(plan), unconfirmed].filter((part) => part !== undefined).join(', ')
      await audit.record(actor, kind.audited, { channel, detail })
    }
    if (result.kind !== 'sent') return { message: messages.unsent(result) }
    return { message: messages.posted(await linkTo(installation.botToken, result)) }
  }

  const submission: SubmissionRoute = {
    view: kind.view,
    needs: kind.needs,
    async handle(interaction, view) {
      const { value, isPreview = false, ...place } = readMetadata(view, metadata)
      const { values } = formOf('').read(view)
      if (!values) throw new ForgedValueError('a channel for a post')
      const plan = kind.plan(values.channel, value)
      const { state, isIn } = await channels.findFor(interaction.actor, plan.channel, interaction)
      if (state !== 'ok') return { errors: { channel: isIn ? plainChannelRefusal(state) : notInChannelText } }
      return { place, replacesOriginal: isPreview, answer: () => preview(interaction, plan) }
    },
  }

  const { needs } = kind
  const channel: ActionHandler<About> = {
    needs,
    openModal: (interaction, about, place) => openModal(interaction, about, place),
  }
  const back: ActionHandler<Plan> = {
    needs,
    openModal: (interaction, plan, place) => openModal(interaction, kind.about(plan), place, plan.channel),
  }
  const again: ActionHandler<Plan> = {
    needs,
    handle: (interaction, plan) => preview(interaction, { ...plan, nonce: randomUUID() }),
  }
  const cancel: ActionHandler<About> = {
    needs: 'member',
    handle: async (_, about) => ({ message: discardedMessage(kind, about) }),
  }
  return { preview, send, routes: { channel, back, again, cancel }, submission }
}
