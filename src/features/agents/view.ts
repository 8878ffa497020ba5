import type { types } from '@slack/bolt'
import { toMenuAgentId } from '../../query/fields.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton, problemMessage } from '../../slack/blocks/buttons.ts'
import { modal, type ViewOrigin } from '../../slack/blocks/modal.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import * as tables from '../../slack/blocks/tables.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { AgentLabels, hasId } from '../../telephony/agent-labels.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatOrRaw } from '../../telephony/types.ts'
import type { Agent } from '../../telephony/wire.ts'
import { type Paginated, positionText } from '../../util/paging.ts'
import { countNoun, isExactLink, takeStart } from '../../util/text.ts'
import { shareButtons } from '../calls/sharing.ts'
import { type AgentsQuery, agentCallsAction, agentsActions } from './actions.ts'

/** Ten agents with longer names wouldn't fit a message. */
const MAX_SHOWN_NAME = 60

/** @param labels of all agents that are shown, because names may repeat */
const formatName = (agent: Pick<AgentSummary, 'name' | 'id'>, labels = new AgentLabels([agent])): string =>
  blocks.cut(labels.get(agent), MAX_SHOWN_NAME)

const agentColumns: readonly tables.Column<AgentSummary, AgentsView>[] = [
  { title: 'Agent', text: (agent, { labels }) => formatName(agent, labels), isBold: () => true },
  { title: 'Caller ID', text: ({ callerId }, { lines }) => blocks.cut(lines.format(callerId), 40) },
]

const allAgentsButton = commandButton('all-agents', 'All agents', '/agents')

export const agentsHelp = blocks.textMessage(
  'Find an agent, their calls and their SIP login: `/agents` lists all agents, ten to a page, and `/agents anna` those with "anna" in their name. Below the list, *Calls of…* shows an agent\'s calls and *Details of…* the SIP login. Administrators can see the SIP password there.',
  [allAgentsButton],
)

export const explainWords = (problem: string, suggested?: string): blocks.Message =>
  problemMessage(problem, {
    command: suggested === undefined ? undefined : `/agents ${suggested}`.trim(),
    buttons: [allAgentsButton, commandButton('help', 'Help', '/agents help')],
  })

interface AgentsView {
  readonly query: AgentsQuery
  readonly page: Paginated<AgentSummary>
  readonly labels: AgentLabels
  readonly lines: LineNames
  /** A part of block ids, which must be new for every replacement of a message. */
  readonly nonce: string
}

/** `14 agents`, `3 agents match "anna"`. Not escaped. */
function describeMatches({ query, page }: AgentsView): string {
  const { name } = query
  const { total = 0 } = page
  if (name === '') return total === 0 ? 'This phone account has no agents.' : countNoun(total, 'agent')
  if (total === 0) return `No agent matches "${name}".`
  return `${countNoun(total, 'agent')} ${total === 1 ? 'matches' : 'match'} "${name}"`
}

/** @param below buttons or an attribution */
export function renderAgents(view: AgentsView, below: readonly blocks.Block[]): Answer {
  const { page, labels, nonce } = view
  const title = describeMatches(view)
  if (page.total === 0) return { message: blocks.textMessage(blocks.escapeText(title), [], below) }
  const position = positionText(page)
  const names = page.items.map((agent) => formatName(agent, labels)).join(', ')
  const intro = position === undefined ? title : `${title}. ${position}`
  const text = blocks.escapeText(`${intro}: ${names}`)
  const withRows = (rows: readonly blocks.Block[]): blocks.Message => {
    const content = [blocks.header(title), ...rows]
    if (position !== undefined) content.push(blocks.plainContext(position))
    return { text, blocks: [...content, ...below] }
  }
  const table = tables.fillTable(agentColumns, page.items, view)
  const options = { blockId: `agents.table|${nonce}`, cellLength: MAX_SHOWN_NAME }
  const sortableMessage = withRows([tables.dataTable(table, { ...options, caption: 'Agents' })])
  const buildPlain = () => withRows([tables.tableBlock(table, options)])
  const buildLines = () => withRows(blocks.sections(tables.tableLines(table, MAX_SHOWN_NAME)))
  return { message: sortableMessage, fallbacks: [buildPlain, buildLines] }
}

/** Leads to an agent's calls and details: buttons for one agent, menus for several. */
function agentMenus({ page, labels, nonce }: AgentsView): blocks.Block[] {
  const agents = page.items.filter(hasId)
  const options = agents.map((agent) => blocks.option(formatName(agent, labels), toMenuAgentId(agent)))
  const [first] = options
  if (!first) return []
  const { details } = agentsActions
  if (options.length === 1) {
    const callsButton = blocks.button(agentCallsAction.id, 'Calls', first.value)
    const detailsButton = blocks.button(details.id, 'Details…', first.value)
    return blocks.actionRow([callsButton, detailsButton])
  }
  const callsMenu = blocks.select(agentCallsAction.id, options, { placeholder: 'Calls of…' })
  const detailsMenu = blocks.select(details.id, options, { placeholder: 'Details of…' })
  return [{ type: 'actions', block_id: `agents.menus|${nonce}`, elements: [callsMenu, detailsMenu] }]
}

export function personalAgents(view: AgentsView, shareLabel: string | undefined): Answer {
  const { query, page, nonce } = view
  if (page.total === 0) return { message: explainWords(describeMatches(view)) }
  const valueFor = (number: number) => ({ ...query, page: number })
  const paging = pagingRow({ action: agentsActions.page, ...page, valueFor, nonce })
  const share = shareButtons(agentsActions.share.button('Share…', query), shareLabel)
  return renderAgents(view, [...agentMenus(view), ...paging, ...blocks.actionRow(share)])
}

function agentModal(agent: AgentSummary, content: blocks.Block[], origin: ViewOrigin): types.ModalView {
  return modal({ id: 'agents.details', origin, title: formatName(agent) || 'Agent', blocks: content })
}

export const goneModal = messageModal("This agent isn't in the phone account any more.", { title: 'Agent' })

export function detailsModal(agent: AgentSummary, lines: LineNames, isAdmin: boolean, origin: ViewOrigin) {
  const formatSwitch = (isOn: boolean) => (isOn ? 'on' : 'off')
  const facts = blocks.facts([
    ['ID', agent.id],
    ['Caller ID', lines.format(agent.callerId)],
    ['SIP login', agent.sipLogin],
    ['IP restriction', formatOrRaw(agent.ipRestriction, formatSwitch)],
    ['Follow-me', formatOrRaw(agent.followMe, formatSwitch)],
  ])
  const content = [facts]
  if (isAdmin) content.push(...blocks.actionRow([revealButton(agent)]))
  else content.push(blocks.context('Administrators can see the SIP password here.'))
  return agentModal(agent, content, origin)
}

export function revealButton(agent: Pick<AgentSummary, 'name' | 'id'>): types.Button {
  const title = `Show ${formatName(agent)}'s SIP password?`
  const consequence = 'Only you see it. The audit log records that you looked.'
  const confirm = blocks.confirmation(title, consequence, 'Show password')
  return { ...agentsActions.reveal.button('Show SIP password', { id: agent.id }), confirm }
}

/** Has no interactive elements, because a click would send the whole view, and the password in it, through Slack. */
export function secretsModal(agent: Agent, origin: ViewOrigin): types.ModalView {
  const isLink = isExactLink(agent.webphone) && agent.webphone.length <= blocks.LIMITS.url
  const text = takeStart(agent.sipPassword, 1000) || '–'
  const content: blocks.Block[] = [
    blocks.facts([['SIP login', agent.sipLogin]]),
    blocks.section('*SIP password*'),
    { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }] },
  ]
  if (isLink) content.push(blocks.richLink('Open the webphone', agent.webphone))
  const warning = `Anyone with this password or link can make calls as ${formatName(agent)}. Close this when done.`
  content.push(blocks.plainContext(warning))
  return agentModal(agent, content, origin)
}
