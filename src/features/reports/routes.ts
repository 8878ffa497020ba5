import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { isAnswerable, justAfter } from '../../slack/answers/clicks.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { LIMITS } from '../../slack/blocks/blocks.ts'
import { commandAgain } from '../../slack/blocks/command-button.ts'
import { groupings, type ReportQuery } from '../../slack/blocks/report-query.ts'
import { ForgedValueError } from '../../slack/blocks/values.ts'
import type { Word } from '../../slack/routing/command-words.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { zoneLabel } from '../../time/zones.ts'
import { reportActions } from './actions.ts'
import { problemsAnswer, withAgent, withLine } from './agent-and-line.ts'
import { parseReportCommand } from './command.ts'
import { filterModal, outdatedFilterText, readFilter } from './filter-modal.ts'
import { postRoutes } from './post-routes.ts'
import { Reports } from './reports.ts'
import { requestText } from './summary.ts'
import { reportMessage } from './view.ts'

/** `/calls report`: what a range of calls comes to. */
export function reports(services: Services): FeatureRoutes {
  const { workspaces, now } = services
  const all = new Reports(services)
  const posts = postRoutes(services, all)

  const show = async (interaction: Interaction, query: ReportQuery): Promise<Answer> =>
    reportMessage(await all.load(interaction, query))

  async function command(interaction: Interaction, words: readonly Word[]): Promise<Answer> {
    const today = await all.today(interaction)
    const { query, agent, line, problems, meant } = parseReportCommand(words, today)
    if (problems.length > 0) {
      const texts = problems.map(({ text }) => text)
      return problemsAnswer(texts, meant === undefined ? undefined : `/calls report ${meant}`)
    }
    const written = words.map((word) => word.written).join(' ')
    interaction.fallback = {
      retry: commandAgain(`/calls report ${written}`.trim()),
      request: requestText(query, today),
    }
    const ofAgent = agent === undefined ? { query } : withAgent(query, agent, await all.agents(interaction))
    if ('answer' in ofAgent) return ofAgent.answer
    if (line === undefined) return show(interaction, ofAgent.query)
    const ofLine = withLine(ofAgent.query, line, await workspaces.lineNames(interaction.tenant))
    return 'answer' in ofLine ? ofLine.answer : show(interaction, ofLine.query)
  }

  /** The agent's name is left out where there was no room for it. */
  async function withAgentName(interaction: Interaction, query: ReportQuery): Promise<ReportQuery> {
    if (query.agentId === undefined || query.agentName !== undefined) return query
    const agent = (await all.agents(interaction)).find(({ id }) => id === query.agentId)
    return agent ? { ...query, agentName: agent.name.slice(0, LIMITS.optionText) } : query
  }

  return {
    commands: [{ command: 'calls', word: 'report', moreWords: 'read', needs: 'calls', handle: command }],
    actions: [
      ...bind(reportActions, {
        show: { needs: 'calls', handle: show },
        by: {
          needs: 'calls',
          async handle(interaction, query, _, { selected_option }) {
            const by = groupings.find((one) => one === selected_option?.value)
            if (!by) throw new ForgedValueError('a grouping')
            return show(interaction, { ...(await withAgentName(interaction, query)), by })
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
            return show(interaction, await withAgentName(interaction, query))
          },
        },
      }),
      ...posts.actions,
    ],
    submissions: [
      {
        view: VIEWS.reportFilter,
        needs: 'calls',
        async handle(interaction, view) {
          const filter = readFilter(view)
          if ('errors' in filter) return filter
          const { origin, query } = filter
          if (!isAnswerable(origin.actionTs, now())) return { errors: { from: outdatedFilterText } }
          return {
            place: { ...origin, actionTs: justAfter(origin.actionTs) },
            answer: async () => show(interaction, await withAgentName(interaction, query)),
          }
        },
      },
      ...posts.submissions,
    ],
  }
}
