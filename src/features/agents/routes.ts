import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { page } from '../../query/filters/filters.ts'
import { agentActions, menuAgentId } from '../../query/menus.ts'
import { filterByName } from '../../query/names.ts'
import { parseWords } from '../../query/parse.ts'
import { pageNumberSchema } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import { ToolAction, textArgument } from '../../slack/blocks/tool-action.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import {
  bind,
  type CommandRequest,
  type FeatureRoutes,
  type Interaction,
  type Tool,
  tool,
} from '../../slack/routing/routes.ts'
import { nameMentions } from '../../slack/routing/words.ts'
import { utcDay } from '../../time/days.ts'
import { countNoun, takeStart } from '../../util/text.ts'
import { getShareLabel, share } from '../calls/sharing.ts'
import { type AgentsQuery, agentsActions, MAX_SEARCH_LENGTH } from './actions.ts'
import {
  AGENTS_PER_PAGE,
  type AgentsView,
  agentsForSlackbot,
  agentsHelp,
  countAgentPages,
  describeAgents,
  detailsModal,
  explainWords,
  notFound,
  personalAgents,
  secretsModal,
  sharedAgents,
} from './view.ts'

function loadAgents(services: Services, interaction: Interaction, query: AgentsQuery): Promise<AgentsView> {
  const makeOffers = () => ({
    retry: agentsActions.retry.button('Try again', query),
    request: describeAgents(query.name),
  })
  return offerOnFailure(makeOffers, readAgentsPage(services, interaction, query))
}

async function readAgentsPage(
  { workspaces, agentList }: Services,
  { tenant }: Interaction,
  query: AgentsQuery,
): Promise<AgentsView> {
  const [account, { format }] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
  const agents = await agentList.list(account)
  const found = filterByName(agents, query.name)
  const page = found
    .slice((query.page - 1) * AGENTS_PER_PAGE, query.page * AGENTS_PER_PAGE)
    .map((agent) => ({ ...agent, callerId: format(agent.callerId) }))
  return { query, page, count: found.length, nonce: randomUUID().slice(0, 8) }
}

async function openDetails({ workspaces, agentList }: Services, interaction: Interaction, id: string) {
  const { actor, tenant, channel } = interaction
  const [account, { format }] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
  const agents = await agentList.list(account)
  const agent = agents.find((one) => menuAgentId(one) === id)
  if (!agent) return notFound
  const shown = { ...agent, callerId: format(agent.callerId) }
  return detailsModal(shown, actor.person.isAdmin, { workspace: actor.workspace, channel })
}

/** Opens in place of the modal with the button. */
async function openSecrets({ workspaces, agentList, audit }: Services, interaction: Interaction, id: string) {
  const { actor, tenant, channel } = interaction
  const agent = await agentList.reveal(await workspaces.account(tenant), id)
  if (!agent) return notFound
  // Recorded before it is shown, so that the log has everyone who saw it.
  await audit.record(actor, 'viewed a SIP password', { detail: `agent ${id}`, name: agent.name })
  return secretsModal(agent, { workspace: actor.workspace, channel })
}

export function agents(services: Services): FeatureRoutes {
  const list = async (interaction: Interaction, query: AgentsQuery): Promise<Answer> =>
    personalAgents(await loadAgents(services, interaction, query), getShareLabel(interaction))

  async function search({ interaction, words }: CommandRequest): Promise<Answer> {
    // All words but `page:N` are the name; the day isn't used.
    const named = await nameMentions(services.people, interaction.actor, words)
    const parsed = parseWords(named, { filters: [page] }, utcDay(new Date(services.now())))
    if (parsed.problem !== undefined) return { message: explainWords(parsed.problem, parsed.suggest()) }
    const name = takeStart(parsed.names.join(' '), MAX_SEARCH_LENGTH)
    return list(interaction, { name, page: parsed.filters.page ?? 1 })
  }

  return {
    tools: [async () => [agentsTool(services)]],
    commands: [
      { command: 'agents', word: 'help', needs: 'member', handle: async () => ({ message: agentsHelp }) },
      { command: 'agents', needs: 'agents', handle: search },
    ],
    actions: [
      ...bind(agentsActions, {
        page: { needs: 'agents', handle: ({ interaction, value }) => list(interaction, value) },
        retry: { needs: 'agents', handle: ({ interaction, value }) => list(interaction, value) },
        share: {
          needs: 'agents',
          replacesOriginal: false,
          handle: ({ interaction, value, click }) =>
            share(services, interaction, click, async () => {
              const view = await loadAgents(services, interaction, value)
              const what = countNoun(view.page.length, 'agent')
              return { answer: sharedAgents(view, interaction.actor.person), what }
            }),
        },
        reveal: {
          needs: 'admin',
          opensModal: true,
          handle: ({ interaction, value }) =>
            offerOnFailure(
              () => ({ request: 'the SIP password' }),
              openSecrets(services, interaction, value.id),
            ),
        },
      }),
      ...bind(
        { details: agentActions.details },
        {
          details: {
            needs: 'agents',
            opensModal: true,
            handle: ({ interaction, value: id }) =>
              offerOnFailure(() => ({ request: 'this agent' }), openDetails(services, interaction, id)),
          },
        },
      ),
    ],
  }
}

const listAgents = new ToolAction(
  'list_agents',
  z.strictObject({
    name: textArgument(MAX_SEARCH_LENGTH, 'A part of the name, or an id; everyone if left out'),
    page: pageNumberSchema.optional().describe(`From 1; ${AGENTS_PER_PAGE} agents to a page`),
  }),
)

const agentsTool = (services: Services): Tool =>
  tool(
    listAgents,
    {
      needs: 'agents',
      title: 'List agents',
      description:
        "Lists the agents of the company's phone account with their numbers, or those whose name matches. For the calls of an agent use list_calls or report_calls with the name.",
    },
    async (interaction, { name = '', page = 1 }) => {
      const view = await loadAgents(services, interaction, { name, page })
      const paging = listAgents.paging(countAgentPages(view), (number) => ({ name, page: number }))
      return agentsForSlackbot(view, paging)
    },
  )
