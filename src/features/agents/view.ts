import {
  attribution,
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
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Raw } from '../../telephony/types.ts'
import { AGENTS_PER_PAGE, type AgentsQuery, writeAgentId, writeAgentsQuery } from './query.ts'

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
        button('calls.of-agent', 'Calls', ofAgent),
        button('agents.details', 'Details', writeAgentId(id)),
      ],
    },
  ]
}

const lastOf = ({ agents }: AgentsView) => Math.max(1, Math.ceil(agents.length / AGENTS_PER_PAGE))
const startOf = ({ query }: AgentsView) => (query.page - 1) * AGENTS_PER_PAGE
const shownOf = (view: AgentsView) => view.agents.slice(startOf(view), startOf(view) + AGENTS_PER_PAGE)

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
  const [last, start, shown] = [lastOf(view), startOf(view), shownOf(view)]
  const paging = pagingRow({
    feature: 'agents',
    page: query.page,
    last,
    next: query.page < last ? query.page + 1 : undefined,
    valueFor: (page) => writeAgentsQuery({ ...query, page }),
    nonce,
  })
  const head = [
    header('Agents'),
    ...(query.name === '' ? [] : [context(escapeText(`Called "${query.name}"`))]),
  ]
  if (shown.length === 0) {
    const text = nothing(view, last)
    return { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] }
  }
  const place = `Page ${query.page} of ${last} · ${start + 1}–${start + shown.length} of ${agents.length}`
  const rows = shown.flatMap((agent, index) => agentBlocks(agent, index, nonce))
  const menu: Block = {
    type: 'actions',
    block_id: `agents.more|${nonce}|${writeAgentsQuery(query)}`,
    elements: [moreMenu('agents')],
  }
  const text = `Agents. ${place}. ${shown.map(nameOf).map(escapeText).join(', ')}`
  return { text, blocks: [...head, ...rows, context(place), ...paging, menu] }
}

/** The page alone, for everyone in the channel. Pure. */
export function sharedAgents(view: AgentsView, user: string): Message {
  const shown = shownOf(view)
  const text = `Agents: ${shown.map(nameOf).map(escapeText).join(', ') || 'none'}`
  return {
    text,
    blocks: [header('Agents'), ...shown.map((agent) => section(factsOf(agent))), attribution(user, 'Shared')],
  }
}
