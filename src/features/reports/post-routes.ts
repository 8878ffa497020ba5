import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { ClickPlace } from '../../slack/answers/clicks.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { ACTIONS, VIEWS } from '../../slack/blocks/action-ids.ts'
import {
  REPORT_OPTIONS,
  type ReportQuery,
  readReportMenu,
  readReportQuery,
  writeReportQuery,
} from '../../slack/blocks/report-query.ts'
import { ChannelPosts } from '../../slack/posting/channel-posts.ts'
import { postModal, readPost } from '../../slack/posting/modal.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import {
  previewReport,
  type ReportPost,
  readPlan,
  readPlanWithDigest,
  reportPostMessages,
} from './post-preview.ts'
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
    const value = writeReportQuery(query)
    return postModal({ id: VIEWS.reportPost, title: postTitle, team: actor.team, channel, place, value })
  }

  return {
    actions: [
      {
        action: ACTIONS.reportMore,
        option: REPORT_OPTIONS.post,
        needs: 'calls',
        openModal: (interaction, { block_id }, place) =>
          openModal(interaction, readReportMenu(block_id), place),
      },
      {
        action: ACTIONS.reportPostChannel,
        needs: 'calls',
        openModal: (interaction, { value }, place) => openModal(interaction, readReportQuery(value), place),
      },
      {
        action: ACTIONS.reportPostAgain,
        needs: 'calls',
        handle: (interaction, { value }) =>
          posts.preview(interaction, { ...readPlan(value), nonce: randomUUID() }),
      },
      {
        action: ACTIONS.reportPostSend,
        needs: 'calls',
        async handle(interaction, { value }) {
          const { digest, ...plan } = readPlanWithDigest(value)
          return posts.send(interaction, plan, digest)
        },
      },
      {
        action: ACTIONS.reportPostCancel,
        needs: 'member',
        async handle(_, { value }) {
          return { message: reportPostMessages({ query: readReportQuery(value), nonce: '' }).discarded() }
        },
      },
    ],
    submissions: [
      {
        view: VIEWS.reportPost,
        needs: 'calls',
        async handle(interaction, view) {
          const { place, channel, value } = readPost(view)
          return posts.choose(interaction, place, {
            channel,
            query: readReportQuery(value),
            nonce: randomUUID(),
          })
        },
      },
    ],
  }
}
