import { groupings } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import type { ReportQuery } from '../../slack/blocks/report-query.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { queryCommand } from '../../slack/routing/query-command.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { reportActions } from './actions.ts'
import { reportCommand } from './command.ts'
import { reportFilter } from './filter-form.ts'
import { postRoutes } from './post-by-hand.ts'
import { reportLoader } from './reports.ts'
import { reportMessage } from './view.ts'

/** `/calls report`: what a range of calls comes to. */
export function reports(services: Services): FeatureRoutes {
  const { workspaces } = services
  const all = reportLoader(services)
  const posts = postRoutes(services, all)

  const show = async (interaction: Interaction, query: ReportQuery): Promise<Answer> =>
    reportMessage(await all.load(interaction, query))

  const handle = queryCommand(services, { ...reportCommand, run: show })

  return {
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
      ...posts.actions,
    ],
    submissions: [reportFilter.submission(show), ...posts.submissions],
  }
}
