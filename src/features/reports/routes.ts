import { groupings } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import type { ReportQuery } from '../../slack/blocks/report-query.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { queryCommand } from '../../slack/routing/query-command.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { zoneLabel } from '../../time/zones.ts'
import { reportActions } from './actions.ts'
import { reportCommand } from './command.ts'
import { filterModal, readFilter, reportFilter } from './filter-modal.ts'
import { postRoutes } from './post-by-hand.ts'
import { reportLoader } from './reports.ts'
import { reportMessage } from './view.ts'

/** `/calls report`: what a range of calls comes to. */
export function reports(services: Services): FeatureRoutes {
  const { workspaces, now } = services
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
          async openModal({ actor, tenant, channel }, query, place) {
            const [{ zone }, lines] = await Promise.all([
              workspaces.zone(tenant, channel, actor.person),
              workspaces.lineNames(tenant),
            ])
            const setting = { lines, zoneLabel: zoneLabel(zone, new Date(now())) }
            return filterModal(actor.team, channel, { ...place, query }, setting)
          },
        },
        refresh: {
          needs: 'calls',
          async handle(interaction, { at: _at, ...query }) {
            return show(interaction, query)
          },
        },
      }),
      ...posts.actions,
    ],
    submissions: [
      {
        view: reportFilter.id,
        needs: 'calls',
        async handle(interaction, view) {
          const filter = readFilter(view)
          if ('errors' in filter) return filter
          const { origin, query } = filter
          return {
            place: origin,
            answer: () => show(interaction, query),
          }
        },
      },
      ...posts.submissions,
    ],
  }
}
