import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { ClickPlace } from '../../slack/answers/clicks.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { type ReportQuery, reportQuery } from '../../slack/blocks/report-query.ts'
import { readValue } from '../../slack/blocks/values.ts'
import { ChannelPosts } from '../../slack/posting/channel-posts.ts'
import { postModal, readPost } from '../../slack/posting/modal.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { type ReportPost, reportPostActions } from './actions.ts'
import { previewReport, reportPostMessages } from './post-preview.ts'
import type { Reports } from './reports.ts'
import { postDetail } from './summary.ts'
import { postedReport } from './view.ts'

export const postTitle = 'Post the report'

/** Post in a channel…: a preview for one person, then the report for everyone there. */
export function postRoutes(
  services: Services,
  reports: Reports,
): Required<Pick<FeatureRoutes, 'actions' | 'submissions'>> {
  const { audit, metrics } = services
  const posts = new ChannelPosts<ReportPost>(services, {
    messages: reportPostMessages,
    async make(interaction, { query, nonce }) {
      // What an apology offers is the preview; and a notice would take the place of the report that the modal was opened from.
      const quiet = { ...interaction, tell: () => {} }
      return postedReport({ ...(await reports.load(quiet, query)), nonce })
    },
    preview: previewReport,
    count: (outcome) => metrics.reportPost('by-hand', outcome),
    record({ actor }, { channel, query }, isConfirmed) {
      const detail = `channel ${channel}, ${postDetail(query)}`
      return audit.record(actor, 'post report', isConfirmed ? detail : `${detail}, not confirmed by Slack`)
    },
  })

  async function openModal(
    { actor, channel: here, channelName }: Interaction,
    query: ReportQuery,
    place: ClickPlace,
  ) {
    const channel = isDirectConversation(here, channelName) ? '' : here
    const value = JSON.stringify(query)
    return postModal({ id: VIEWS.reportPost, title: postTitle, team: actor.team, channel, place, value })
  }

  return {
    actions: bind(reportPostActions, {
      open: { needs: 'calls', openModal },
      channel: { needs: 'calls', openModal },
      again: {
        needs: 'calls',
        handle: (interaction, plan) => posts.preview(interaction, { ...plan, nonce: randomUUID() }),
      },
      send: {
        needs: 'calls',
        handle: (interaction, { digest, ...plan }) => posts.send(interaction, plan, digest),
      },
      cancel: {
        needs: 'member',
        handle: async (_, query) => ({ message: reportPostMessages({ query, nonce: '' }).discarded() }),
      },
    }),
    submissions: [
      {
        view: VIEWS.reportPost,
        needs: 'calls',
        async handle(interaction, view) {
          const { place, channel, value } = readPost(view)
          return posts.choose(interaction, place, {
            channel,
            query: readValue(reportQuery, value, 'a report'),
            nonce: randomUUID(),
          })
        },
      },
    ],
  }
}
