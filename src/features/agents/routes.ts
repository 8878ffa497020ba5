import { randomUUID } from 'node:crypto'
import { parseWords } from '../../grammar/parse-words.ts'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { agentsLike } from '../../telephony/account-cache.ts'
import { utcDay } from '../../time/days.ts'
import { agentLinks, menuAgentId } from '../calls/query.ts'
import { countText, getSharePlace, type SharedPage, share } from '../calls/sharing.ts'
import { type AgentsQuery, agentsActions, agentsGrammar, MAX_SEARCH_LENGTH } from './query.ts'
import {
  AGENTS_PER_PAGE,
  type AgentsView,
  agentsAnswer,
  agentsHelp,
  describeAgents,
  detailsModal,
  explainWords,
  notFound,
  secretsModal,
  sharedAgents,
} from './view.ts'

/** `/agents`: the list of agents, and modals with the details of one. */
export function agents(services: Services): FeatureRoutes {
  const { workspaces, agentList, modals, audit, now } = services
  async function load(interaction: Interaction, query: AgentsQuery): Promise<AgentsView> {
    const retry = agentsActions.retry.button('Try again', query)
    interaction.fallback = { retry, request: describeAgents(query.name) }
    const { tenant } = interaction
    const [account, { write }] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
    const { agents, total } = await agentList.read(account)
    const found = query.name === '' ? agents : agentsLike(agents, query.name)
    const page = found
      .slice((query.page - 1) * AGENTS_PER_PAGE, query.page * AGENTS_PER_PAGE)
      .map((agent) => ({ ...agent, callerId: write(agent.callerId) }))
    const nonce = randomUUID().slice(0, 8)
    return { query, page, count: found.length, total, nonce, sharePlace: getSharePlace(interaction) }
  }

  async function list(interaction: Interaction, query: AgentsQuery): Promise<Answer> {
    return agentsAnswer(await load(interaction, query))
  }

  async function shared(interaction: Interaction, query: AgentsQuery): Promise<SharedPage> {
    const view = await load(interaction, query)
    const what = countText({ noun: 'agent', count: view.page.length })
    return { answer: { message: sharedAgents(view, interaction.actor.person) }, what }
  }

  async function openDetails(interaction: Interaction, id: string) {
    interaction.fallback = { request: 'this agent' }
    const { actor, tenant, channel } = interaction
    const [account, { write }] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
    const agents = await agentList.list(account)
    const agent = agents.find((one) => one.id === id || menuAgentId(one) === id)
    if (!agent) return notFound
    const shown = { ...agent, callerId: write(agent.callerId) }
    return detailsModal(shown, actor.person.isAdmin, { team: actor.team, channel })
  }

  return {
    tools: [async () => (await import('./tools.ts')).agentsTools(load)],

    commands: [
      { command: 'agents', word: 'help', needs: 'member', handle: async () => ({ message: agentsHelp }) },
      {
        command: 'agents',
        needs: 'agents',
        async handle(interaction, words) {
          // No filter of this command is a day.
          const parsed = parseWords(words, agentsGrammar, utcDay(new Date(now())))
          if (parsed.problem !== undefined) return { message: explainWords(parsed.problem, parsed.suggest()) }
          const name = parsed.names.join(' ').slice(0, MAX_SEARCH_LENGTH)
          return list(interaction, { name, page: parsed.filters.page ?? 1 })
        },
      },
    ],

    actions: [
      ...bind(agentsActions, {
        page: { needs: 'agents', handle: list },
        retry: { needs: 'agents', handle: list },
        share: {
          needs: 'agents',
          replacesOriginal: false,
          handle: (interaction, query) => share(services, interaction, () => shared(interaction, query)),
        },
        reveal: {
          needs: 'admin',
          async handle(interaction, { id }, { viewId }) {
            interaction.fallback = { request: 'the SIP password' }
            const { actor, tenant, channel } = interaction
            const agent = await agentList.reveal(await workspaces.account(tenant), id)
            if (viewId === undefined) return undefined
            // Recorded before it is shown, so that the log has everyone who saw it.
            if (agent)
              await audit.record(actor, 'reveal SIP password', { detail: `agent ${id}`, name: agent.name })
            const view = agent ? secretsModal(agent, { team: actor.team, channel }) : notFound
            await modals.update(actor.installation, viewId, view)
            return undefined
          },
        },
      }),
      ...bind(agentLinks, { details: { needs: 'agents', openModal: openDetails } }),
    ],
  }
}
