import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { type ReportQuery, reportQuery } from '../../slack/blocks/report-query.ts'
import { readValue } from '../../slack/blocks/values.ts'
import type { PostButtons } from '../../slack/deliver/post-messages.ts'
import { channelPosts } from '../../slack/routing/channel-posts.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import { type ReportPost, reportPostActions } from './actions.ts'
import type { Reports } from './reports.ts'
import { postedReport } from './view.ts'
import { postDetail } from './words.ts'

export const reportPostButtons: PostButtons<ReportQuery, ReportPost> = {
  actions: reportPostActions,
  about: ({ query }) => query,
  chooseText: 'Choose a channel…',
  request: 'the call report',
}

/** Post in a channel…: a preview for one person, then the report for everyone there. */
export function postRoutes(
  services: Services,
  reports: Reports,
): Required<Pick<FeatureRoutes, 'actions' | 'submissions'>> {
  const { routes, send, submission } = channelPosts(services, {
    ...reportPostButtons,
    needs: 'calls',
    view: 'report.post',
    title: 'Post the report',
    plan: (channel, about) => ({
      channel,
      query: readValue(reportQuery, about, 'a report'),
      nonce: randomUUID(),
    }),
    async make(interaction, { query, nonce }) {
      // What an apology offers is the preview; and a notice would take the place of the report that the modal was opened from.
      const quiet = { ...interaction, onProgress: () => {} }
      return postedReport({ ...(await reports.load(quiet, query)), nonce })
    },
    count: (outcome) => services.metrics.count('report_posts_total', { how: 'by-hand', outcome }),
    audited: 'post report',
    detail: ({ query }) => postDetail(query),
  })
  return {
    actions: bind(reportPostActions, {
      ...routes,
      open: routes.channel,
      send: {
        needs: 'calls',
        handle: (interaction, { digest, ...plan }) => send(interaction, plan, digest),
      },
    }),
    submissions: [submission],
  }
}
