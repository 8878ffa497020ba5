import { randomUUID } from 'node:crypto'
import { parseWords } from '../../grammar/parse-words.ts'
import type { Services } from '../../services.ts'
import { agentLinks, menuAgentId } from '../../slack/blocks/links.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { countText, type SharedPage, share, sharePlaceOf } from '../../slack/deliver/sharing.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { type AgentSummary, agentsLike } from '../../telephony/agent-list.ts'
import { utcDay } from '../../time/days.ts'
import { detailsModal, notFound, secretsModal } from './modals.ts'
import { type AgentsQuery, agentsActions, agentsGrammar, LONGEST_NAME } from './query.ts'
import { type AgentsView, agentsAnswer, pageOf, sharedAgents } from './view.ts'
import { explainWords, helpMessage, requestText } from './words.ts'

/** `/agents`: the list of agents, and the modals with what is known of one. */
export function agents({ workspaces, agentList, channels, modals, audit, now }: Services): FeatureRoutes {
  /** Their numbers as people write them. */
  async function agentsOf({ tenant }: Interaction): Promise<readonly AgentSummary[]> {
    const [account, { write }] = await Promise.all([workspaces.account(tenant), workspaces.lineNames(tenant)])
    return (await agentList.list(account)).map((one) => ({ ...one, callerId: write(one.callerId) }))
  }

  async function load(interaction: Interaction, query: AgentsQuery): Promise<AgentsView> {
    const retry = agentsActions.retry.button('Try again', query)
    interaction.fallback = { retry, request: requestText(query.name) }
    const all = await agentsOf(interaction)
    const found = query.name === '' ? all : agentsLike(all, query.name)
    return { query, agents: found, nonce: randomUUID().slice(0, 8), sharePlace: sharePlaceOf(interaction) }
  }

  async function list(interaction: Interaction, query: AgentsQuery): Promise<Answer> {
    return agentsAnswer(await load(interaction, query))
  }

  async function shared(interaction: Interaction, query: AgentsQuery): Promise<SharedPage> {
    const view = await load(interaction, query)
    const what = countText({ noun: 'agent', count: pageOf(view).length })
    return { answer: { message: sharedAgents(view, interaction.actor.person) }, what }
  }

  async function openDetails(interaction: Interaction, id: string) {
    interaction.fallback = { request: 'this agent' }
    const agent = (await agentsOf(interaction)).find((one) => one.id === id || menuAgentId(one) === id)
    if (!agent) return notFound
    const { actor, channel } = interaction
    return detailsModal(agent, actor.person.isAdmin, { team: actor.team, channel })
  }

  return {
    tools: [async () => (await import('./tools.ts')).agentsTools(load)],

    commands: [
      { command: 'agents', word: 'help', needs: 'member', handle: async () => ({ message: helpMessage }) },
      {
        command: 'agents',
        needs: 'agents',
        async handle(interaction, words) {
          // No filter of this command is a day.
          const parsed = parseWords(words, agentsGrammar, utcDay(new Date(now())))
          if (parsed.problem !== undefined) return { message: explainWords(parsed.problem, parsed.suggest()) }
          const name = parsed.names.join(' ').slice(0, LONGEST_NAME)
          return list(interaction, { name, page: parsed.filters.page ?? 1 })
        },
      },
    ],

    actions: [
      ...bind(agentsActions, {
        page: { needs: 'agents', handle: list },
        retry: { needs: 'agents', handle: list },
        refresh: { needs: 'agents', handle: list },
        share: {
          needs: 'agents',
          replacesOriginal: false,
          handle: (interaction, query) =>
            share({ channels, audit }, interaction, () => shared(interaction, query)),
        },
        reveal: {
          needs: 'admin',
          async handle(interaction, { id }, { viewId }) {
            interaction.fallback = { request: 'the SIP password' }
            const { actor, tenant, channel } = interaction
            const agent = await agentList.reveal(await workspaces.account(tenant), id)
            if (viewId === undefined) return undefined
            // Noted before it is shown: whoever saw it is in the log.
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
