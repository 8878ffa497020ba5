import { beyondLastText, overflow, pagingRow } from '../../slack/blocks/action.ts'
import {
  actionRow,
  attribution,
  type Block,
  context,
  cut,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { withAgentMenu } from '../../slack/blocks/links.ts'
import { removeRow, type Sharer, shareButtons } from '../../slack/blocks/share-buttons.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Raw } from '../../telephony/types.ts'
import { AGENTS_PER_PAGE, type AgentsQuery, agentsActions, agentsMore, allAgentsButton } from './command.ts'

export interface AgentsView {
  readonly query: AgentsQuery
  /** Everyone whom the query finds, on all pages. */
  readonly agents: readonly AgentSummary[]
  /** Makes block ids fresh. */
  readonly nonce: string
  /** As Slack's payload names the channel. */
  readonly channelName?: string | undefined
}

export const onOff = (flag: boolean | Raw): string =>
  typeof flag === 'boolean' ? (flag ? 'on' : 'off') : cut(flag.raw || '–', 40)
/** Short enough for ten agents to fit one message, whatever the service holds. */
export const nameOf = ({ name, id }: Pick<AgentSummary, 'name' | 'id'>): string =>
  cut(name === '' ? id : name, 60)

/** In one line: name, number and login; the rest is in Details. @param longest what a value of the service is cut to */
function lineOf(agent: AgentSummary, longest = 60): string {
  const facts = [cut(agent.callerId, Math.min(40, longest)), cut(agent.sipLogin, longest)]
  const name = `*${escapeText(cut(nameOf(agent), longest))}*`
  return [name, ...facts.filter((fact) => fact !== '').map(escapeText)].join(' · ')
}

/** An agent's line, with the menu at its side. */
const agentBlock = (agent: AgentSummary, nonce: string, longest: number): Block => ({
  ...section(lineOf(agent, longest)),
  ...withAgentMenu(agent, nonce),
})

/** Those on the query's page. */
export function pageOf({ query, agents }: Pick<AgentsView, 'query' | 'agents'>): readonly AgentSummary[] {
  const start = (query.page - 1) * AGENTS_PER_PAGE
  return agents.slice(start, start + AGENTS_PER_PAGE)
}

/** `3 agents match "anna"`, and of a list that is not paged `3 agents`; nothing where its place says enough. */
function countText(count: number, name: string, isPaged: boolean): string | undefined {
  const counted = count === 1 ? '1 agent' : `${count} agents`
  if (name !== '') return escapeText(`${counted} ${count === 1 ? 'matches' : 'match'} "${name}"`)
  return isPaged ? undefined : counted
}

function nobodyMessage(name: string): Message {
  const text = name === '' ? 'This phone account has no agents.' : escapeText(`No agent matches "${name}".`)
  return { text, blocks: [section(text), ...actionRow(name === '' ? [] : [allAgentsButton])] }
}

/** The `/agents` answer. Pure. */
export function agentsAnswer(view: AgentsView): Answer {
  const { query, agents, nonce } = view
  if (agents.length === 0) return { message: nobodyMessage(query.name) }
  const page = pageOf(view)
  const last = Math.ceil(agents.length / AGENTS_PER_PAGE)
  const next = query.page < last ? query.page + 1 : undefined
  const valueFor = (number: number) => ({ ...query, page: number })
  const paging = pagingRow({ action: agentsActions.page, page: query.page, last, next, valueFor, nonce })
  const isPaged = last > 1
  const count = countText(agents.length, query.name, isPaged)
  const head = [header('Agents'), ...(count === undefined ? [] : [context(count)])]
  if (page.length === 0) {
    const text = beyondLastText(last)
    return { message: { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] } }
  }
  const before = (query.page - 1) * AGENTS_PER_PAGE
  const position = `Page ${query.page} of ${last} · ${before + 1}–${before + page.length} of ${agents.length}`
  const place = isPaged ? [position] : []
  const rows = (longest: number) =>
    page.map((agent, index) => agentBlock(agent, `${nonce}-${index}`, longest))
  const sharePage = { noun: 'agent', count: page.length, channelName: view.channelName } as const
  const elements = [
    ...shareButtons((text) => agentsActions.share.button(text, query), sharePage),
    overflow([agentsActions.refresh, 'Refresh']),
  ]
  const menu: Block = { type: 'actions', block_id: agentsMore.blockId(query, nonce), elements }
  const names = page.map(nameOf).map(escapeText).join(', ')
  const text = ['Agents', ...(count === undefined ? [] : [count]), ...place, names].join('. ')
  const withRows = (longest: number): Message => ({
    text,
    blocks: [...head, ...rows(longest), ...place.map(context), ...paging, menu],
  })
  return { message: withRows(60), otherwise: [() => withRows(25), () => withRows(10)] }
}

/** The page, for everyone in the channel. @param by who shares it. Pure. */
export function sharedAgents(view: AgentsView, by: Sharer): Message {
  const page = pageOf(view)
  const rows = page.map((agent) => section(lineOf(agent)))
  return {
    text: `Agents: ${page.map(nameOf).map(escapeText).join(', ') || 'none'}`,
    blocks: [header('Agents'), ...rows, attribution(by.name, 'Shared'), removeRow(by.id)],
  }
}
