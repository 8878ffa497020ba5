import { randomUUID } from 'node:crypto'
import { joinWords } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { type Block, escapeText, type Message } from '../../slack/blocks/blocks.ts'
import { commandButton, withChannelNames } from '../../slack/blocks/command-button.ts'
import { type PostButtons, withButtons } from '../../slack/deliver/post-messages.ts'
import { channelPosts } from '../../slack/routing/channel-posts.ts'
import { channelWord } from '../../slack/routing/commands.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import { billExtras } from '../../store/schedules.ts'
import {
  chooseChannel,
  chooseText,
  extraOptions,
  includeExtras,
  type PostPlan,
  postActions,
} from './actions.ts'
import { billingPost } from './view.ts'

export const billingPostButtons: PostButtons<void, PostPlan> = {
  actions: postActions,
  about: () => {},
  chooseText,
  request: 'the billing details',
}

const noChannelMessage = (written: string): Message =>
  withButtons(`"${escapeText(withChannelNames(written))}" isn't a channel here, so nothing was posted.`, [
    commandButton('post-here', 'Post here', '/billing post'),
    chooseChannel,
  ])

/** What a channel is shown only if the poster ticks it. */
export function ticksOf(plan: PostPlan): readonly Block[] {
  const initial = extraOptions.filter(({ value: own }) => plan.include.some((extra) => extra === own))
  return [
    {
      type: 'actions',
      block_id: includeExtras.blockId(plan, ''),
      elements: [
        {
          type: 'checkboxes',
          action_id: includeExtras.id,
          options: extraOptions,
          ...(initial.length > 0 ? { initial_options: initial } : {}),
        },
      ],
    },
  ]
}

const newPlan = (channel: string): PostPlan => ({ channel, nonce: randomUUID(), include: [] })

/** `/billing post`: a preview for one person, then a message for a channel. */
export function posts(services: Services): FeatureRoutes {
  const { workspaces, telephony, metrics } = services
  const { routes, preview, send, submission } = channelPosts(services, {
    ...billingPostButtons,
    needs: 'billing',
    view: 'billing.post',
    title: 'Post billing',
    plan: newPlan,
    make: async ({ tenant }, { include }) =>
      billingPost(await telephony.billing(await workspaces.account(tenant)), include),
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
        async handle(interaction, words) {
          const [word, ...more] = words
          const channel = word === undefined ? interaction.channel : channelWord(word)
          return channel === undefined || more.length > 0
            ? { message: noChannelMessage(joinWords(words)) }
            : preview(interaction, newPlan(channel))
        },
      },
    ],
    actions: bind(postActions, {
      ...routes,
      view: { needs: 'member', replacesOriginal: false, handle: async () => undefined },
      include: {
        needs: 'billing',
        handle(interaction, plan, _, { selected_options }) {
          const ticked = (selected_options ?? []).map(({ value }) => value)
          return preview(interaction, {
            ...plan,
            include: billExtras.filter((extra) => ticked.includes(extra)),
          })
        },
      },
      send: {
        needs: 'billing',
        handle: (interaction, { digest, ...plan }) => send(interaction, plan, digest),
      },
    }),
    submissions: [submission],
  }
}
