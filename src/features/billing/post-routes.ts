import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/answers/answer.ts'
import { channelRefusal } from '../../slack/answers/channel-texts.ts'
import { refusedPostText } from '../../slack/answers/post-texts.ts'
import { type PostResult, postMessage } from '../../slack/api/post-message.ts'
import { isUselessToken } from '../../slack/api/web-api.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { billingPost } from '../../slack/blocks/billing-post.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { scopedKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import {
  digestOf,
  type PostPlan,
  previewMessage,
  readPlanWithDigest,
  readPlanWithExtras,
} from './post-preview.ts'

const claimedForMs: Milliseconds = 24 * 60 * 60_000

/** `<#C123|name>`, as Slack writes a channel that was chosen from its suggestions. */
const channelWord = (word: Word | undefined): string | undefined =>
  word?.key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word?.value ?? '')?.[1] : undefined

export const changedNote = 'The figures have changed since. Look again, please.'
export const cancelledText = 'Nothing was posted.'
export const postedText = (channel: string) => `Posted to <#${channel}>.`
export const usedText = (channel: string) =>
  `This preview was used already: look in <#${channel}>. \`/billing post\` makes another one.`
export const notInItText = (channel: string) =>
  `Nothing was posted: you are not in <#${channel}>. Join it and write \`/billing post\` there, or ask an admin to post it.`
export const notInItNote = (channel: string) => `You are not in <#${channel}> yourself.`
export const noChannelText = (written: string) =>
  `Nothing was posted: "${escapeText(written)}" is no channel. Write \`/billing post\` for this one, or \`/billing post #channel\` with a channel that Slack suggests.`

export function unsentText(result: Exclude<PostResult, { kind: 'sent' }>, channel: string): string {
  switch (result.kind) {
    case 'refused':
      return `${refusedPostText(result.code, isUselessToken(result.code))} Nothing was posted.`
    case 'not-now':
      return 'Slack takes no post right now. Nothing was posted; `/billing post` tries again.'
    case 'unknown':
      return `Slack did not answer in time, so it may have been posted. Look in <#${channel}> before you post again.`
  }
}

interface Look {
  readonly refusal?: Answer
  readonly note?: string
}

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
}: Services): FeatureRoutes {
  /**
   * What keeps a person from posting there, or what they have to know before. In the channel that they write in they are;
   * elsewhere Slack is asked, and whoever is not in it needs to be an administrator.
   */
  async function look(interaction: Interaction, channel: string): Promise<Look> {
    const { actor, channel: here, channelName } = interaction
    const { installation, person } = actor
    const state = await channels.state(actor, channel, channel === here ? channelName : '')
    if (state !== 'ok') return { refusal: textAnswer(channelRefusal(state, channel)) }
    if (channel === here || (await channels.hasMember(installation, channel, person.id))) return {}
    return (await guards.may(actor, 'admin'))
      ? { note: notInItNote(channel) }
      : { refusal: textAnswer(notInItText(channel)) }
  }

  const billingOf = async ({ tenant }: Interaction) => telephony.billing(await workspaces.account(tenant))

  async function preview(interaction: Interaction, plan: PostPlan, changed?: string): Promise<Answer> {
    const { refusal, note } = await look(interaction, plan.channel)
    if (refusal) return refusal
    const notes = [changed, note].filter((one) => one !== undefined).join(' ')
    const { name } = interaction.actor.person
    return { message: previewMessage(await billingOf(interaction), plan, name, notes || undefined) }
  }

  /** Posts what was previewed, unless it is not the same any more or was posted already. */
  async function send(interaction: Interaction, value: string | undefined): Promise<Answer> {
    const { digest, ...plan } = readPlanWithDigest(value)
    const { installation, person } = interaction.actor
    const { channel, nonce } = plan
    const { refusal } = await look(interaction, channel)
    if (refusal) return refusal
    const message = billingPost(await billingOf(interaction), plan.include)
    if (digestOf(message) !== digest) {
      return preview(interaction, { ...plan, nonce: randomUUID() }, changedNote)
    }
    if (!(await store.claims.claim('post', scopedKey(interaction.tenant, nonce), claimedForMs))) {
      return textAnswer(usedText(channel))
    }
    const blocks = [...message.blocks, attribution(person.name, 'Posted')]
    const result = await postMessage(webApi, installation.botToken, channel, { ...message, blocks })
    metrics.post('by-hand', result.kind)
    if (result.kind !== 'sent') return textAnswer(unsentText(result, channel))
    await audit.record(interaction.actor, 'post billing', `channel ${channel}`)
    return textAnswer(postedText(channel))
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
            return textAnswer(noChannelText(written))
          }
          interaction.fallback = { request: 'the billing details' }
          return preview(interaction, { channel, nonce: randomUUID(), include: [] })
        },
      },
    ],
    actions: [
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
        handle: async () => textAnswer(cancelledText),
      },
      {
        action: ACTIONS.postSend,
        needs: 'billing',
        handle: (interaction, { value }) => send(interaction, value),
      },
    ],
  }
}
