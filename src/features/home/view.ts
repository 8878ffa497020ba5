import type { types } from '@slack/bolt'
import { auditLine } from '../../slack/access/audit-sentence.ts'
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
import {
  callLinks,
  connectButton,
  connectionMenu,
  replaceKeyButton,
  settingsAction,
} from '../../slack/blocks/links.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import {
  managersSentence,
  membersOnlyText,
  notConnectedText,
  supportLink,
  unreadableText,
} from '../../slack/deliver/failures.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { AccessRecord, Area } from '../../store/workspaces.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { zoneLabel } from '../../time/zones.ts'
import {
  accessText,
  type Connection,
  connectionText,
  currentFailure,
  type TodayFigures,
  todayText,
} from './words.ts'

/** What goes to channels by itself, as far as the person may see it. */
export interface PlannedPart {
  /** What somebody left who is gone: stands before everything else. */
  readonly orphans: readonly Block[]
  readonly planned: readonly Block[]
}

/** Whether there is an account to ask; `unreadable`: there are a key and secret, and they can't be decrypted. */
export type AccountState = 'connected' | 'not-connected' | 'unreadable'

interface HomeContent {
  readonly team: Tenant
  readonly zone: Zone
  readonly now: Date
  readonly isMember: boolean
  readonly managers: Managers
  readonly account: AccountState
  readonly areas: readonly Area[]
  readonly today?: TodayFigures | undefined
  readonly supportUrl: string | undefined
  readonly planned?: PlannedPart | undefined
  readonly admin?: AdminPart | undefined
}

const missedToday = commandButton('missed-today', 'Missed today', '/calls missed today')

const buttons: readonly (readonly [Area, types.Button])[] = [
  ['calls', callLinks.find.button('Find calls…')],
  ['calls', commandButton('report', 'Report', '/calls report')],
  ['agents', commandButton('agents', 'Agents', '/agents')],
  ['billing', commandButton('billing', 'Billing', '/billing')],
]

/** What this person can do; nothing that would lead to a refusal alone. */
function doBlocks({ areas, zone, now, today }: HomeContent): Block[] {
  const may = buttons.filter(([area]) => areas.includes(area)).map(([, one]) => one)
  if (may.length === 0) return [section("You can't see calls, agents or billing here yet.")]
  const zoneText = `Times are in ${zoneLabel(zone, now)}, unless a channel has its own time zone.`
  return [
    ...(areas.includes('calls') ? [sectionWith(todayText(today), missedToday)] : []),
    ...actionRow(may),
    context(`Only you can see replies. ${escapeText(zoneText)}`),
  ]
}

function unconnectedBlocks({ account, admin }: HomeContent): Block[] {
  const isUnreadable = account === 'unreadable'
  const why = isUnreadable ? `⚠ ${unreadableText}` : notConnectedText
  if (!admin) return [section(`${why} An administrator can connect it.`)]
  return [
    // What can't be read can be deleted.
    isUnreadable
      ? sectionWith(why, connectionMenu())
      : section(`${why} Connect it, and people here can look up calls.`),
    ...actionRow([connectButton('Connect…', 'primary')]),
  ]
}

/** At most so many channels with a time zone of their own, and so many entries of the audit log. */
export const MOST_CHANNELS = 10
export const MOST_ENTRIES = 5

/** What an administrator sees beyond what everyone does. */
export interface AdminPart {
  readonly viewer: string
  /** None where there is no account that can be used. */
  readonly connection: Connection | undefined
  readonly rules: AccessRecord
  readonly channelZones: readonly { readonly channel: string; readonly zone: string }[]
  /** How many more there are that have one; infinite where they were not counted to the end. */
  readonly otherChannels: number
  readonly audit: readonly AuditEntry[]
}

function connectionBlocks(connection: Connection, zone: Zone, now: Date): Block[] {
  const isRejected = currentFailure(connection)?.outcome === 'credentials-rejected'
  return [
    sectionWith(connectionText(connection, zone, now), connectionMenu()),
    ...(isRejected ? actionRow([replaceKeyButton('primary')]) : []),
  ]
}

function zoneBlocks({ channelZones, otherChannels }: AdminPart): Block[] {
  const more =
    otherChannels > 0 ? [`and ${Number.isFinite(otherChannels) ? otherChannels : 'many'} more`] : []
  const zones = channelZones.map(({ channel, zone }) => `<#${channel}> ${escapeText(zone)}`)
  const text = zones.length === 0 ? 'No channel has its own.' : [...zones, ...more].join(' · ')
  return [
    section(`*Channel time zones*\n${text}`),
    context("To see or change a channel's time zone, type `/calls timezone` there."),
  ]
}

function adminBlocks(admin: AdminPart, managers: Managers, zone: Zone, now: Date): Block[] {
  const { viewer, connection, rules } = admin
  const lines = admin.audit.map((entry) => auditLine(entry, recentLabel(zone, new Date(entry.at), now)))
  const access = `${accessText(rules, managers, viewer)}\n${managersSentence(managers)}`
  return [
    { type: 'divider' },
    header('For administrators'),
    ...(connection ? connectionBlocks(connection, zone, now) : []),
    section(access),
    ...actionRow([
      settingsAction.button('Change access…'),
      ...(connection ? [commandButton('lines', 'Name lines…', '/calls lines')] : []),
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
  const { team, zone, now, isMember, managers, account, planned, admin } = content
  const blocks = isMember
    ? [
        ...(planned?.orphans ?? []),
        ...(account === 'connected' ? doBlocks(content) : unconnectedBlocks(content)),
        ...(planned?.planned ?? []),
        ...(admin ? adminBlocks(admin, managers, zone, now) : [context(managersSentence(managers))]),
      ]
    : [section(membersOnlyText)]
  return {
    type: 'home',
    private_metadata: writeOrigin(team, ''),
    blocks: [header('Callboard'), ...blocks, ...helpBlocks(content)],
  }
}
