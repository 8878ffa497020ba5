import { groupings } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import { type ReportQuery, reportQuery } from '../../slack/blocks/links.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { ChannelPosts } from '../../slack/routing/channel-posts.ts'
import { queryCommand } from '../../slack/routing/query-command.ts'
import { type ActionHandler, bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { reportActions, reportPostActions } from './actions.ts'
import { reportCommand } from './command.ts'
import { reportFilter } from './filter-form.ts'
import { reportLoader } from './reports.ts'
import { postedReport, reportMessage } from './view.ts'
import { postDetail } from './words.ts'

/** `/calls report`: what a range of calls comes to, for one person, and by hand for everyone in a channel. */
export function reports(services: Services): FeatureRoutes {
  const { workspaces, metrics, now } = services
  const loader = reportLoader(services)

  const show = async (interaction: Interaction, query: ReportQuery): Promise<Answer> =>
    reportMessage(await loader.load(interaction, query))

  const posts = new ChannelPosts(services, {
    needs: 'calls',
    view: 'report.post',
    title: 'Post the report',
    querySchema: reportQuery,
    async build(interaction, query) {
      return postedReport({ ...(await loader.load(interaction, query)), nonce: 'post' })
    },
    count: (outcome) => metrics.count('report_posts_total', { how: 'by-hand', outcome }),
    audited: 'post report',
    detail: postDetail,
  })

  /** Opens the modal for a report as of one instant: the same query builds the same post. */
  const openPost: ActionHandler<ReportQuery> = {
    needs: 'calls',
    replacesOriginal: false,
    openModal(interaction, { at = now(), ...query }) {
      const retry = reportPostActions.retry.button('Try again', { ...query, at })
      interaction.fallback = { retry }
      return posts.open(interaction, { ...query, at })
    },
  }

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
      ...bind(reportPostActions, { open: openPost, retry: openPost }),
    ],
    submissions: [reportFilter.submission(services, show), posts.submission],
  }
}
