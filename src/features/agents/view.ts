import { beyondLastText, pagingRow } from '../../slack/blocks/action.ts'
import {
  actionRow,
  attribution,
  type Block,
  context,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { type AgentSummary, MAX_AGENTS } from '../../telephony/agent-list.ts'
import { numberText } from '../../util/text.ts'
import { withAgentMenu } from '../calls/query.ts'
import { removeRow, type Sharer, shareButtons } from '../calls/sharing.ts'
import { type AgentsQuery, agentsActions } from './query.ts'
import { formatAgent, formatName, matchText, nobodyMessage } from './words.ts'

export interface AgentsView {
  readonly query: AgentsQuery
  /** Agents on the page. */
  readonly page: readonly AgentSummary[]
  /** Number of agents that match, on all pages. */
  readonly count: number
  /** Number of agents in the account. */
  readonly total: number
  /** Makes block ids unique. */
  readonly nonce: string
  /** Name of the place to share in; undefined if the list can't be shared. */
  readonly sharePlace?: string | undefined
}

export const AGENTS_PER_PAGE = 10

export const countPages = ({ count }: Pick<AgentsView, 'count'>): number =>
  Math.max(1, Math.ceil(count / AGENTS_PER_PAGE))

/** Says that an account has more agents than are read. */
export const limitText = ({ total }: Pick<AgentsView, 'total'>): string | undefined =>
  total > MAX_AGENTS
    ? `Only the first ${numberText(MAX_AGENTS)} of ${numberText(total)} agents are shown and searched.`
    : undefined

const namesText = (page: readonly AgentSummary[]) => page.map(formatName).map(escapeText).join(', ')

function agentsPosition({ query, page, count }: AgentsView): string | undefined {
  const last = countPages({ count })
  if (last === 1) return undefined
  const before = (query.page - 1) * AGENTS_PER_PAGE
  const [first, end] = [before + 1, before + page.length].map(numberText)
  const rows = first === end ? first : `${first}–${end}`
  return `Page ${numberText(query.page)} of ${numberText(last)} · ${rows} of ${numberText(count)}`
}

/** Renders the list for the person who asked. */
export function agentsAnswer(view: AgentsView): Answer {
  const { query, page, count, nonce, sharePlace } = view
  const limit = limitText(view)
  if (count === 0) return { message: nobodyMessage(query.name, limit) }
  const last = countPages(view)
  const next = query.page < last ? query.page + 1 : undefined
  const valueFor = (number: number) => ({ ...query, page: number })
  const paging = pagingRow({ action: agentsActions.page, page: query.page, last, next, valueFor, nonce })
  const notes = [matchText(count, query.name, last > 1), limit].filter((note) => note !== undefined)
  const head = [header('Agents'), ...notes.map(context)]
  if (page.length === 0) {
    const text = beyondLastText(last)
    return { message: { text: `Agents: ${text}`, blocks: [...head, section(text), ...paging] } }
  }
  const position = agentsPosition(view)
  const place = position === undefined ? [] : [position]
  const share = (text: string) => agentsActions.share.button(text, query)
  const sharing = actionRow(shareButtons(share, { noun: 'agent', count: page.length, sharePlace }))
  const text = ['Agents', ...notes, ...place, namesText(page)].join('. ')
  /** @param maxLength of a value of the service */
  const withRows = (maxLength: number): Message => {
    const rows = page.map((agent, index) => ({
      ...section(formatAgent(agent, maxLength)),
      ...withAgentMenu(agent, `${nonce}-${index}`),
    }))
    return { text, blocks: [...head, ...rows, ...place.map(context), ...paging, ...sharing] }
  }
  return { message: withRows(60), otherwise: [() => withRows(10)] }
}

/** Renders the list for Slackbot. @param paging buttons that call the tool again */
export function agentsForSlackbot(view: AgentsView, paging: readonly Block[]): Message {
  const { query, page, count } = view
  if (count === 0) return { text: nobodyMessage(query.name, limitText(view)).text }
  if (page.length === 0) return { text: beyondLastText(countPages(view)) }
  const rows = page.map((agent) => section(formatAgent(agent)))
  const notes = [agentsPosition(view), limitText(view)].filter((note) => note !== undefined)
  const blocks = [header('Agents'), ...rows, ...notes.map(context), ...paging]
  return { text: `Agents: ${namesText(page)}`, blocks }
}

/** Renders the list for a channel. @param by the person who shares it */
export function sharedAgents({ page }: AgentsView, by: Sharer): Message {
  const rows = page.map((agent) => section(formatAgent(agent)))
  return {
    text: `Agents: ${namesText(page) || 'none'}`,
    blocks: [header('Agents'), ...rows, attribution(by.name, 'Shared'), removeRow(by.id)],
  }
}
