import type { types } from '@slack/bolt'
import type { Config } from '../../config/config.ts'
import { changeAgentButton } from '../../query/own-agent.ts'
import { listManagers, type Managers } from '../../slack/access/access-rules.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { lacksScope, optionalScopes, reinstallSentence, scopeUses } from '../../slack/access/scopes.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { commandButton, connectButton, replaceKeyButton, settingsAction } from '../../slack/blocks/buttons.ts'
import { writeOrigin } from '../../slack/blocks/modal.ts'
import * as failures from '../../slack/deliver/failures.ts'
import type { AccessRecord, Area } from '../../store/workspaces.ts'
import type { Account } from '../../telephony/types.ts'
import { type Zone, zoneLabel } from '../../time/zones.ts'
import { countNoun, formatNumber } from '../../util/text.ts'
import { accessText } from '../access/words.ts'
import { describeForPerson, type OpenCallList } from '../alerts/open/view.ts'
import { callsActions } from '../calls/actions.ts'
import { connectText, nothingVisibleText } from '../calls/help.ts'
import { connectionMenu } from '../setup/connect.ts'
import type { SubscriptionSection } from '../subscriptions/kind.ts'
import { buildRow } from '../subscriptions/view.ts'

/** Today's figures of the phone service, undefined where they aren't numbers; or why there are none. */
export interface TodayFigures {
  readonly state: 'ok' | 'rejected' | 'unavailable'
  /** Today's incoming calls, and the missed ones among them. */
  readonly calls?: number | undefined
  readonly missed?: number | undefined
  /** Outgoing calls without an answer. */
  readonly unanswered?: number | undefined
}

/** The person whose tab is published, and what everything else on it depends on. */
export interface Visitor {
  readonly actor: Actor
  readonly rules: AccessRecord
  readonly zone: Zone
  /** Empty for guests. */
  readonly areas: readonly Area[]
  /** Undefined if the account isn't connected, or its key and secret can't be read. */
  readonly account: Account | undefined
}

export interface HomeContent extends Visitor {
  readonly now: Date
  /** There is no account because the stored key and secret can't be decrypted. */
  readonly isUnreadable: boolean
  /** Undefined for people who can't see calls. */
  readonly openCalls: OpenCallList | undefined
  /** Undefined for people who can't see calls, or haven't chosen their agent. */
  readonly ownAgentName: string | undefined
  /** Undefined if the tab didn't ask the phone service, or it hasn't replied yet. */
  readonly figures: TodayFigures | undefined
  /** Empty without an account. */
  readonly sections: readonly SubscriptionSection[]
  readonly config: Pick<Config, 'mcp' | 'supportUrl'>
}

const MAX_SECTION_ROWS = 5

const missedTodayButton = commandButton('missed-today', 'Missed today', '/calls missed today')
const openCallsButton = commandButton('open-calls', 'Show', '/calls open', 'primary')
const unreachedButton = commandButton('unreached', 'Not reached today', '/calls unreached')

const areaButtons: readonly { readonly area: Area; readonly button: types.Button }[] = [
  { area: 'calls', button: callsActions.find.button('Find calls…') },
  { area: 'calls', button: commandButton('report', 'Report', '/calls report') },
  { area: 'agents', button: commandButton('agents', 'Agents', '/agents') },
  { area: 'billing', button: commandButton('billing', 'Billing', '/billing') },
]

function todayText(figures: TodayFigures | undefined): string {
  if (figures?.calls === undefined || figures.missed === undefined) return "Today's calls"
  return `Today: ${countNoun(figures.calls, 'call')}, ${formatNumber(figures.missed)} missed`
}

function connectedBlocks(content: HomeContent): blocks.Block[] {
  const { actor, areas, openCalls, ownAgentName, zone, now, figures } = content
  const buttons = areaButtons.filter(({ area }) => areas.includes(area)).map(({ button }) => button)
  if (buttons.length === 0) return [blocks.section(nothingVisibleText)]
  const shown: blocks.Block[] = []
  const toDo = openCalls && describeForPerson(openCalls, actor.person.id, { zone, now })
  if (toDo !== undefined) shown.push(blocks.sectionWith(`*${toDo}*`, openCallsButton))
  if (areas.includes('calls')) shown.push(blocks.sectionWith(todayText(figures), missedTodayButton))
  if (figures?.unanswered) {
    const text = `${countNoun(figures.unanswered, 'outgoing call')} today had no answer`
    shown.push(blocks.sectionWith(text, unreachedButton))
  }
  shown.push(...blocks.actionRow(buttons))
  if (ownAgentName !== undefined)
    shown.push(blocks.sectionWith(`You are ${blocks.escapeText(ownAgentName)}.`, changeAgentButton))
  const zoneText = `Times are in ${zoneLabel(zone, now)}, unless a channel has its own time zone.`
  shown.push(blocks.context(`Only you can see this. ${blocks.escapeText(zoneText)}`))
  return shown
}

function unconnectedBlocks({ isUnreadable, actor }: HomeContent): blocks.Block[] {
  const unreadableText = `⚠ ${failures.unreadableText}`
  if (!actor.person.isAdmin) {
    const why = isUnreadable ? unreadableText : failures.notConnectedText
    return [blocks.section(`${why} An administrator can connect it.`)]
  }
  const connectRow = blocks.actionRow([connectButton])
  // The menu can delete the record that can't be read.
  if (isUnreadable) return [blocks.sectionWith(unreadableText, connectionMenu()), ...connectRow]
  return [blocks.section(connectText), ...connectRow]
}

export function sectionBlocks({ info, rows, note }: SubscriptionSection): blocks.Block[] {
  const { listTitle, none, actions, command, word } = info
  const title = rows.length === 0 ? `*${listTitle}*\n${none}` : `*${listTitle} (${rows.length})*`
  const newButton = actions.create.button('New…', {})
  const shown: blocks.Block[] = [{ type: 'divider' }, blocks.sectionWith(title, newButton)]
  if (note !== undefined) shown.push(blocks.section(note))
  const failingFirst = rows.toSorted((a, b) => Number(b.isFailing) - Number(a.isFailing))
  // The tab has no pages, and only replacements of messages need a nonce.
  for (const row of failingFirst.slice(0, MAX_SECTION_ROWS))
    shown.push(buildRow(info, row, { page: 1, nonce: '' }))
  if (rows.length > MAX_SECTION_ROWS) {
    const showAll = commandButton(`${command}-${word}s`, 'Show all', `/${command} ${word}s`)
    shown.push(...blocks.actionRow([showAll]))
  }
  return shown
}

/** If the service wasn't asked or hasn't replied, nothing is known beyond the stored key and secret. */
function connectionText(figures: TodayFigures | undefined): string {
  if (figures === undefined) return '✓ Connected.'
  if (figures.state === 'ok') return '✓ Connected. The phone service replied just now.'
  if (figures.state === 'rejected') return '⚠ The phone service no longer accepts the API key and secret.'
  return "⚠ The phone service isn't responding."
}

/** Names the optional scopes that aren't granted, and what they unlock. */
function scopeBlocks({ actor, config }: HomeContent): blocks.Block[] {
  const { installation } = actor
  const lines: string[] = []
  for (const scope of optionalScopes) {
    const isUseful = scope !== 'mcp:connect' || config.mcp
    if (isUseful && lacksScope(installation, scope))
      lines.push(`• With \`${scope}\`, Callboard ${scopeUses[scope]}.`)
  }
  if (lines.length === 0) return []
  const hint = reinstallSentence(installation.reinstallUrl)
  return [blocks.section(['*Permissions that are not granted*', ...lines, hint].join('\n'))]
}

function adminBlocks(content: HomeContent, managers: Managers): blocks.Block[] {
  const { actor, rules, account, figures } = content
  const shown: blocks.Block[] = [{ type: 'divider' }, blocks.header('For administrators')]
  const buttons = [settingsAction.button('Change access…')]
  if (account) {
    shown.push(blocks.sectionWith(connectionText(figures), connectionMenu()))
    if (figures?.state === 'rejected') shown.push(...blocks.actionRow([replaceKeyButton]))
    buttons.push(commandButton('lines', 'Name lines…', '/calls lines'))
  }
  buttons.push(commandButton('full-log', 'Audit log', '/callboard audit'))
  const access = accessText(rules, actor)
  shown.push(blocks.section(`*Access*\n${access}\n${failures.managersSentence(managers)}`))
  shown.push(...blocks.actionRow(buttons), ...scopeBlocks(content))
  return shown
}

function memberBlocks(content: HomeContent): blocks.Block[] {
  const { actor, rules, account, sections } = content
  const managers = listManagers(actor.installation, rules.administrators)
  const shown = account ? connectedBlocks(content) : unconnectedBlocks(content)
  shown.push(...sections.flatMap(sectionBlocks))
  if (actor.person.isAdmin) shown.push(...adminBlocks(content, managers))
  else shown.push(blocks.context(failures.managersSentence(managers)))
  return shown
}

export function homeView(content: HomeContent): types.HomeView {
  const { actor, config } = content
  const { supportUrl } = config
  const { isMember } = actor.person
  const shown = [blocks.header('Callboard')]
  if (isMember) shown.push(...memberBlocks(content))
  else shown.push(blocks.section(failures.membersOnlyText))
  shown.push({ type: 'divider' })
  if (isMember) shown.push(...blocks.actionRow([commandButton('help', 'Help', '/callboard help')]))
  if (supportUrl !== undefined) shown.push(blocks.context(failures.supportLink(supportUrl, 'Get support')))
  return {
    type: 'home',
    private_metadata: writeOrigin({ workspace: actor.workspace, channel: '' }),
    blocks: shown,
  }
}
