import type { types } from '@slack/bolt'
import { auditLine } from '../../slack/access/audit.ts'
import type { Managers } from '../../slack/access/errors.ts'
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
import { connectButton, replaceKeyButton, settingsAction } from '../../slack/blocks/links.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import {
  managersSentence,
  membersOnlyText,
  notConnectedText,
  supportLink,
  unreadableText,
} from '../../slack/deliver/failures.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { AccessRecord, Area } from '../../store/workspaces.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { zoneLabel } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import { describeOpenAlerts, openAlertsCommand } from '../calls/open-alerts.ts'
import { changeAgentButton } from '../calls/own-agent.ts'
import { callLinks } from '../calls/query.ts'
import { connectionMenu } from '../setup/connect-view.ts'
import type { SubscriptionsPart } from './subscriptions.ts'
import type { ServiceReply } from './today.ts'
import { accessText, connectionText, todayText } from './words.ts'

/** `unreadable`: the stored key and secret can't be decrypted. */
export type AccountState = 'connected' | 'not-connected' | 'unreadable'

interface HomeContent {
  readonly team: Tenant
  readonly zone: Zone
  readonly now: Date
  readonly isMember: boolean
  readonly managers: Managers
  readonly account: AccountState
  readonly areas: readonly Area[]
  /** Missed-call alerts that nobody has taken, oldest first. */
  readonly openAlerts: readonly AlertMessageRecord[]
  /** Name of the agent that the person is, if they have said so. */
  readonly ownAgentName: string | undefined
  /** None if the tab didn't ask the phone service, or it hasn't replied yet. */
  readonly reply: ServiceReply | undefined
  readonly supportUrl: string | undefined
  readonly subscriptions?: SubscriptionsPart | undefined
  readonly admin?: AdminPart | undefined
}

const missedToday = commandButton('missed-today', 'Missed today', '/calls missed today')

const showOpenAlerts = commandButton('open-alerts', 'Show', openAlertsCommand, 'primary')

const buttons: readonly (readonly [Area, types.Button])[] = [
  ['calls', callLinks.find.button('Find calls…')],
  ['calls', commandButton('report', 'Report', '/calls report')],
  ['agents', commandButton('agents', 'Agents', '/agents')],
  ['billing', commandButton('billing', 'Billing', '/billing')],
]

/** Today's calls and the buttons of the areas that this person may see. */
function lookUpBlocks({ areas, openAlerts, ownAgentName, zone, now, reply }: HomeContent): Block[] {
  const permitted = buttons.filter(([area]) => areas.includes(area)).map(([, button]) => button)
  if (permitted.length === 0) return [section("You can't see calls, agents or billing here yet.")]
  const figures = reply?.kind === 'ok' ? reply.figures : undefined
  const zoneText = `Times are in ${zoneLabel(zone, now)}, unless a channel has its own time zone.`
  const waiting = describeOpenAlerts(openAlerts, zone, now)
  return [
    ...(waiting === undefined ? [] : [sectionWith(`*${waiting}.*`, showOpenAlerts)]),
    ...(areas.includes('calls') ? [sectionWith(todayText(figures), missedToday)] : []),
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
    ...actionRow([connectButton('Connect…', 'primary')]),
  ]
}

/** Channels with their own time zone that are listed. */
export const MAX_CHANNELS = 10
export const MAX_AUDIT_ENTRIES = 5

/** The section for administrators. */
export interface AdminPart {
  readonly viewer: string
  readonly rules: AccessRecord
  readonly channelZones: readonly { readonly channel: string; readonly zone: string }[]
  /** Whether further channels have their own time zone. */
  readonly hasMoreZones: boolean
  readonly audit: readonly AuditEntry[]
  /** Since when polling for alerts has failed. */
  readonly failingSince: EpochMs | undefined
}

function connectionBlocks(reply: ServiceReply | undefined, failingSince: string | undefined): Block[] {
  return [
    sectionWith(connectionText(reply, failingSince), connectionMenu()),
    ...(reply?.kind === 'rejected' ? actionRow([replaceKeyButton('primary')]) : []),
  ]
}

function zoneBlocks({ channelZones, hasMoreZones }: AdminPart): Block[] {
  const more = hasMoreZones ? ['and more'] : []
  const zones = channelZones.map(({ channel, zone }) => `<#${channel}> ${escapeText(zone)}`)
  const text =
    zones.length === 0 ? "All channels use the workspace's time zone." : [...zones, ...more].join(' · ')
  return [
    section(`*Channel time zones*\n${text}`),
    context("To see or change a channel's time zone, type `/calls timezone` there."),
  ]
}

function adminBlocks(admin: AdminPart, content: HomeContent): Block[] {
  const { managers, zone, now, account, reply } = content
  const { viewer, rules } = admin
  const failingSince =
    admin.failingSince === undefined ? undefined : recentLabel(zone, new Date(admin.failingSince), now)
  const isConnected = account === 'connected'
  const lines = admin.audit.map((entry) => auditLine(entry, recentLabel(zone, new Date(entry.at), now)))
  return [
    { type: 'divider' },
    header('For administrators'),
    ...(isConnected ? connectionBlocks(reply, failingSince) : []),
    section(`*Access*\n${accessText(rules, managers, viewer)}\n${managersSentence(managers)}`),
    ...actionRow([
      settingsAction.button('Change access…'),
      ...(isConnected ? [commandButton('lines', 'Name lines…', '/calls lines')] : []),
    ]),
    ...zoneBlocks(admin),
    ...(lines.length > 0
      ? [
          sectionWith('*Recent activity*', commandButton('full-log', 'Show audit log', '/billing audit')),
          section(lines.join('\n')),
        ]
      : []),
  ]
}

const helpBlocks = ({ isMember, supportUrl }: HomeContent): Block[] => [
  { type: 'divider' },
  ...(isMember ? actionRow([commandButton('help', 'Help', '/callboard help')]) : []),
  ...(supportUrl === undefined ? [] : [context(supportLink({ supportUrl }, 'Get support'))]),
]

/** The home tab. Pure. */
export function homeView(content: HomeContent): types.HomeView {
  const { team, isMember, managers, account, subscriptions, admin } = content
  const blocks = isMember
    ? [
        ...(subscriptions?.orphans ?? []),
        ...(account === 'connected' ? lookUpBlocks(content) : unconnectedBlocks(content)),
        ...(subscriptions?.sections ?? []),
        ...(admin ? adminBlocks(admin, content) : [context(managersSentence(managers))]),
      ]
    : [section(membersOnlyText)]
  return {
    type: 'home',
    private_metadata: writeOrigin(team, ''),
    blocks: [header('Callboard'), ...blocks, ...helpBlocks(content)],
  }
}
