import {
  attribution,
  type Block,
  button,
  context,
  escapeText,
  header,
  LIMITS,
  type Message,
  plain,
  section,
} from '../slack/blocks.ts'
import type { AgentSummary } from '../telephony/agent-list.ts'
import type { Raw } from '../telephony/types.ts'
import { AGENTS_PER_PAGE, type AgentsQuery, writeAgentId, writeAgentsQuery } from './query.ts'

export interface AgentsView {
  readonly query: AgentsQuery
  /** Everyone whom the query finds, on all pages. */
  readonly agents: readonly AgentSummary[]
  /** Makes block ids fresh. */
  readonly nonce: string
}

export const onOff = (flag: boolean | Raw): string =>
  typeof flag === 'boolean' ? (flag ? 'on' : 'off') : flag.raw || '–'
export const nameOf = ({ name, id }: Pick<AgentSummary, 'name' | 'id'>): string => (name === '' ? id : name)

function factsOf(agent: AgentSummary): string {
  const facts = [
    `Caller ID ${agent.callerId || '–'}`,
    `SIP login ${agent.sipLogin.slice(0, 100) || '–'}`,
    `IP restriction ${onOff(agent.ipRestriction)}`,
    `Follow-me ${onOff(agent.followMe)}`,
  ]
  return `*${escapeText(nameOf(agent))}*\n${escapeText(facts.join(' · '))}`
}

function agentBlocks(agent: AgentSummary, index: number, nonce: string): Block[] {
  const { id } = agent
  const ofAgent = JSON.stringify({ agentId: id.slice(0, 40), agentName: nameOf(agent).slice(0, 75) })
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

function pagingButtons(query: AgentsQuery, last: number, nonce: string): Block[] {
  const { page } = query
  const to = (name: string, text: string, number: number) =>
    button(`agents.page.${name}`, text, writeAgentsQuery({ ...query, page: number }))
  const elements = [
    ...(page > 1 ? [to('first', 'First', 1), to('previous', 'Previous', Math.min(page - 1, last))] : []),
    ...(page < last ? [to('next', 'Next', page + 1), to('last', 'Last', last)] : []),
  ]
  return elements.length > 0 ? [{ type: 'actions', block_id: `agents.paging|${nonce}`, elements }] : []
}

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
  const last = Math.max(1, Math.ceil(agents.length / AGENTS_PER_PAGE))
  const start = (query.page - 1) * AGENTS_PER_PAGE
  const shown = agents.slice(start, start + AGENTS_PER_PAGE)
  const paging = pagingButtons(query, last, nonce)
  const head = [
    header('Agents'),
    ...(query.name === '' ? [] : [context(escapeText(`Called "${query.name}"`))]),
  ]
  const more: Block = {
    type: 'actions',
    block_id: `agents.more|${nonce}`,
    elements: [
      {
        type: 'overflow',
        action_id: 'agents.more',
        options: [
          { text: plain('Refresh', LIMITS.optionText), value: 'refresh' },
          { text: plain('Share in this channel', LIMITS.optionText), value: 'share' },
        ],
      },
    ],
  }
  if (shown.length === 0) {
    const text = nothing(view, last)
    return { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] }
  }
  const place = `Page ${query.page} of ${last} · ${start + 1}–${start + shown.length} of ${agents.length}`
  const rows = shown.flatMap((agent, index) => agentBlocks(agent, index, nonce))
  const text = `Agents. ${place}. ${shown.map(nameOf).map(escapeText).join(', ')}`
  // The menu knows no query of its own: its page is told by its block.
  const menu: Block = {
    ...more,
    block_id: `agents.more|${nonce}|${writeAgentsQuery(query)}`.slice(0, LIMITS.blockId),
  }
  return { text, blocks: [...head, ...rows, context(place), ...paging, menu] }
}

/** The page alone, for everyone in the channel. Pure. */
export function sharedAgents(view: AgentsView, user: string): Message {
  const { query, agents } = view
  const start = (query.page - 1) * AGENTS_PER_PAGE
  const shown = agents.slice(start, start + AGENTS_PER_PAGE)
  const text = `Agents: ${shown.map(nameOf).map(escapeText).join(', ') || 'none'}`
  return {
    text,
    blocks: [header('Agents'), ...shown.map((agent) => section(factsOf(agent))), attribution(user, 'Shared')],
  }
}
