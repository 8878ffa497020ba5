import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import {
  type Block,
  button,
  context,
  cut,
  escapeText,
  header,
  LIMITS,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { beyondLastText, moreMenu, pagingRow, writeMenuBlockId } from '../../slack/blocks/list-buttons.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
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
  const elements = [
    button(ACTIONS.callsOfAgent, 'Calls', JSON.stringify({ agentId: agent.id.slice(0, LIMITS.agentId) })),
    button(ACTIONS.agentsDetails, 'Details', writeAgentId(agent.id)),
  ]
  return [section(factsOf(agent)), { type: 'actions', block_id: `agents.row|${nonce}|${index}`, elements }]
}

function pageOf({ query, agents }: AgentsView): readonly AgentSummary[] {
  const start = (query.page - 1) * AGENTS_PER_PAGE
  return agents.slice(start, start + AGENTS_PER_PAGE)
}

function emptyText({ query, agents }: AgentsView, last: number): string {
  if (agents.length > 0) return beyondLastText(query.page, last)
  return query.name === ''
    ? 'This account has no agents.'
    : `No agent is called "${escapeText(query.name)}". \`/agents\` lists all of them.`
}

/** The `/agents` message. Pure. */
export function agentsMessage(view: AgentsView): Message {
  const { query, agents, nonce } = view
  const page = pageOf(view)
  const last = Math.max(1, Math.ceil(agents.length / AGENTS_PER_PAGE))
  const next = query.page < last ? query.page + 1 : undefined
  const valueFor = (number: number) => writeAgentsQuery({ ...query, page: number })
  const paging = pagingRow({ action: ACTIONS.agentsPage, page: query.page, last, next, valueFor, nonce })
  const head = [
    header('Agents'),
    ...(query.name === '' ? [] : [context(escapeText(`Called "${query.name}"`))]),
  ]
  if (page.length === 0) {
    const text = emptyText(view, last)
    return { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] }
  }
  const before = (query.page - 1) * AGENTS_PER_PAGE
  const place = `Page ${query.page} of ${last} · ${before + 1}–${before + page.length} of ${agents.length}`
  const rows = page.flatMap((agent, index) => agentBlocks(agent, index, nonce))
  const elements = [moreMenu(ACTIONS.agentsMore)]
  const menu: Block = {
    type: 'actions',
    block_id: writeMenuBlockId(ACTIONS.agentsMore, nonce, writeAgentsQuery(query)),
    elements,
  }
  const text = `Agents. ${place}. ${page.map(nameOf).map(escapeText).join(', ')}`
  return { text, blocks: [...head, ...rows, context(place), ...paging, menu] }
}

/** The page alone, for everyone in the channel. @param name of who shares it. Pure. */
export function sharedAgents(view: AgentsView, name: string): Message {
  const page = pageOf(view)
  const rows = page.map((agent) => section(factsOf(agent)))
  return {
    text: `Agents: ${page.map(nameOf).map(escapeText).join(', ') || 'none'}`,
    blocks: [header('Agents'), ...rows, attribution(name, 'Shared')],
  }
}
