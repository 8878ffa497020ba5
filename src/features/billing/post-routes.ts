import { randomUUID } from 'node:crypto'
import type { Word } from '../../grammar/words.ts'
import type { Services } from '../../services.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { ChannelPosts } from '../../slack/posting/channel-posts.ts'
import { postModal, readPost } from '../../slack/posting/modal.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import { extras, type PostPlan, postActions } from './actions.ts'
import { postOf, previewMessage } from './post-preview.ts'
import { noChannelMessage, postMessages } from './post-texts.ts'

/** `<#C123|name>`, as Slack writes a channel that was chosen from its suggestions. */
const channelWord = (word: Word | undefined): string | undefined =>
  word?.key === undefined ? /^<#([A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word?.value ?? '')?.[1] : undefined

const newPlan = (channel: string): PostPlan => ({ channel, nonce: randomUUID(), include: [] })

/** `/billing post`: a preview for one person, then a message for a channel. */
export function posts({
  store,
  workspaces,
  telephony,
  channels,
  guards,
  delivery,
  webApi,
  audit,
  metrics,
  log,
  now,
}: Services): FeatureRoutes {
  const channelPosts = new ChannelPosts<PostPlan>(
    { store, channels, guards, delivery, webApi, log, now },
    {
      messages: () => postMessages,
      make: async ({ tenant }, plan) =>
        postOf(await telephony.billing(await workspaces.account(tenant)), plan),
      preview: previewMessage,
      count: (outcome) => metrics.post('by-hand', outcome),
      record: ({ actor }, { channel }, isConfirmed) =>
        audit.record(
          actor,
          'post billing',
          `channel ${channel}${isConfirmed ? '' : ', not confirmed by Slack'}`,
        ),
    },
  )

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
          return channelPosts.preview(interaction, newPlan(channel))
        },
      },
    ],
    actions: bind(postActions, {
      channel: {
        needs: 'billing',
        async openModal({ actor, channel: here, channelName }, _, place) {
          const channel = isDirectConversation(here, channelName) ? '' : here
          return postModal({ id: VIEWS.billingPost, title: 'Post billing', team: actor.team, channel, place })
        },
      },
      view: { needs: 'member', answersBelow: true, handle: async () => undefined },
      include: {
        needs: 'billing',
        handle(interaction, plan, _, { selected_options }) {
          const ticked = (selected_options ?? []).map(({ value }) => value)
          const include = extras.filter((extra) => ticked.includes(extra))
          return channelPosts.preview(interaction, { ...plan, include })
        },
      },
      cancel: { needs: 'member', handle: async () => ({ message: postMessages.discarded() }) },
      send: {
        needs: 'billing',
        handle: (interaction, { digest, ...plan }) => channelPosts.send(interaction, plan, digest),
      },
    }),
    submissions: [
      {
        view: VIEWS.billingPost,
        needs: 'billing',
        async handle(interaction, view) {
          const { place, channel } = readPost(view)
          return channelPosts.choose(interaction, place, newPlan(channel))
        },
      },
    ],
  }
}
