import type { types } from '@slack/bolt'
import { changeAgentButton } from '../../query/own-agent.ts'
import { callCount } from '../../query/texts.ts'
import { listManagers, type Managers } from '../../slack/access/access-rules.ts'
import { auditLine } from '../../slack/access/audit.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { lacksScope, optionalScopes, reinstallSentence, scopeUses } from '../../slack/access/scopes.ts'
import {
  actionRow,
  type Block,
  context,
  escapeText,
  header,
  section,
  sectionWith,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import { connectButton, replaceKeyButton, settingsAction } from '../../slack/blocks/shared-buttons.ts'
import { writeOrigin } from '../../slack/blocks/view-metadata.ts'
import {
  managersSentence,
  membersOnlyText,
  notConnectedText,
  supportLink,
  unreadableText,
} from '../../slack/deliver/failures.ts'
import type { AccessRecord, Area, AuditEntry } from '../../store/workspaces.ts'
import { recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { formatNumber } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import { accessText } from '../access/words.ts'
import type { OpenCallList } from '../alerts/open/calls.ts'
import { describeForPerson } from '../alerts/open/view.ts'
import { callLinks } from '../calls/actions.ts'
import { connectionMenu } from '../setup/connect.ts'
import type { SubscriptionRow, SubscriptionSection } from '../subscriptions/kind.ts'
import { rowBlock } from '../subscriptions/view.ts'
import { takeOver } from './actions.ts'

export interface ServiceReply {
  readonly state: 'ok' | 'rejected' | 'unavailable'
  /** Today's incoming calls; undefined if the service's figure isn't a number. */
  readonly calls?: number | undefined
  readonly missed?: number | undefined
}

interface HomeContent {
  readonly actor: Actor
  readonly rules: AccessRecord
  readonly zone: Zone
  readonly now: Date
  /** `unreadable`: the stored key and secret can't be decrypted. */
  readonly account: 'connected' | 'not-connected' | 'unreadable'
  readonly areas: readonly Area[]
  /** Undefined for people who can't see calls. */
  readonly openCalls: OpenCallList | undefined
  readonly ownAgentName: string | undefined
  /** Undefined if the tab didn't ask the phone service, or it hasn't replied yet. */
  readonly reply: ServiceReply | undefined
  readonly supportUrl: string | undefined
  readonly sections: readonly SubscriptionSection[]
  /** Subscriptions whose owner has left; for administrators. */
  readonly orphans: readonly SubscriptionRow[]
  readonly admin: AdminPart | undefined
  /** Whether Slackbot may call tools if its scope is granted. */
  readonly hasSlackbotTools: boolean
}

const missedToday = commandButton('missed-today', 'Missed today', '/calls missed today')

const showOpenCalls = commandButton('open-calls', 'Show', '/calls open', 'primary')

const areaButtons: readonly (readonly [Area, types.Button])[] = [
  ['calls', callLinks.find.button('Find calls…')],
  ['calls', commandButton('report', 'Report', '/calls report')],
  ['agents', commandButton('agents', 'Agents', '/agents')],
  ['billing', commandButton('billing', 'Billing', '/billing')],
]

function todayText({ calls, missed }: Partial<ServiceReply> = {}): string {
  if (calls === undefined || missed === undefined) return "Today's calls"
  return `Today: ${callCount(calls)}, ${formatNumber(missed)} missed`
}

function lookUpBlocks({ actor, areas, openCalls, ownAgentName, zone, now, reply }: HomeContent): Block[] {
  const permitted = areaButtons.filter(([area]) => areas.includes(area)).map(([, button]) => button)
  if (permitted.length === 0) return [section("You can't see calls, agents or billing here yet.")]
  const zoneText = `Times are in ${zoneLabel(zone, now)}, unless a channel has its own time zone.`
  const toDo = openCalls && describeForPerson(openCalls, actor.person.id, { zone, now })
  return [
    ...(toDo === undefined ? [] : [sectionWith(`*${toDo}*`, showOpenCalls)]),
    ...(areas.includes('calls') ? [sectionWith(todayText(reply), missedToday)] : []),
    ...actionRow(permitted),
    ...(ownAgentName !== undefined && areas.includes('calls')
      ? [sectionWith(`You are ${escapeText(ownAgentName)}.`, changeAgentButton)]
      : []),
    context(`Only you can see this. ${escapeText(zoneText)}`),
  ]
}

function unconnectedBlocks({ account, admin }: HomeContent): Block[] {
  const isUnreadable = account === 'unreadable'
  const why = isUnreadable ? `⚠ ${unreadableText}` : notConnectedText
  if (!admin) return [section(`${why} An administrator can connect it.`)]
  return [
    // The unreadable record can be deleted here.
    isUnreadable
      ? sectionWith(why, connectionMenu())
      : section(`${why} Connect it, and people here can look up calls.`),
    ...actionRow([connectButton]),
  ]
}

const MAX_HOME_ROWS = 5

export function orphanBlocks(orphans: readonly Pick<SubscriptionRow, 'title' | 'owner'>[]): Block[] {
  if (orphans.length === 0) return []
  const more = orphans.length > MAX_HOME_ROWS ? [`and ${orphans.length - MAX_HOME_ROWS} more`] : []
  const lines = orphans.slice(0, MAX_HOME_ROWS).map(({ title, owner }) => `• ${title}, set up by <@${owner}>`)
  const text = '⚠ *Set up by people who left or lost access.* Take over to keep these going:'
  return [
    sectionWith([text, ...lines, ...more].join('\n'), takeOver.button('Take over', undefined, 'primary')),
    { type: 'divider' },
  ]
}

export function sectionBlocks({ info, rows, note }: SubscriptionSection, isConnected: boolean): Block[] {
  if (rows.length === 0 && !isConnected) return []
  const { listTitle, none, actions, command, word } = info
  const head = rows.length === 0 ? `*${listTitle}*\n${none}` : `*${listTitle} (${rows.length})*`
  const failingFirst = rows.toSorted((one, other) => Number(other.isFailing) - Number(one.isFailing))
  const all = commandButton(`${command}-${word}s`, 'Show all', `/${command} ${word}s`)
  return [
    { type: 'divider' },
    isConnected ? sectionWith(head, actions.new.button('New…', {})) : section(head),
    ...(note === undefined ? [] : [section(note)]),
    ...failingFirst.slice(0, MAX_HOME_ROWS).map((row) => rowBlock(info, row, { page: 1, nonce: '' })),
    ...actionRow(rows.length > MAX_HOME_ROWS ? [all] : []),
  ]
}

/** Channels with their own time zone that are listed. */
export const MAX_CHANNELS = 10
export const MAX_AUDIT_ENTRIES = 5

export interface AdminPart {
  /** One more than is listed if there are further ones. */
  readonly channelZones: readonly { readonly channel: string; readonly zone: string }[]
  readonly audit: readonly AuditEntry[]
  /** Start of the failures to poll for alerts; undefined if the last poll succeeded. */
  readonly failingSince: EpochMs | undefined
}

/** Without a reply, nothing is known beyond the stored key and secret. */
function connectionText(reply: ServiceReply | undefined, { failingSince }: AdminPart, since: FormatTime) {
  if (reply?.state === 'ok') return '✓ Connected. The phone service replied just now.'
  if (reply?.state === 'rejected') return '⚠ The phone service no longer accepts the API key and secret.'
  if (reply === undefined) return '✓ Connected.'
  const when = failingSince === undefined ? '' : `, since ${since(failingSince)}`
  return `⚠ The phone service isn't responding${when}.`
}

/** Names the optional scopes that aren't granted, and what they unlock. */
function scopeBlocks({ actor: { installation }, hasSlackbotTools }: HomeContent): Block[] {
  const lines: string[] = []
  for (const scope of optionalScopes)
    if (lacksScope(installation, scope) && (scope !== 'mcp:connect' || hasSlackbotTools))
      lines.push(`• With \`${scope}\`, Callboard ${scopeUses[scope]}.`)
  if (lines.length === 0) return []
  const hint = reinstallSentence(installation.reinstallUrl)
  return [section(['*Permissions that are not granted*', ...lines, hint].join('\n'))]
}

function zoneBlocks({ channelZones }: AdminPart): Block[] {
  const more = channelZones.length > MAX_CHANNELS ? ['and more'] : []
  const zones = channelZones
    .slice(0, MAX_CHANNELS)
    .map(({ channel, zone }) => `<#${channel}> ${escapeText(zone)}`)
  const text =
    zones.length === 0 ? "All channels use the workspace's time zone." : [...zones, ...more].join(' · ')
  return [
    section(`*Channel time zones*\n${text}`),
    context("To see or change a channel's time zone, type `/calls timezone` there."),
  ]
}

type FormatTime = (at: EpochMs) => string

function adminBlocks(admin: AdminPart, content: HomeContent, managers: Managers): Block[] {
  const { actor, rules, zone, now, account, reply } = content
  const formatTime: FormatTime = (at) => recentLabel(zone, new Date(at), now)
  const isConnected = account === 'connected'
  const lines = admin.audit.map((entry) => auditLine(entry, formatTime(entry.at)))
  const access = accessText(rules, managers, actor.person.id)
  return [
    { type: 'divider' },
    header('For administrators'),
    ...(isConnected ? [sectionWith(connectionText(reply, admin, formatTime), connectionMenu())] : []),
    ...(isConnected && reply?.state === 'rejected' ? actionRow([replaceKeyButton]) : []),
    section(`*Access*\n${access}\n${managersSentence(managers)}`),
    ...actionRow([
      settingsAction.button('Change access…'),
      ...(isConnected ? [commandButton('lines', 'Name lines…', '/calls lines')] : []),
    ]),
    ...scopeBlocks(content),
    ...zoneBlocks(admin),
    ...(lines.length > 0
      ? [
          sectionWith('*Recent activity*', commandButton('full-log', 'Show audit log', '/billing audit')),
          section(lines.join('\n')),
        ]
      : []),
  ]
}

const helpBlocks = ({ actor: { person }, supportUrl }: HomeContent): Block[] => [
  { type: 'divider' },
  ...(person.isMember ? actionRow([commandButton('help', 'Help', '/callboard help')]) : []),
  ...(supportUrl === undefined ? [] : [context(supportLink(supportUrl, 'Get support'))]),
]

export function homeView(content: HomeContent): types.HomeView {
  const { actor, rules, account, sections, orphans, admin } = content
  const managers = listManagers(actor.installation, rules.administrators)
  const blocks = actor.person.isMember
    ? [
        ...orphanBlocks(orphans),
        ...(account === 'connected' ? lookUpBlocks(content) : unconnectedBlocks(content)),
        ...sections.flatMap((one) => sectionBlocks(one, account === 'connected')),
        ...(admin ? adminBlocks(admin, content, managers) : [context(managersSentence(managers))]),
      ]
    : [section(membersOnlyText)]
  return {
    type: 'home',
    private_metadata: writeOrigin({ workspace: actor.workspace, channel: '' }),
    blocks: [header('Callboard'), ...blocks, ...helpBlocks(content)],
  }
}
