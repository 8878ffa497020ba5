import type { types } from '@slack/bolt'
import { withAgentMenu } from '../../query/menus.ts'
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
  noteBlock,
  richLink,
  section,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import { problemMessage } from '../../slack/blocks/problem-message.ts'
import type { ViewOrigin } from '../../slack/blocks/view-metadata.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import type { AgentSummary } from '../../telephony/account-cache.ts'
import { AgentLabels, hasId } from '../../telephony/agent-labels.ts'
import type { Raw } from '../../telephony/types.ts'
import type { Agent } from '../../telephony/wire.ts'
import { beyondLastText, countPages, type Pages, positionText } from '../../util/paging.ts'
import { countNoun, isExactLink, takeStart } from '../../util/text.ts'
import { removeRow, type Sharer, shareButtons } from '../calls/sharing.ts'
import { type AgentsQuery, agentsActions } from './actions.ts'

/** Cuts long names, so that ten agents fit in a message. */
const formatName = (agent: Pick<AgentSummary, 'name' | 'id'>, labels = new AgentLabels([agent])): string =>
  cut(labels.get(agent), 60)

const onOff = (flag: boolean | Raw): string =>
  typeof flag === 'boolean' ? (flag ? 'on' : 'off') : cut(flag.raw || '–', 40)

function formatAgent(agent: AgentSummary, labels: AgentLabels): string {
  const name = `*${escapeText(formatName(agent, labels))}*`
  return agent.callerId === '' ? name : `${name} · ${escapeText(cut(agent.callerId, 40))}`
}

export const describeAgents = (name: string) => (name === '' ? 'the agents' : `the agents matching "${name}"`)

const allAgentsButton = commandButton('all-agents', 'All agents', '/agents')

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

export const explainWords = (problem: string, suggested?: string): Message =>
  problemMessage(problem, {
    command: suggested === undefined ? undefined : `/agents ${suggested}`.trim(),
    buttons: [allAgentsButton, commandButton('help', 'Help', '/agents help')],
  })

export interface AgentsView {
  readonly query: AgentsQuery
  readonly page: readonly AgentSummary[]
  /** Matching agents on all pages. */
  readonly count: number
  /** Makes block ids unique. */
  readonly nonce: string
}

export const AGENTS_PER_PAGE = 10

export const countAgentPages = ({ query, page, count }: AgentsView): Pages =>
  countPages({ page: query.page, perPage: AGENTS_PER_PAGE, rowCount: page.length, total: count })

/** `14 agents`, `3 agents match "anna"`. Not escaped. */
function describeMatches({ query, count }: AgentsView): string {
  const counted = countNoun(count, 'agent')
  if (query.name === '') return counted
  return `${counted} ${count === 1 ? 'matches' : 'match'} "${query.name}"`
}

/** Undefined if one page has them all. */
function describePosition(view: AgentsView): string | undefined {
  const pages = countAgentPages(view)
  return view.page.length === 0 ? beyondLastText(pages.last ?? 1) : positionText(pages)
}

/** @param below buttons or an attribution */
function renderAgents(
  view: AgentsView,
  toRow: (agent: AgentSummary, index: number, labels: AgentLabels) => Block,
  below: readonly Block[],
): Message {
  const title = describeMatches(view)
  const position = describePosition(view)
  const labels = new AgentLabels(view.page)
  const names = view.page.map((agent) => formatName(agent, labels)).join(', ')
  const intro = position === undefined ? title : `${title}. ${position}`
  const blocks = [header(title)]
  if (position !== undefined) blocks.push(noteBlock(position))
  for (const [index, agent] of view.page.entries()) blocks.push(toRow(agent, index, labels))
  blocks.push(...below)
  return { text: escapeText(names === '' ? intro : `${intro}: ${names}`), blocks }
}

const toPlainRow = (agent: AgentSummary, _index: number, labels: AgentLabels): Block =>
  section(formatAgent(agent, labels))

/** @param shareLabel undefined if the list can't be shared */
export function personalAgents(view: AgentsView, shareLabel: string | undefined): Message {
  const { query, page, count, nonce } = view
  if (count === 0)
    return explainWords(
      query.name === '' ? 'This phone account has no agents.' : `No agent matches "${query.name}".`,
    )
  const valueFor = (number: number) => ({ ...query, page: number })
  const paging = pagingRow({ action: agentsActions.page, ...countAgentPages(view), valueFor, nonce })
  const share = agentsActions.share.button('Share…', query)
  const sharing =
    page.length === 0 ? [] : shareButtons(share, { noun: 'agent', count: page.length, shareLabel })
  const toRow = (agent: AgentSummary, index: number, labels: AgentLabels) => {
    const row = section(formatAgent(agent, labels))
    return hasId(agent) ? { ...row, ...withAgentMenu(agent, `${nonce}-${index}`) } : row
  }
  return renderAgents(view, toRow, [...paging, ...actionRow(sharing)])
}

/** @param paging buttons that call the tool again */
export const agentsForSlackbot = (view: AgentsView, paging: readonly Block[]): Message =>
  view.count === 0 ? { text: personalAgents(view, undefined).text } : renderAgents(view, toPlainRow, paging)

export const sharedAgents = (view: AgentsView, by: Sharer): Message =>
  renderAgents(view, toPlainRow, [attribution(by.name, 'Shared'), removeRow(by.id)])

const agentModal = (
  agent: Pick<AgentSummary, 'id' | 'name'>,
  blocks: types.KnownBlock[],
  origin: ViewOrigin,
) =>
  modal({
    id: 'agents.details',
    origin,
    title: formatName(agent) || 'Agent',
    blocks,
  })

export const notFound = messageModal("This agent isn't in the phone account any more.", { title: 'Agent' })

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
  const lines = facts.map(([name, value]) => `*${name}*: ${escapeText(cut(value || '–', 300))}`)
  return agentModal(
    agent,
    [
      section(lines.join('\n')),
      ...(isAdmin ? actionRow([reveal]) : [context('Administrators can see the SIP password here.')]),
    ],
    origin,
  )
}

/** Has no interactive elements, because a click would send the whole view, and the password in it, through Slack. */
export function secretsModal(agent: Agent, origin: ViewOrigin): types.ModalView {
  const isLink = isExactLink(agent.webphone) && agent.webphone.length <= LIMITS.url
  const what = isLink ? 'this password or link' : 'this password'
  return agentModal(
    agent,
    [
      section(`*SIP login*: ${escapeText(cut(agent.sipLogin || '–', 300))}`),
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'SIP password' }] },
          {
            type: 'rich_text_preformatted',
            elements: [{ type: 'text', text: takeStart(agent.sipPassword, 1000) || '–' }],
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
