import { beyondLastText, overflow, pagingRow } from '../../slack/blocks/action.ts'
import {
  attribution,
  type Block,
  context,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { withAgentMenu } from '../../slack/blocks/links.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { removeRow, type Sharer, shareButtons } from '../../slack/deliver/sharing.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import { type AgentsQuery, agentsActions, agentsMore } from './query.ts'
import { lineOf, matchText, nameOf, nobodyMessage } from './words.ts'

export interface AgentsView {
  readonly query: AgentsQuery
  /** Everyone whom the query finds, on all pages. */
  readonly agents: readonly AgentSummary[]
  /** Makes block ids fresh. */
  readonly nonce: string
  /** As its button says it; `undefined` where it can't be shared. */
  readonly sharePlace?: string | undefined
}

export const perPage = 10

/** Those on the query's page. */
export const pageOf = ({ query: { page }, agents }: AgentsView): readonly AgentSummary[] =>
  agents.slice((page - 1) * perPage, page * perPage)

/** The `/agents` answer. Pure. */
export function agentsAnswer(view: AgentsView): Answer {
  const { query, agents, nonce, sharePlace } = view
  if (agents.length === 0) return { message: nobodyMessage(query.name) }
  const page = pageOf(view)
  const last = Math.ceil(agents.length / perPage)
  const next = query.page < last ? query.page + 1 : undefined
  const valueFor = (number: number) => ({ ...query, page: number })
  const paging = pagingRow({ action: agentsActions.page, page: query.page, last, next, valueFor, nonce })
  const count = matchText(agents.length, query.name, last > 1)
  const head = [header('Agents'), ...(count === undefined ? [] : [context(count)])]
  if (page.length === 0) {
    const text = beyondLastText(last)
    return { message: { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] } }
  }
  const before = (query.page - 1) * perPage
  const position = `Page ${query.page} of ${last} · ${before + 1}–${before + page.length} of ${agents.length}`
  const place = last > 1 ? [position] : []
  const elements = [
    ...shareButtons((text) => agentsActions.share.button(text, query), {
      noun: 'agent',
      count: page.length,
      sharePlace,
    }),
    overflow([agentsActions.refresh, 'Refresh']),
  ]
  const menu: Block = { type: 'actions', block_id: agentsMore.blockId(query, nonce), elements }
  const names = page.map(nameOf).map(escapeText).join(', ')
  const text = ['Agents', ...(count === undefined ? [] : [count]), ...place, names].join('. ')
  /** @param longest what a value of the service is cut to */
  const withRows = (longest: number): Message => {
    const rows = page.map((agent, index) => ({
      ...section(lineOf(agent, longest)),
      ...withAgentMenu(agent, `${nonce}-${index}`),
    }))
    return { text, blocks: [...head, ...rows, ...place.map(context), ...paging, menu] }
  }
  return { message: withRows(60), otherwise: [() => withRows(25), () => withRows(10)] }
}

/** The page as Slackbot shows it. Pure. @param paging buttons that call the tool again */
export function agentsForSlackbot(view: AgentsView, paging: readonly Block[]): Message {
  const { query, agents } = view
  const page = pageOf(view)
  if (page.length === 0)
    return agents.length === 0
      ? { text: nobodyMessage(query.name).text }
      : { text: beyondLastText(Math.ceil(agents.length / perPage)) }
  const rows = page.map((agent) => section(lineOf(agent)))
  const text = `Agents: ${page.map(nameOf).map(escapeText).join(', ')}`
  return { text, blocks: [header('Agents'), ...rows, ...paging] }
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
