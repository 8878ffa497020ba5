import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { reportQuery } from '../../slack/blocks/report-query.ts'
import { readValue } from '../../slack/blocks/values.ts'
import { PostMessages } from '../../slack/deliver/post-messages.ts'
import { channelPosts } from '../../slack/routing/channel-posts.ts'
import { bind, type FeatureRoutes } from '../../slack/routing/routes.ts'
import { type ReportPost, reportPostActions } from './actions.ts'
import type { Reports } from './reports.ts'
import { postedReport } from './view.ts'
import { postDetail } from './words.ts'

const postTitle = 'Post the report'

/** What a person is told about a report's post. */
export function reportPostMessages(plan: ReportPost): PostMessages {
  const { again, channel: other, send, cancel } = reportPostActions
  return new PostMessages({
    again: (channel, text) => again.button(text, { ...plan, channel }),
    choose: other.button('Choose a channel…', plan.query),
    send: (text, digest) => send.button(text, { ...plan, digest }, 'primary'),
    discard: cancel.button('Discard', plan.query),
    request: 'the call report',
  })
}

/** Post in a channel…: a preview for one person, then the report for everyone there. */
export function postRoutes(
  services: Services,
  reports: Reports,
): Required<Pick<FeatureRoutes, 'actions' | 'submissions'>> {
  const byHand = channelPosts<ReportPost>(services, {
    needs: 'calls',
    view: 'report.post',
    title: postTitle,
    plan: (channel, value) => ({
      channel,
      query: readValue(reportQuery, value, 'a report'),
      nonce: randomUUID(),
    }),
    messages: reportPostMessages,
    async make(interaction, { query, nonce }) {
      // What an apology offers is the preview; and a notice would take the place of the report that the modal was opened from.
      const quiet = { ...interaction, onProgress: () => {} }
      return postedReport({ ...(await reports.load(quiet, query)), nonce })
    },
    count: (outcome) => services.metrics.count('report_posts_total', { how: 'by-hand', outcome }),
    audited: 'post report',
    detail: ({ query }) => postDetail(query),
  })
  const discarded = (plan: ReportPost) => ({ message: reportPostMessages(plan).discarded() })

  return {
    actions: bind(reportPostActions, {
      open: {
        needs: 'calls',
        openModal: (who, query, place) => byHand.openModal(who, place, JSON.stringify(query)),
      },
      channel: {
        needs: 'calls',
        openModal: (who, query, place) => byHand.openModal(who, place, JSON.stringify(query)),
      },
      again: {
        needs: 'calls',
        handle: (interaction, plan) => byHand.preview(interaction, { ...plan, nonce: randomUUID() }),
      },
      send: {
        needs: 'calls',
        handle: (interaction, { digest, ...plan }) => byHand.send(interaction, plan, digest),
      },
      cancel: { needs: 'member', handle: async (_, query) => discarded({ channel: '', nonce: '', query }) },
    }),
    submissions: [byHand.submission],
  }
}
