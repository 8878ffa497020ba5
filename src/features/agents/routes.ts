import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { toMenuAgentId } from '../../query/fields.ts'
import { page } from '../../query/filters/filters.ts'
import { parseWords } from '../../query/parse.ts'
import { pageNumberSchema } from '../../query/query.ts'
import type { Services } from '../../services.ts'
import { ToolAction, textArgument } from '../../slack/blocks/tool-action.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { offerOnFailure } from '../../slack/deliver/apologies.ts'
import * as routing from '../../slack/routing/routes.ts'
import { nameMentions } from '../../slack/routing/words.ts'
import { AgentLabels } from '../../telephony/agent-labels.ts'
import { utcDay } from '../../time/days.ts'
import { filterByName } from '../../util/names.ts'
import { paginate } from '../../util/paging.ts'
import { countNoun, takeStart } from '../../util/text.ts'
import { getShareLabel, share, sharedFooter } from '../calls/sharing.ts'
import { type AgentsQuery, agentsActions, MAX_SEARCH_LENGTH } from './actions.ts'
import * as views from './view.ts'

async function readAgents({ workspaces, agentList }: Services, { tenant }: routing.Interaction) {
  const [account, lines] = await Promise.all([workspaces.getAccount(tenant), workspaces.getLineNames(tenant)])
  const { agents } = await agentList.get(account)
  return { agents, lines }
}

const AGENTS_PER_PAGE = 10

async function readPage(services: Services, interaction: routing.Interaction, query: AgentsQuery) {
  const { agents, lines } = await readAgents(services, interaction)
  const page = paginate(filterByName(agents, query.name), query.page, AGENTS_PER_PAGE)
  return { query, page, labels: new AgentLabels(page.items), lines, nonce: randomUUID().slice(0, 8) }
}

function loadPage(services: Services, interaction: routing.Interaction, query: AgentsQuery) {
  const makeOffers = () => ({
    retry: agentsActions.retry.button('Try again', query),
    request: query.name === '' ? 'the agents' : `the agents matching "${query.name}"`,
  })
  return offerOnFailure(makeOffers, readPage(services, interaction, query))
}

async function list(services: Services, interaction: routing.Interaction, query: AgentsQuery) {
  const view = await loadPage(services, interaction, query)
  return views.personalAgents(view, getShareLabel(interaction))
}

async function search(services: Services, { interaction, words }: routing.CommandRequest): Promise<Answer> {
  const namedWords = await nameMentions(services.people, interaction.actor, words)
  // All words but `page:N` are the name; the day isn't used.
  const parsed = parseWords(namedWords, [page], utcDay(new Date(services.now())))
  if (parsed.problem !== undefined) return { message: views.explainWords(parsed.problem, parsed.suggest()) }
  const name = takeStart(parsed.names.join(' '), MAX_SEARCH_LENGTH)
  return list(services, interaction, { name, page: parsed.filters.page ?? 1 })
}

async function buildSharedPage(services: Services, interaction: routing.Interaction, query: AgentsQuery) {
  const view = await loadPage(services, interaction, query)
  const answer = views.renderAgents(view, sharedFooter(interaction.actor.person))
  return { answer, what: countNoun(view.page.items.length, 'agent') }
}

const toOrigin = ({ actor, channel }: routing.Interaction) => ({ workspace: actor.workspace, channel })

async function openDetails(services: Services, interaction: routing.Interaction, id: string) {
  const { agents, lines } = await readAgents(services, interaction)
  const agent = agents.find((listed) => toMenuAgentId(listed) === id)
  if (!agent) return views.goneModal
  const { isAdmin } = interaction.actor.person
  return views.detailsModal(agent, lines, isAdmin, toOrigin(interaction))
}

/** Opens in place of the modal with the button. */
async function openSecrets(services: Services, interaction: routing.Interaction, id: string) {
  const { workspaces, agentList, audit } = services
  const account = await workspaces.getAccount(interaction.tenant)
  const agent = await agentList.reveal(account, id)
  if (!agent) return views.goneModal
  // Recorded before it is shown, so that the log has everyone who saw it.
  const viewed = { detail: `agent ${id}`, name: agent.name }
  await audit.record(interaction.actor, 'viewed a SIP password', viewed)
  return views.secretsModal(agent, toOrigin(interaction))
}

function agentsTool(services: Services): routing.Tool {
  const input = z.strictObject({
    name: textArgument(MAX_SEARCH_LENGTH, 'A part of the name, or an id; everyone if left out'),
    page: pageNumberSchema.optional().describe(`From 1; ${AGENTS_PER_PAGE} agents to a page`),
  })
  const listAgents = new ToolAction('list_agents', input)
  const description =
    "Lists the agents of the company's phone account with their numbers, or those whose name matches. For the calls of an agent use list_calls or report_calls with the name."
  const about = { needs: 'agents', title: 'List agents', description } as const
  return routing.tool(listAgents, about, async (interaction, { name = '', page = 1 }) => {
    const view = await loadPage(services, interaction, { name, page })
    const paging = listAgents.paging(view.page, (number) => ({ name, page: number }))
    return views.renderAgents(view, paging)
  })
}

export function agents(services: Services): routing.FeatureRoutes {
  const listPage: routing.ActionHandler<AgentsQuery> = {
    needs: 'agents',
    handle: ({ interaction, value }) => list(services, interaction, value),
  }
  const answerHelp = async () => ({ message: views.agentsHelp })
  return {
    tools: [async () => [agentsTool(services)]],
    commands: [
      { command: 'agents', word: 'help', needs: 'member', handle: answerHelp },
      { command: 'agents', needs: 'agents', handle: (request) => search(services, request) },
    ],
    actions: routing.bind(agentsActions, {
      page: listPage,
      retry: listPage,
      share: {
        needs: 'agents',
        replacesOriginal: false,
        handle: ({ interaction, value, click }) =>
          share(services, interaction, click, () => buildSharedPage(services, interaction, value)),
      },
      details: {
        needs: 'agents',
        opensModal: true,
        handle: ({ interaction, value: id }) =>
          offerOnFailure(() => ({ request: 'this agent' }), openDetails(services, interaction, id)),
      },
      reveal: {
        needs: 'admin',
        opensModal: true,
        handle({ interaction, value: { id } }) {
          const retry = views.revealButton({ id, name: `agent ${id}` })
          const makeOffers = () => ({ retry, request: 'the SIP password' })
          return offerOnFailure(makeOffers, openSecrets(services, interaction, id))
        },
      },
    }),
  }
}
