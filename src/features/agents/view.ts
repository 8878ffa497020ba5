import type { types } from '@slack/bolt'
import { agentActions, menuAgentId } from '../../query/menus.ts'
import {
  actionRow,
  attribution,
  type Block,
  button,
  type Column,
  confirmation,
  context,
  cut,
  escapeText,
  fillTable,
  header,
  LIMITS,
  type Message,
  noteBlock,
  option,
  plain,
  richLink,
  section,
  sections,
  select,
  tableBlock,
  tableLines,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { dataTable } from '../../slack/blocks/data-table.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import { problemMessage } from '../../slack/blocks/problem-message.ts'
import type { ViewOrigin } from '../../slack/blocks/view-metadata.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import { messageModal } from '../../slack/deliver/modals.ts'
import { AgentLabels, hasId } from '../../telephony/agent-labels.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import type { Raw } from '../../telephony/types.ts'
import type { Agent } from '../../telephony/wire.ts'
import { beyondLastText, countPages, type Pages, positionText } from '../../util/paging.ts'
import { countNoun, isExactLink, takeStart } from '../../util/text.ts'
import { removeRow, type Sharer, shareButtons } from '../calls/sharing.ts'
import { type AgentsQuery, agentsActions } from './actions.ts'

/** Ten agents with longer names wouldn't fit a message. */
const MAX_SHOWN_NAME = 60

const formatName = (agent: Pick<AgentSummary, 'name' | 'id'>, labels = new AgentLabels([agent])): string =>
  cut(labels.get(agent), MAX_SHOWN_NAME)

function onOff(flag: boolean | Raw): string {
  if (typeof flag !== 'boolean') return cut(flag.raw || '–', 40)
  return flag ? 'on' : 'off'
}

const agentColumns: readonly Column<AgentSummary, AgentLabels>[] = [
  { title: 'Agent', text: (agent, labels) => formatName(agent, labels), isBold: () => true },
  { title: 'Caller ID', text: ({ callerId }) => cut(callerId, 40) },
]

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
      "Below the list, *Calls of…* shows an agent's calls and *Details of…* the SIP login. Administrators can see the SIP password there.",
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

/** @param below buttons or an attribution @param isTool leaves out what Slackbot can't show */
function renderAgents(view: AgentsView, below: readonly Block[], isTool = false): Answer {
  const { page, nonce } = view
  const title = describeMatches(view)
  const position = describePosition(view)
  const labels = new AgentLabels(page)
  const names = page.map((agent) => formatName(agent, labels)).join(', ')
  const intro = position === undefined ? title : `${title}. ${position}`
  const text = escapeText(names === '' ? intro : `${intro}: ${names}`)
  const withRows = (rows: readonly Block[]): Message => {
    const blocks = [header(title), ...rows]
    if (position !== undefined) blocks.push(noteBlock(position))
    return { text, blocks: [...blocks, ...below] }
  }
  if (page.length === 0) return { message: withRows([]) }
  const table = fillTable(agentColumns, page, labels)
  const form = { blockId: `agents.table|${nonce}`, cellLength: MAX_SHOWN_NAME }
  const plainTable = () => withRows([tableBlock(table, form)])
  const lines = () => withRows(sections(tableLines(table, MAX_SHOWN_NAME)))
  if (isTool) return { message: plainTable(), otherwise: [lines] }
  const sortable = withRows([dataTable(table, { ...form, caption: 'Agents' })])
  return { message: sortable, otherwise: [plainTable, lines] }
}

/** Leads to an agent's calls and details: buttons for one agent, menus for several. */
function agentMenus({ page, nonce }: AgentsView): Block[] {
  const labels = new AgentLabels(page)
  const options = page.filter(hasId).map((agent) => option(formatName(agent, labels), menuAgentId(agent)))
  const [first, ...others] = options
  if (!first) return []
  const { calls, details } = agentActions
  if (others.length === 0)
    return actionRow([button(calls.id, 'Calls', first.value), button(details.id, 'Details…', first.value)])
  const menu = (id: string, text: string): types.StaticSelect => ({
    ...select(id, options, undefined),
    placeholder: plain(text, LIMITS.placeholder),
  })
  const elements = [menu(calls.id, 'Calls of…'), menu(details.id, 'Details of…')]
  return [{ type: 'actions', block_id: `agents.menus|${nonce}`, elements }]
}

/** @param shareLabel undefined if the list can't be shared */
export function personalAgents(view: AgentsView, shareLabel: string | undefined): Answer {
  const { query, page, count, nonce } = view
  if (count === 0) {
    const all = 'This phone account has no agents.'
    return { message: explainWords(query.name === '' ? all : `No agent matches "${query.name}".`) }
  }
  const valueFor = (number: number) => ({ ...query, page: number })
  const paging = pagingRow({ action: agentsActions.page, ...countAgentPages(view), valueFor, nonce })
  const below = [...agentMenus(view), ...paging]
  if (page.length > 0) {
    const share = agentsActions.share.button('Share…', query)
    below.push(...actionRow(shareButtons(share, { noun: 'agent', count: page.length, shareLabel })))
  }
  return renderAgents(view, below)
}

/** @param paging buttons that call the tool again */
export function agentsForSlackbot(view: AgentsView, paging: readonly Block[]): Answer {
  if (view.count > 0) return renderAgents(view, paging, true)
  return { message: { text: personalAgents(view, undefined).message.text } }
}

export const sharedAgents = (view: AgentsView, by: Sharer): Answer =>
  renderAgents(view, [attribution(by.name, 'Shared'), removeRow(by.id)])

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
  const lines = facts.map(([name, value]) => `*${name}*: ${escapeText(cut(value || '–', 300))}`)
  const content: Block[] = [section(lines.join('\n'))]
  if (isAdmin) content.push(...actionRow([revealButton(agent)]))
  else content.push(context('Administrators can see the SIP password here.'))
  return agentModal(agent, content, origin)
}

function revealButton(agent: AgentSummary): types.Button {
  const title = `Show ${formatName(agent)}'s SIP password?`
  const consequence = 'Only you see it. The audit log records that you looked.'
  const confirm = confirmation(title, consequence, 'Show password', 'Cancel')
  return { ...agentsActions.reveal.button('Show SIP password', { id: agent.id }), confirm }
}

/** Has no interactive elements, because a click would send the whole view, and the password in it, through Slack. */
export function secretsModal(agent: Agent, origin: ViewOrigin): types.ModalView {
  const isLink = isExactLink(agent.webphone) && agent.webphone.length <= LIMITS.url
  const what = isLink ? 'this password or link' : 'this password'
  const password: types.RichTextBlock = {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'text', text: 'SIP password' }] },
      {
        type: 'rich_text_preformatted',
        elements: [{ type: 'text', text: takeStart(agent.sipPassword, 1000) || '–' }],
      },
    ],
  }
  const content: Block[] = [section(`*SIP login*: ${escapeText(cut(agent.sipLogin || '–', 300))}`), password]
  if (isLink) content.push(richLink('Open the webphone', agent.webphone))
  const warning = `Anyone with ${what} can make calls as ${formatName(agent)}. Close this when done.`
  content.push(noteBlock(warning))
  return agentModal(agent, content, origin)
}
