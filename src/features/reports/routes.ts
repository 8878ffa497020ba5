import { randomUUID } from 'node:crypto'
import { groupings } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import { type ReportQuery, reportQuery } from '../../slack/blocks/links.ts'
import { ForgedValueError, readValue } from '../../slack/blocks/values.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { PostButtons } from '../../slack/deliver/post-messages.ts'
import { channelPosts } from '../../slack/routing/channel-posts.ts'
import { queryCommand } from '../../slack/routing/query-command.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { type ReportPost, reportActions, reportPostActions } from './actions.ts'
import { reportCommand } from './command.ts'
import { reportFilter } from './filter-form.ts'
import { reportLoader } from './reports.ts'
import { postedReport, reportMessage } from './view.ts'
import { postDetail } from './words.ts'

export const reportPostButtons: PostButtons<ReportQuery, ReportPost> = {
  actions: reportPostActions,
  about: ({ query }) => query,
  chooseText: 'Choose a channel…',
  request: 'the call report',
}

/** `/calls report`: what a range of calls comes to, for one person, and by hand for everyone in a channel. */
export function reports(services: Services): FeatureRoutes {
  const { workspaces, metrics } = services
  const loader = reportLoader(services)

  const show = async (interaction: Interaction, query: ReportQuery): Promise<Answer> =>
    reportMessage(await loader.load(interaction, query))

  const posts = channelPosts(services, {
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
      // What an apology offers is the preview, rather than the report.
      const own = { ...interaction }
      return postedReport({ ...(await loader.load(own, query)), nonce })
    },
    count: (outcome) => metrics.count('report_posts_total', { how: 'by-hand', outcome }),
    audited: 'post report',
    detail: ({ query }) => postDetail(query),
  })

  const handle = queryCommand(services, { ...reportCommand, run: show })

  return {
    tools: [async () => (await import('./tools.ts')).reportTools(services, loader)],
    commands: [{ command: 'calls', word: 'report', moreWords: 'read', needs: 'calls', handle }],
    actions: [
      ...bind(reportActions, {
        show: { needs: 'calls', handle: show },
        by: {
          needs: 'calls',
          async handle(interaction, query, _, { selected_option }) {
            const by = groupings.find((one) => one === selected_option?.value)
            if (!by) throw new ForgedValueError('a grouping')
            return show(interaction, { ...query, by })
          },
        },
        filter: {
          needs: 'calls',
          async openModal(interaction, query, place) {
            const lines = await workspaces.lineNames(interaction.tenant)
            return reportFilter.open(services, interaction, { ...place, query }, { setting: lines })
          },
        },
        refresh: {
          needs: 'calls',
          handle: (interaction, { at: _at, ...query }) => show(interaction, query),
        },
      }),
      ...bind(reportPostActions, {
        ...posts.routes,
        open: posts.routes.channel,
        send: {
          needs: 'calls',
          handle: (interaction, { digest, ...plan }) => posts.send(interaction, plan, digest),
        },
      }),
    ],
    submissions: [reportFilter.submission(services, show), posts.submission],
  }
}
