import { randomUUID } from 'node:crypto'
import type { types } from '@slack/bolt'
import type { Word } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { type Block, escapeText, type Message } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { option } from '../../slack/blocks/inputs.ts'
import { PostMessages, withButtons } from '../../slack/deliver/post-messages.ts'
import { channelPosts } from '../../slack/routing/channel-posts.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import { chooseChannel, extras, includeExtras, type PostPlan, postActions } from './actions.ts'
import { billingPost } from './view.ts'

/** What a person is told about a billing post by hand. */
export const postMessages = (plan: PostPlan) =>
  new PostMessages({
    again: (channel, text) => commandButton('post-again', text, `/billing post <#${channel}>`),
    choose: chooseChannel,
    send: (text, digest) => postActions.send.button(text, { ...plan, digest }, 'primary'),
    discard: postActions.cancel.button('Discard'),
    request: 'the billing details',
  })

const noChannelMessage = (written: string): Message =>
  withButtons(`I don't recognise "${escapeText(written)}" as a channel, so nothing was posted.`, [
    commandButton('post-here', 'Post here', '/billing post'),
    chooseChannel,
  ])

const ticks = [
  option('Show the payment method and masked card', 'card'),
  option('Show the credit limit', 'limit'),
] satisfies types.PlainTextOption[]

/** What a channel is shown only if the poster ticks it. */
export function ticksOf(plan: PostPlan): readonly Block[] {
  const initial = ticks.filter(({ value: own }) => plan.include.some((extra) => extra === own))
  return [
    {
      type: 'actions',
      block_id: includeExtras.blockId(plan, ''),
      elements: [
        {
          type: 'checkboxes',
          action_id: includeExtras.id,
          options: ticks,
          ...(initial.length > 0 ? { initial_options: initial } : {}),
        },
      ],
    },
  ]
}

/** `<#C123|name>`, as Slack writes a channel that was chosen from its suggestions. */
const channelWord = (word: Word | undefined): string | undefined =>
  word?.key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word?.value ?? '')?.[1] : undefined

const newPlan = (channel: string): PostPlan => ({ channel, nonce: randomUUID(), include: [] })

/** `/billing post`: a preview for one person, then a message for a channel. */
export function posts(services: Services): FeatureRoutes {
  const { workspaces, telephony, metrics } = services
  const byHand = channelPosts<PostPlan>(services, {
    needs: 'billing',
    view: 'billing.post',
    title: 'Post billing',
    plan: newPlan,
    messages: postMessages,
    make: async ({ tenant }, { include }) => ({
      message: billingPost(await telephony.billing(await workspaces.account(tenant)), include),
    }),
    options: ticksOf,
    count: (outcome) => metrics.count('billing_posts_total', { how: 'by-hand', outcome }),
    audited: 'post billing',
  })

  return {
    commands: [
      {
        command: 'billing',
        word: 'post',
        moreWords: 'read',
        needs: 'billing',
        async handle(interaction, [word, ...more]) {
          const channel = word === undefined ? interaction.channel : channelWord(word)
          if (channel === undefined || more.length > 0) {
            const written = [word, ...more].map((one) => one?.written ?? '').join(' ')
            return { message: noChannelMessage(written) }
          }
          return byHand.preview(interaction, newPlan(channel))
        },
      },
    ],
    actions: bind(postActions, {
      channel: { needs: 'billing', openModal: (who, _, place) => byHand.openModal(who, place) },
      view: { needs: 'member', answersBelow: true, handle: async () => undefined },
      include: {
        needs: 'billing',
        handle(interaction, plan, _, { selected_options }) {
          const ticked = (selected_options ?? []).map(({ value }) => value)
          const include = extras.filter((extra) => ticked.includes(extra))
          return byHand.preview(interaction, { ...plan, include })
        },
      },
      cancel: { needs: 'member', handle: async () => ({ message: postMessages(newPlan('')).discarded() }) },
      send: {
        needs: 'billing',
        handle: (interaction, { digest, ...plan }) => byHand.send(interaction, plan, digest),
      },
    }),
    submissions: [byHand.submission],
  }
}
