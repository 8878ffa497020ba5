import type { types } from '@slack/bolt'
import {
  beyondLastText,
  commandButton,
  modal,
  pagingRow,
  problemMessage,
  type ViewOrigin,
} from '../../slack/blocks/action.ts'
import {
  actionRow,
  attribution,
  type Block,
  confirmation,
  context,
  cut,
  escapeText,
  header,
  LIMITS,
  type Message,
  richLink,
  section,
} from '../../slack/blocks/blocks.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import type { Answer } from '../../slack/deliver/replies.ts'
import { type AgentSummary, MAX_AGENTS } from '../../telephony/account-cache.ts'
import type { Raw } from '../../telephony/types.ts'
import type { Agent } from '../../telephony/wire.ts'
import { formatNumber, nearestWord } from '../../util/text.ts'
import { withAgentMenu } from '../calls/query.ts'
import { removeRow, type Sharer, shareButtons } from '../calls/sharing.ts'
import { type AgentsQuery, agentsActions } from './query.ts'

/** Returns the name, short enough for ten agents to fit a message. */
const formatName = ({ name, id }: Pick<AgentSummary, 'name' | 'id'>): string =>
  cut(name === '' ? id : name, 60)

const onOff = (flag: boolean | Raw): string =>
  typeof flag === 'boolean' ? (flag ? 'on' : 'off') : cut(flag.raw || '–', 40)

/** Returns name, number and login in mrkdwn. @param maxLength of each value */
function formatAgent(agent: AgentSummary, maxLength = 60): string {
  const facts = [cut(agent.callerId, Math.min(40, maxLength)), cut(agent.sipLogin, maxLength)]
  const name = `*${escapeText(cut(formatName(agent), maxLength))}*`
  return [name, ...facts.filter((fact) => fact !== '').map(escapeText)].join(' · ')
}

/** Returns `3 agents match "anna"` or `3 agents` in mrkdwn; empty for pages of all agents, which show their position. */
function matchText(count: number, name: string, isPaged: boolean): string | undefined {
  const counted = count === 1 ? '1 agent' : `${formatNumber(count)} agents`
  if (name !== '') return escapeText(`${counted} ${count === 1 ? 'matches' : 'match'} "${name}"`)
  return isPaged ? undefined : counted
}

export const describeAgents = (name: string) => (name === '' ? 'the agents' : `the agents matching "${name}"`)

const allAgentsButton = commandButton('all-agents', 'All agents', '/agents')

/** @param limit says that not all agents were searched */
function nobodyMessage(name: string, limit: string | undefined): Message {
  const none = name === '' ? 'This phone account has no agents.' : `No agent matches "${name}".`
  const command = nearestWord(name, ['help']) && '/agents help'
  const buttons = name === '' ? [] : [allAgentsButton]
  return problemMessage(limit === undefined ? none : `${none} ${limit}`, { command, buttons })
}

const agentExamples = [
  ['/agents', 'all agents, ten to a page', allAgentsButton],
  ['/agents anna', 'agents with "anna" in their name', commandButton('anna', 'Find anna', '/agents anna')],
  ['/agents page:2', 'another page', commandButton('page-2', 'Show page 2', '/agents page:2')],
] as const

const ABOUT_AGENTS = 'Find an agent, their calls and their SIP login.'

export const agentsHelp: Message = {
  text: `Agents. ${ABOUT_AGENTS}`,
  blocks: [
    header('Agents'),
    section(ABOUT_AGENTS),
    ...agentExamples.map(([command, about, accessory]) => ({
      ...section(`\`${command}\` – ${about}`),
      accessory,
    })),
    context(
      "In the menu beside an agent, *Calls* shows the agent's calls and *Details* the SIP login. Administrators can see the SIP password there.",
    ),
  ],
}

/** @param suggested words that were probably meant */
export const explainWords = (problem: string, suggested: string | undefined): Message =>
  problemMessage(problem, {
    command: suggested === undefined ? undefined : `/agents ${suggested}`.trim(),
    buttons: [allAgentsButton, commandButton('help', 'Help', '/agents help')],
  })

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
const limitText = ({ total }: Pick<AgentsView, 'total'>): string | undefined =>
  total > MAX_AGENTS
    ? `Only the first ${formatNumber(MAX_AGENTS)} of ${formatNumber(total)} agents are shown and searched.`
    : undefined

const namesText = (page: readonly AgentSummary[]) => page.map(formatName).map(escapeText).join(', ')

function agentsPosition({ query, page, count }: AgentsView): string | undefined {
  const last = countPages({ count })
  if (last === 1) return undefined
  const before = (query.page - 1) * AGENTS_PER_PAGE
  const [first, end] = [before + 1, before + page.length].map(formatNumber)
  const rows = first === end ? first : `${first}–${end}`
  return `Page ${formatNumber(query.page)} of ${formatNumber(last)} · ${rows} of ${formatNumber(count)}`
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
  const share = agentsActions.share.button('Share…', query)
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

const agentModal = (
  agent: Pick<AgentSummary, 'id' | 'name'>,
  blocks: types.KnownBlock[],
  origin: ViewOrigin,
) =>
  modal({
    id: 'agents.details',
    origin,
    title: formatName(agent).slice(0, LIMITS.modalTitle) || 'Agent',
    blocks,
  })

export const notFound = noticeModal("This agent isn't in the phone account any more.", { title: 'Agent' })

/** Shows the details of an agent, and to administrators a button for the SIP password. */
export function detailsModal(agent: AgentSummary, isAdmin: boolean, origin: ViewOrigin): types.ModalView {
  const facts = [
    ['ID', agent.id],
    ['Caller ID', agent.callerId],
    ['SIP login', agent.sipLogin],
    ['IP restriction', onOff(agent.ipRestriction)],
    ['Follow-me', onOff(agent.followMe)],
  ]
  const reveal = {
    ...agentsActions.reveal.button('Show SIP password', { id: agent.id }),
    confirm: confirmation(
      `Show ${formatName(agent)}'s SIP password?`,
      'Only you see it. The audit log records that you looked.',
      'Show password',
      'Cancel',
    ),
  }
  const lines = facts.map(([name, value]) => `*${name}*: ${escapeText((value || '–').slice(0, 300))}`)
  return agentModal(
    agent,
    [
      section(lines.join('\n')),
      ...(isAdmin ? actionRow([reveal]) : [context('Administrators can see the SIP password here.')]),
    ],
    origin,
  )
}

/**
 * Shows the password and the link of the webphone. It has no interactive elements: a click would send the whole view, and
 * with it the password, back through Slack.
 */
export function secretsModal(agent: Agent, origin: ViewOrigin): types.ModalView {
  const isLink =
    URL.canParse(agent.webphone) && /^https?:/.test(agent.webphone) && agent.webphone.length <= LIMITS.url
  const what = isLink ? 'this password or link' : 'this password'
  return agentModal(
    agent,
    [
      section(`*SIP login*: ${escapeText(agent.sipLogin.slice(0, 300) || '–')}`),
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'SIP password' }] },
          {
            type: 'rich_text_preformatted',
            elements: [{ type: 'text', text: agent.sipPassword.slice(0, 1000) || '–' }],
          },
        ],
      },
      ...(isLink ? [richLink('Open the webphone', agent.webphone)] : []),
      context(
        escapeText(`Anyone with ${what} can make calls as ${formatName(agent)}. Close this when done.`),
      ),
    ],
    origin,
  )
}
