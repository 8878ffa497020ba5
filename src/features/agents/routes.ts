import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/answers/answer.ts'
import { shareRefusal } from '../../slack/answers/channel-texts.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import type { ActionRoute, FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { agentsLike } from '../../telephony/match-agent.ts'
import { readListWords } from './list-words.ts'
import { detailsModal, secretsModal } from './modals.ts'
import {
  type AgentsQuery,
  LONGEST_NAME,
  readAgentId,
  readAgentsMenuQuery,
  readAgentsQuery,
  writeAgentsQuery,
} from './query.ts'
import { type AgentsView, agentsMessage, sharedAgents } from './view.ts'

const usage = '`/agents [NAME] [page:N]`'
export const notFound = 'This agent is not there any more. `/agents` lists those that are.'

export function helpMessage(problems: readonly string[]): Message {
  const wrong = problems.map((problem) => `• ${escapeText(problem)}`).join('\n')
  const text =
    problems.length > 0 ? `Nothing was looked up:\n${wrong}` : "Lists the account's agents, ten a page."
  return {
    text,
    blocks: [
      ...(problems.length > 0 ? [] : [header('Agents')]),
      section(text),
      section(escapeText(usage)),
      context(
        "*Calls* shows an agent's calls, *Details* the SIP login; admins can see the SIP password there.",
      ),
    ],
  }
}

/** `/agents`: the list of agents, and the modals with what is known of one. */
export function agents({ workspaces, agentList, channels, modals, audit }: Services): FeatureRoutes {
  const agentsOf = async ({ tenant }: Interaction) => agentList.list(await workspaces.account(tenant))

  async function load(interaction: Interaction, query: AgentsQuery): Promise<AgentsView> {
    const request = query.name === '' ? 'the agents' : `the agents called "${query.name}"`
    const retry = { actionId: ACTIONS.agentsRetry, value: writeAgentsQuery(query) }
    interaction.setFallback({ retry, request })
    const all = await agentsOf(interaction)
    const found = query.name === '' ? all : agentsLike(all, query.name)
    return { query, agents: found, nonce: randomUUID().slice(0, 8) }
  }

  async function list(interaction: Interaction, query: AgentsQuery): Promise<Answer> {
    return { message: agentsMessage(await load(interaction, query)) }
  }

  async function share(interaction: Interaction, query: AgentsQuery): Promise<Answer> {
    const { actor, channel } = interaction
    const refusal = shareRefusal(await channels.state(actor.installation, channel), channel)
    if (refusal !== undefined) return { ...textAnswer(refusal), place: 'below' }
    return { message: sharedAgents(await load(interaction, query), actor.person.id), place: 'channel' }
  }

  /** A button whose value is the query that it leads to. */
  const queryButton = (action: string): ActionRoute => ({
    action,
    needs: 'agents',
    handle: (interaction, { value }) => list(interaction, readAgentsQuery(value)),
  })

  return {
    commands: [
      {
        command: 'agents',
        word: 'help',
        needs: 'member',
        handle: async () => ({ message: helpMessage([]) }),
      },
      {
        command: 'agents',
        needs: 'agents',
        async handle(interaction, words) {
          const { name, page, problems } = readListWords(words)
          if (problems.length > 0) return { message: helpMessage(problems) }
          return list(interaction, { name: name.slice(0, LONGEST_NAME), page })
        },
      },
    ],

    actions: [
      queryButton(ACTIONS.agentsPage),
      queryButton(ACTIONS.agentsRetry),
      {
        action: ACTIONS.agentsMore,
        needs: 'agents',
        handle: (interaction, { block_id, selected_option }) =>
          (selected_option?.value === 'share' ? share : list)(interaction, readAgentsMenuQuery(block_id)),
      },
      {
        action: ACTIONS.agentsDetails,
        needs: 'agents',
        async openModal(interaction, { value }) {
          const id = readAgentId(value)
          const agent = (await agentsOf(interaction)).find((one) => one.id === id)
          if (!agent) return noticeModal(notFound, { title: 'Agent' })
          const { team, person } = interaction.actor
          return detailsModal({ team, channel: interaction.channel, agent, isAdmin: person.isAdmin })
        },
      },
      {
        action: ACTIONS.agentsReveal,
        needs: 'admin',
        async handle({ actor, tenant, channel }, { value }, { viewId }) {
          const id = readAgentId(value)
          const agent = await agentList.reveal(await workspaces.account(tenant), id)
          if (viewId === undefined) return undefined
          // Noted before it is shown: whoever saw it is in the log.
          if (agent) await audit.record(actor, 'reveal SIP password', `agent ${id}`)
          const view = agent
            ? secretsModal(agent, actor.team, channel)
            : noticeModal(notFound, { title: 'Agent' })
          await modals.update(actor.installation, viewId, view)
          return undefined
        },
      },
    ],
  }
}
