import type { Answer } from '../../slack/answers/answer.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import { agentMenu } from '../../slack/blocks/agent-menu.ts'
import {
  type Block,
  context,
  cut,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { beyondLastText, moreMenu, pagingRow, writeMenuBlockId } from '../../slack/blocks/list-buttons.ts'
import { removeRow, type Sharer, shareButton } from '../../slack/blocks/share-buttons.ts'
import { attribution } from '../../slack/blocks/shared-blocks.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Raw } from '../../telephony/types.ts'
import { AGENTS_PER_PAGE, type AgentsQuery, writeAgentsQuery } from './query.ts'

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

/** @param longest what a value of the service is cut to */
function factsOf(agent: AgentSummary, longest = 60): string {
  const facts = [
    `Caller ID ${cut(agent.callerId || '–', Math.min(40, longest))}`,
    `SIP login ${cut(agent.sipLogin || '–', longest)}`,
    `IP restriction ${onOff(agent.ipRestriction)}`,
    `Follow-me ${onOff(agent.followMe)}`,
  ]
  return `*${escapeText(cut(nameOf(agent), longest))}*\n${escapeText(facts.join(' · '))}`
}

/** Name and facts, with the menu at their side. */
function agentBlock(agent: AgentSummary, nonce: string, longest: number): Block {
  const text = { type: 'mrkdwn', text: factsOf(agent, longest) } as const
  return { type: 'section', text, ...agentMenu(agent, nonce) }
}

function pageOf({ query, agents }: AgentsView): readonly AgentSummary[] {
  const start = (query.page - 1) * AGENTS_PER_PAGE
  return agents.slice(start, start + AGENTS_PER_PAGE)
}

function emptyText({ query, agents }: AgentsView, last: number): string {
  if (agents.length > 0) return beyondLastText(last)
  return query.name === ''
    ? 'This account has no agents.'
    : `No agent is called "${escapeText(query.name)}". \`/agents\` lists all of them.`
}

/** The `/agents` answer. Pure. */
export function agentsAnswer(view: AgentsView): Answer {
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
    return { message: { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] } }
  }
  const before = (query.page - 1) * AGENTS_PER_PAGE
  const place = `Page ${query.page} of ${last} · ${before + 1}–${before + page.length} of ${agents.length}`
  const rows = (longest: number) =>
    page.map((agent, index) => agentBlock(agent, `${nonce}-${index}`, longest))
  const elements = [shareButton(ACTIONS.agentsShare, writeAgentsQuery(query)), moreMenu(ACTIONS.agentsMore)]
  const menu: Block = {
    type: 'actions',
    block_id: writeMenuBlockId(ACTIONS.agentsMore, nonce, writeAgentsQuery(query)),
    elements,
  }
  const text = `Agents. ${place}. ${page.map(nameOf).map(escapeText).join(', ')}`
  const withRows = (longest: number): Message => ({
    text,
    blocks: [...head, ...rows(longest), context(place), ...paging, menu],
  })
  return { message: withRows(60), shorter: [() => withRows(25), () => withRows(10)] }
}

/** The page, for everyone in the channel. @param by who shares it. Pure. */
export function sharedAgents(view: AgentsView, by: Sharer): Message {
  const page = pageOf(view)
  const rows = page.map((agent) => section(factsOf(agent)))
  return {
    text: `Agents: ${page.map(nameOf).map(escapeText).join(', ') || 'none'}`,
    blocks: [header('Agents'), ...rows, attribution(by.name, 'Shared'), removeRow(by.id)],
  }
}
