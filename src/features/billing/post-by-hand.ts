import { joinWords } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { actionRow, escapeText, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton, withChannelNames } from '../../slack/blocks/command-button.ts'
import { ticks } from '../../slack/forms/fields.ts'
import { Form } from '../../slack/forms/form.ts'
import { ChannelPosts } from '../../slack/routing/channel-posts.ts'
import { channelWord } from '../../slack/routing/commands.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import { billExtra } from '../../store/schedules.ts'
import { billPostSchema, chooseChannel, extraOptions, postActions } from './actions.ts'
import { billingPost } from './view.ts'

function noChannelMessage(written: string): Message {
  const text = `"${escapeText(withChannelNames(written))}" isn't a channel here, so nothing was posted.`
  const buttons = [commandButton('post-here', 'Post here', '/billing post'), chooseChannel]
  return { text, blocks: [section(text), ...actionRow(buttons)] }
}

/** `/billing post`: a modal with a preview, then a message for a channel. */
export function posts(services: Services): FeatureRoutes {
  const { workspaces, telephony, metrics } = services
  const channelPosts = new ChannelPosts(services, {
    needs: 'billing',
    view: 'billing.post',
    title: 'Post billing',
    querySchema: billPostSchema,
    options: ({ include }) =>
      new Form({
        include: ticks('Also show', billExtra, extraOptions, include, { redraw: postActions.include }),
      }),
    async build(interaction, { include }) {
      return billingPost(await telephony.billing(await workspaces.account(interaction.tenant)), include)
    },
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
        async openModal(interaction, words) {
          const [word, ...more] = words
          const channel = word === undefined ? interaction.channel : channelWord(word)
          if (channel === undefined || more.length > 0) return { message: noChannelMessage(joinWords(words)) }
          interaction.fallback = { retry: chooseChannel }
          return channelPosts.open(interaction, { include: [] }, channel)
        },
      },
    ],
    actions: bind(postActions, {
      channel: {
        needs: 'billing',
        replacesOriginal: false,
        openModal(interaction) {
          interaction.fallback = { retry: chooseChannel }
          return channelPosts.open(interaction, { include: [] })
        },
      },
      include: {
        needs: 'billing',
        handle: (interaction, _value, _place, clicked) => channelPosts.redraw(interaction, clicked),
      },
    }),
    submissions: [channelPosts.submission],
  }
}
