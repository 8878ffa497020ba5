import { randomUUID } from 'node:crypto'
import type { Audit } from '../../slack/access/audit.ts'
import type { Workspace } from '../../slack/access/workspaces.ts'
import { type Modals, noticeModal } from '../../slack/answers/modals.ts'
import type { Answer } from '../../slack/answers/table-support.ts'
import { type Channels, shareRefusal } from '../../slack/api/channels.ts'
import { context, escapeText, header, type Message, section } from '../../slack/blocks/blocks.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import type { AgentList } from '../../telephony/agent-list.ts'
import { agentsLike } from '../../telephony/match-agent.ts'
import { readListWords } from './list-words.ts'
import { detailsModal, secretsModal } from './modals.ts'
import { type AgentsQuery, LONGEST_NAME, readAgentId, readAgentsQuery, writeAgentsQuery } from './query.ts'
import { type AgentsView, agentsMessage, sharedAgents } from './view.ts'

export interface AgentsDeps {
  readonly workspace: Workspace
  readonly agents: AgentList
  readonly channels: Channels
  readonly modals: Modals
  readonly audit: Audit
}

const usage = '`/agents [NAME] [page:N]`'
const gone = 'This agent is not there any more. `/agents` lists those that are.'

function helpMessage(problems: readonly string[]): Message {
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

export function agentsRoutes({ workspace, agents, channels, modals, audit }: AgentsDeps): FeatureRoutes {
  async function look({ tenant, offerRetry }: Interaction, query: AgentsQuery): Promise<AgentsView> {
    const asked = query.name === '' ? 'the agents' : `the agents called "${query.name}"`
    offerRetry({ retry: { actionId: 'agents.retry', value: writeAgentsQuery(query) }, asked })
    const all = await agents.list(await workspace.account(tenant))
    const found = query.name === '' ? all : agentsLike(all, query.name)
    return { query, agents: found, nonce: randomUUID().slice(0, 8) }
  }

  async function list(interaction: Interaction, query: AgentsQuery): Promise<Answer> {
    return { message: agentsMessage(await look(interaction, query)) }
  }

  async function share(interaction: Interaction, query: AgentsQuery): Promise<Answer> {
    const { channel, visitor } = interaction
    const refusal = shareRefusal(await channels.state(visitor.installation, channel), channel)
    if (refusal !== undefined)
      return { message: { text: refusal, blocks: [section(refusal)] }, place: 'below' }
    return { message: sharedAgents(await look(interaction, query), visitor.person.id), place: 'channel' }
  }

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
      ...['agents.page.', 'agents.retry'].map((action) => ({
        action,
        needs: 'agents' as const,
        handle: (interaction: Interaction, { value }: { value?: string | undefined }) =>
          list(interaction, readAgentsQuery(value)),
      })),
      {
        action: 'agents.more',
        needs: 'agents',
        handle(interaction, { block_id, selected_option }) {
          const query = readAgentsQuery(/^agents\.more\|[\w-]*\|(.*)$/s.exec(block_id)?.[1])
          return selected_option?.value === 'share' ? share(interaction, query) : list(interaction, query)
        },
      },
      {
        action: 'agents.details',
        needs: 'agents',
        async openModal({ tenant, channel, visitor }, { value }) {
          const id = readAgentId(value)
          const agent = (await agents.list(await workspace.account(tenant))).find((one) => one.id === id)
          if (!agent) return { modal: noticeModal(gone, { title: 'Agent' }) }
          const { isAdmin } = visitor.person
          return { modal: detailsModal({ tenant: visitor.teamOf, channel, agent, isAdmin }) }
        },
      },
      {
        action: 'agents.reveal',
        needs: 'admin',
        async handle(interaction, { value }, { viewId }) {
          const { tenant, channel, visitor } = interaction
          const id = readAgentId(value)
          const agent = await agents.reveal(await workspace.account(tenant), id)
          if (viewId === undefined) return undefined
          // Noted before it is shown: whoever saw it is in the log.
          if (agent) await audit.record(interaction, 'reveal SIP password', `agent ${id}`)
          const view = agent
            ? secretsModal(agent, visitor.teamOf, channel)
            : noticeModal(gone, { title: 'Agent' })
          await modals.update(visitor.installation, viewId, view)
          return undefined
        },
      },
    ],
  }
}
