import { groupings } from '../../grammar/filters.ts'
import type { Services } from '../../services.ts'
import { ForgedValueError } from '../../slack/blocks/action.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { queryCommand } from '../calls/query-command.ts'
import { type SharedPage, share } from '../calls/sharing.ts'
import { reportActions } from './actions.ts'
import { reportCommand, reportFilter } from './filters.ts'
import { ReportLoader } from './loader.ts'
import type { ReportQuery } from './query.ts'
import { personalReport, sharedReport } from './view.ts'
import { writeDays } from './words.ts'

/** `/calls report`: figures of a period's calls. */
export function reports(services: Services): FeatureRoutes {
  const { channels, audit } = services
  const loader = new ReportLoader(services)

  const show = async (interaction: Interaction, query: ReportQuery): Promise<Answer> =>
    personalReport(await loader.load(interaction, query))

  async function shared(interaction: Interaction, query: ReportQuery): Promise<SharedPage> {
    const view = await loader.load(interaction, query)
    return {
      answer: sharedReport(view, interaction.actor.person),
      what: `the call report for ${writeDays(query)}`,
    }
  }

  return {
    tools: [async () => (await import('./tools.ts')).reportTools(services, loader)],
    commands: [
      {
        command: 'calls',
        word: 'report',
        moreWords: 'read',
        needs: 'calls',
        handle: queryCommand(services, { ...reportCommand, run: show }),
      },
    ],
    actions: bind(reportActions, {
      show: { needs: 'calls', handle: show },
      by: {
        needs: 'calls',
        async handle(interaction, query, _, { selected_option }) {
          const grouping = groupings.find((one) => one === selected_option?.value)
          if (!grouping) throw new ForgedValueError('a grouping')
          return show(interaction, { ...query, by: grouping })
        },
      },
      filter: {
        needs: 'calls',
        openModal: (interaction, query, place) =>
          reportFilter.open(services, interaction, { ...place, query }),
      },
      share: {
        needs: 'calls',
        replacesOriginal: false,
        handle: (interaction, query) =>
          share({ channels, audit }, interaction, () => shared(interaction, query)),
      },
    }),
    submissions: [reportFilter.submission(services, show)],
  }
}
