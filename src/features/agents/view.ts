import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import {
  type Block,
  button,
  context,
  cut,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { moreMenu, pagingRow } from '../../slack/blocks/list-buttons.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Raw } from '../../telephony/types.ts'
import {
  AGENTS_PER_PAGE,
  type AgentsQuery,
  writeAgentId,
  writeAgentsMenuQuery,
  writeAgentsQuery,
} from './query.ts'

export interface AgentsView {
  readonly query: AgentsQuery
  /** Everyone whom the query finds, on all pages. */
  readonly agents: readonly AgentSummary[]
  /** Makes block ids fresh. */
  readonly nonce: string
}

export const onOff = (flag: boolean | Raw): string =>
  typeof flag === 'boolean' ? (flag ? 'on' : 'off') : cut(flag.raw || '–', 40)
/** Short enough for ten agents to fit one message, whatever the service holds. */
export const nameOf = ({ name, id }: Pick<AgentSummary, 'name' | 'id'>): string =>
  cut(name === '' ? id : name, 60)

function factsOf(agent: AgentSummary): string {
  const facts = [
    `Caller ID ${cut(agent.callerId || '–', 40)}`,
    `SIP login ${cut(agent.sipLogin || '–', 60)}`,
    `IP restriction ${onOff(agent.ipRestriction)}`,
    `Follow-me ${onOff(agent.followMe)}`,
  ]
  return `*${escapeText(nameOf(agent))}*\n${escapeText(facts.join(' · '))}`
}

function agentBlocks(agent: AgentSummary, index: number, nonce: string): Block[] {
  const { id } = agent
  const ofAgent = JSON.stringify({ agentId: id.slice(0, 40) })
  return [
    section(factsOf(agent)),
    {
      type: 'actions',
      block_id: `agents.row|${nonce}|${index}`,
      elements: [
        button(ACTIONS.callsOfAgent, 'Calls', ofAgent),
        button(ACTIONS.agentsDetails, 'Details', writeAgentId(id)),
      ],
    },
  ]
}

const lastOf = ({ agents }: AgentsView) => Math.max(1, Math.ceil(agents.length / AGENTS_PER_PAGE))
const startOf = ({ query }: AgentsView) => (query.page - 1) * AGENTS_PER_PAGE
const pageOf = (view: AgentsView) => view.agents.slice(startOf(view), startOf(view) + AGENTS_PER_PAGE)

function nothing({ query, agents }: AgentsView, last: number): string {
  if (agents.length > 0)
    return `There is no page ${query.page}: the list has ${last === 1 ? 'one page' : `${last} pages`}.`
  return query.name === ''
    ? 'This account has no agents.'
    : `No agent is called "${escapeText(query.name)}". \`/agents\` lists all of them.`
}

/** The `/agents` message. Pure. */
export function agentsMessage(view: AgentsView): Message {
  const { query, agents, nonce } = view
  const [last, start, page] = [lastOf(view), startOf(view), pageOf(view)]
  const paging = pagingRow({
    action: ACTIONS.agentsPage,
    page: query.page,
    last,
    next: query.page < last ? query.page + 1 : undefined,
    valueFor: (number) => writeAgentsQuery({ ...query, page: number }),
    nonce,
  })
  const head = [
    header('Agents'),
    ...(query.name === '' ? [] : [context(escapeText(`Called "${query.name}"`))]),
  ]
  if (page.length === 0) {
    const text = nothing(view, last)
    return { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] }
  }
  const place = `Page ${query.page} of ${last} · ${start + 1}–${start + page.length} of ${agents.length}`
  const rows = page.flatMap((agent, index) => agentBlocks(agent, index, nonce))
  const menu: Block = {
    type: 'actions',
    block_id: writeAgentsMenuQuery(query, nonce),
    elements: [moreMenu(ACTIONS.agentsMore)],
  }
  const text = `Agents. ${place}. ${page.map(nameOf).map(escapeText).join(', ')}`
  return { text, blocks: [...head, ...rows, context(place), ...paging, menu] }
}

/** The page alone, for everyone in the channel. Pure. */
export function sharedAgents(view: AgentsView, user: string): Message {
  const page = pageOf(view)
  const text = `Agents: ${page.map(nameOf).map(escapeText).join(', ') || 'none'}`
  return {
    text,
    blocks: [header('Agents'), ...page.map((agent) => section(factsOf(agent))), attribution(user, 'Shared')],
  }
}
