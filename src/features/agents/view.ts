import type { types } from '@slack/bolt'
import { agentActions, menuAgentId } from '../../query/menus.ts'
import type { Block, Message } from '../../slack/blocks/blocks.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton, problemMessage } from '../../slack/blocks/command-button.ts'
import { modal } from '../../slack/blocks/modal.ts'
import { pagingRow } from '../../slack/blocks/paging.ts'
import * as tables from '../../slack/blocks/tables.ts'
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

/** @param labels of all agents that are shown, because names may repeat */
const formatName = (agent: Pick<AgentSummary, 'name' | 'id'>, labels = new AgentLabels([agent])): string =>
  blocks.cut(labels.get(agent), MAX_SHOWN_NAME)

function onOff(flag: boolean | Raw): string {
  if (typeof flag !== 'boolean') return blocks.cut(flag.raw || '–', 40)
  return flag ? 'on' : 'off'
}

const agentColumns: readonly tables.Column<AgentSummary, AgentLabels>[] = [
  { title: 'Agent', text: (agent, labels) => formatName(agent, labels), isBold: () => true },
  { title: 'Caller ID', text: ({ callerId }) => blocks.cut(callerId, 40) },
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
    blocks.header('Agents'),
    blocks.section(ABOUT_AGENTS),
    ...agentExamples.map(([command, about, button]) =>
      blocks.sectionWith(`\`${command}\` – ${about}`, button),
    ),
    blocks.context(
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

interface AgentRendering {
  /** Buttons or an attribution. */
  readonly below: readonly Block[]
  /** Slackbot can't show a sortable table. */
  readonly isSortable: boolean
}

function renderAgents(view: AgentsView, { below, isSortable }: AgentRendering): Answer {
  const { page, nonce } = view
  const title = describeMatches(view)
  const position = describePosition(view)
  const labels = new AgentLabels(page)
  const names = page.map((agent) => formatName(agent, labels)).join(', ')
  const intro = position === undefined ? title : `${title}. ${position}`
  const text = blocks.escapeText(names === '' ? intro : `${intro}: ${names}`)
  const withRows = (rows: readonly Block[]): Message => {
    const content = [blocks.header(title), ...rows]
    if (position !== undefined) content.push(blocks.noteBlock(position))
    return { text, blocks: [...content, ...below] }
  }
  if (page.length === 0) return { message: withRows([]) }
  const table = tables.fillTable(agentColumns, page, labels)
  const form = { blockId: `agents.table|${nonce}`, cellLength: MAX_SHOWN_NAME }
  const plainTable = () => withRows([tables.tableBlock(table, form)])
  const lines = () => withRows(blocks.sections(tables.tableLines(table, MAX_SHOWN_NAME)))
  if (!isSortable) return { message: plainTable(), otherwise: [lines] }
  const sortable = withRows([tables.dataTable(table, { ...form, caption: 'Agents' })])
  return { message: sortable, otherwise: [plainTable, lines] }
}

/** Leads to an agent's calls and details: buttons for one agent, menus for several. */
function agentMenus({ page, nonce }: AgentsView): Block[] {
  const labels = new AgentLabels(page)
  const options = page
    .filter(hasId)
    .map((agent) => blocks.option(formatName(agent, labels), menuAgentId(agent)))
  const [first] = options
  if (!first) return []
  const { calls, details } = agentActions
  if (options.length === 1) {
    const callsButton = blocks.button(calls.id, 'Calls', first.value)
    const detailsButton = blocks.button(details.id, 'Details…', first.value)
    return blocks.actionRow([callsButton, detailsButton])
  }
  const callsMenu = blocks.select(calls.id, options, { placeholder: 'Calls of…' })
  const detailsMenu = blocks.select(details.id, options, { placeholder: 'Details of…' })
  return [{ type: 'actions', block_id: `agents.menus|${nonce}`, elements: [callsMenu, detailsMenu] }]
}

function explainNoAgents(name: string): Message {
  if (name === '') return explainWords('This phone account has no agents.')
  return explainWords(`No agent matches "${name}".`)
}

/** @param shareLabel undefined if the list can't be shared */
export function personalAgents(view: AgentsView, shareLabel: string | undefined): Answer {
  const { query, page, count, nonce } = view
  if (count === 0) return { message: explainNoAgents(query.name) }
  const valueFor = (number: number) => ({ ...query, page: number })
  const paging = pagingRow({ action: agentsActions.page, ...countAgentPages(view), valueFor, nonce })
  const below = [...agentMenus(view), ...paging]
  if (page.length > 0) {
    const share = agentsActions.share.button('Share…', query)
    below.push(...blocks.actionRow(shareButtons(share, { noun: 'agent', count: page.length, shareLabel })))
  }
  return renderAgents(view, { below, isSortable: true })
}

/** @param paging buttons that call the tool again */
export function agentsForSlackbot(view: AgentsView, paging: readonly Block[]): Answer {
  if (view.count > 0) return renderAgents(view, { below: paging, isSortable: false })
  return { message: { text: explainNoAgents(view.query.name).text } }
}

export function sharedAgents(view: AgentsView, by: Sharer): Answer {
  const below = [blocks.attribution(by.name, 'Shared'), removeRow(by.id)]
  return renderAgents(view, { below, isSortable: true })
}

function agentModal(agent: Pick<AgentSummary, 'id' | 'name'>, content: Block[], origin: ViewOrigin) {
  const title = formatName(agent) || 'Agent'
  return modal({ id: 'agents.details', origin, title, blocks: content })
}

export const notFound = messageModal("This agent isn't in the phone account any more.", { title: 'Agent' })

export function detailsModal(agent: AgentSummary, isAdmin: boolean, origin: ViewOrigin): types.ModalView {
  const facts = [
    ['ID', agent.id],
    ['Caller ID', agent.callerId],
    ['SIP login', agent.sipLogin],
    ['IP restriction', onOff(agent.ipRestriction)],
    ['Follow-me', onOff(agent.followMe)],
  ]
  const lines = facts.map(([name, value]) => `*${name}*: ${blocks.escapeText(blocks.cut(value || '–', 300))}`)
  const content: Block[] = [blocks.section(lines.join('\n'))]
  if (isAdmin) content.push(...blocks.actionRow([revealButton(agent)]))
  else content.push(blocks.context('Administrators can see the SIP password here.'))
  return agentModal(agent, content, origin)
}

function revealButton(agent: AgentSummary): types.Button {
  const title = `Show ${formatName(agent)}'s SIP password?`
  const consequence = 'Only you see it. The audit log records that you looked.'
  const confirm = blocks.confirmation(title, consequence, 'Show password')
  return { ...agentsActions.reveal.button('Show SIP password', { id: agent.id }), confirm }
}

/** Has no interactive elements, because a click would send the whole view, and the password in it, through Slack. */
export function secretsModal(agent: Agent, origin: ViewOrigin): types.ModalView {
  const isLink = isExactLink(agent.webphone) && agent.webphone.length <= blocks.LIMITS.url
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
  const content: Block[] = [
    blocks.section(`*SIP login*: ${blocks.escapeText(blocks.cut(agent.sipLogin || '–', 300))}`),
    password,
  ]
  if (isLink) content.push(blocks.richLink('Open the webphone', agent.webphone))
  const warning = `Anyone with ${what} can make calls as ${formatName(agent)}. Close this when done.`
  content.push(blocks.noteBlock(warning))
  return agentModal(agent, content, origin)
}
