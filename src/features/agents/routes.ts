import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Answer } from '../../slack/answers/answer.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { channelNameOf, type SharedPage } from '../../slack/answers/sharing.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { AGENT_OPTIONS, menuAgentId, readAgentMenu } from '../../slack/blocks/agent-menu.ts'
import { countText } from '../../slack/blocks/share-buttons.ts'
import type { ActionPayload } from '../../slack/inbound/payloads.ts'
import { menuAndShareRoutes } from '../../slack/routing/list-routes.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { agentsLike } from '../../telephony/match-agent.ts'
import { helpMessage, problemsMessage, readListWords } from './command.ts'
import { detailsModal, secretsModal } from './modals.ts'
import { type AgentsQuery, LONGEST_NAME, readAgentId, readAgentsQuery, writeAgentsQuery } from './query.ts'
import { type AgentsView, agentsAnswer, pageOf, sharedAgents } from './view.ts'

export const notFound = noticeModal("This agent isn't in the phone account any more.", {
  title: 'Agent',
})

/** `/agents`: the list of agents, and the modals with what is known of one. */
export function agents({ workspaces, agentList, sharing, modals, audit }: Services): FeatureRoutes {
  const agentsOf = async ({ tenant }: Interaction) => agentList.list(await workspaces.account(tenant))

  async function load(interaction: Interaction, query: AgentsQuery): Promise<AgentsView> {
    const request = query.name === '' ? 'the agents' : `the agents matching "${query.name}"`
    const retry = { actionId: ACTIONS.agentsRetry, value: writeAgentsQuery(query) }
    interaction.fallback = { retry, request }
    const all = await agentsOf(interaction)
    const found = query.name === '' ? all : agentsLike(all, query.name)
    return { query, agents: found, nonce: randomUUID().slice(0, 8), channelName: channelNameOf(interaction) }
  }

  async function list(interaction: Interaction, query: AgentsQuery): Promise<Answer> {
    return agentsAnswer(await load(interaction, query))
  }

  async function shared(interaction: Interaction, query: AgentsQuery): Promise<SharedPage> {
    const view = await load(interaction, query)
    const what = countText({ noun: 'agent', count: pageOf(view).length })
    return { answer: { message: sharedAgents(view, interaction.actor.person) }, what }
  }

  /** For a button whose value is the query that it leads to. */
  const listByButton = (interaction: Interaction, { value }: ActionPayload) =>
    list(interaction, readAgentsQuery(value))

  async function openDetails(interaction: Interaction, id: string) {
    interaction.fallback = { request: 'this agent' }
    const agent = (await agentsOf(interaction)).find((one) => one.id === id || menuAgentId(one) === id)
    if (!agent) return notFound
    const { actor, channel } = interaction
    return detailsModal({ team: actor.team, channel, agent, isAdmin: actor.person.isAdmin })
  }

  return {
    commands: [
      { command: 'agents', word: 'help', needs: 'member', handle: async () => ({ message: helpMessage() }) },
      {
        command: 'agents',
        needs: 'agents',
        async handle(interaction, words) {
          const { name, page, problems } = readListWords(words)
          if (problems.length > 0) return { message: problemsMessage(problems) }
          return list(interaction, { name: name.slice(0, LONGEST_NAME), page })
        },
      },
    ],

    actions: [
      { action: ACTIONS.agentsPage, needs: 'agents', handle: listByButton },
      { action: ACTIONS.agentsRetry, needs: 'agents', handle: listByButton },
      ...menuAndShareRoutes(sharing, {
        needs: 'agents',
        menu: ACTIONS.agentsMore,
        share: ACTIONS.agentsShare,
        read: readAgentsQuery,
        list,
        shared,
      }),
      {
        action: ACTIONS.agentsRow,
        option: AGENT_OPTIONS.details,
        needs: 'agents',
        openModal: (interaction, { block_id }) => openDetails(interaction, readAgentMenu(block_id)),
      },
      {
        action: ACTIONS.agentsReveal,
        needs: 'admin',
        async handle(interaction, { value }, { viewId }) {
          interaction.fallback = { request: 'the SIP password' }
          const { actor, tenant, channel } = interaction
          const id = readAgentId(value)
          const agent = await agentList.reveal(await workspaces.account(tenant), id)
          if (viewId === undefined) return undefined
          // Noted before it is shown: whoever saw it is in the log.
          if (agent) await audit.record(actor, 'reveal SIP password', `agent ${id}`, { name: agent.name })
          const view = agent ? secretsModal(agent, actor.team, channel) : notFound
          await modals.update(actor.installation, viewId, view)
          return undefined
        },
      },
    ],
  }
}
