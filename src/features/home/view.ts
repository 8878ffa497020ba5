import type { types } from '@slack/bolt'
import type { Managers } from '../../slack/access/errors.ts'
import { unreadableText } from '../../slack/answers/error-texts.ts'
import { managersSentence } from '../../slack/answers/manager-texts.ts'
import { outcomeClause } from '../../slack/answers/outcome-texts.ts'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import {
  actionRow,
  type Block,
  button,
  context,
  escapeText,
  header,
  section,
} from '../../slack/blocks/blocks.ts'
import { auditLine, connectButton, disconnectButton } from '../../slack/blocks/shared-blocks.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Tenant } from '../../store/tenant.ts'
import type { ConnectionRecord } from '../../store/workspaces.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime, zoneLabel } from '../../time/zones.ts'

/** What an admin sees beyond what everyone does. */
export interface AdminPart {
  readonly connectedBy: string | undefined
  /** There are key and secret, and they can't be decrypted. */
  readonly isUnreadable?: boolean
  readonly connection: ConnectionRecord | undefined
  /** The first ten at most. */
  readonly channelZones: readonly { readonly channel: string; readonly zone: string }[]
  /** How many more there are that have one; infinite where they were not counted to the end. */
  readonly otherChannels: number
  /** In mrkdwn, one for each schedule. */
  readonly schedules: readonly string[]
  readonly audit: readonly AuditEntry[]
}

export interface HomeContent {
  readonly team: Tenant
  readonly zone: Zone
  readonly now: Date
  readonly isMember: boolean
  readonly managers: Managers
  readonly admin?: AdminPart | undefined
}

const commands = [
  '`/calls` – the calls, newest first; `/calls help` for all the words',
  '`/agents` – the agents of the account',
  '`/billing` – plan, add-ons, payment and total; `/billing help`',
  '`/callboard` – all of it under a name that no other app has',
]

/** At most so many of a list; the command shows the rest. */
export const mostLines = 10

function listBlocks(
  title: string,
  lines: readonly string[],
  none: string,
  command: string,
  others = Math.max(0, lines.length - mostLines),
): Block[] {
  const more = others > 0 ? [`…and ${Number.isFinite(others) ? others : 'many'} more.`] : []
  const body = lines.length === 0 ? none : [...lines.slice(0, mostLines), ...more].join('\n')
  return [header(title), section(body), context(command)]
}

function connectionText(
  { connectedBy, isUnreadable, connection }: AdminPart,
  at: (ms: number) => string,
): string {
  if (isUnreadable) return `:warning: ${unreadableText} Connect it anew.`
  if (connectedBy === undefined) return 'Not connected to a telephony account yet.'
  const { lastSuccess, lastFailure } = connection ?? {}
  return [
    `:white_check_mark: Connected by <@${connectedBy}>.`,
    lastSuccess === undefined
      ? 'The service has not been asked yet.'
      : `It last answered at ${at(lastSuccess)}.`,
    ...(lastFailure
      ? [`It last failed at ${at(lastFailure.at)}: ${outcomeClause(lastFailure.outcome)}.`]
      : []),
  ].join('\n')
}

function adminBlocks(admin: AdminPart, managers: Managers, at: (ms: number) => string): Block[] {
  const isConnected = admin.connectedBy !== undefined
  const connect = isConnected ? connectButton('Reconnect…') : connectButton('Connect…', 'primary')
  const zones = admin.channelZones.map(({ channel, zone }) => `<#${channel}> ${escapeText(zone)}`)
  const audit = admin.audit.map((entry) => auditLine(entry, at(entry.at)))
  return [
    header('Connection'),
    section(connectionText(admin, at)),
    ...actionRow([
      connect,
      ...(isConnected || admin.isUnreadable ? [disconnectButton()] : []),
      button(ACTIONS.settings, 'Who may see what…', 'settings'),
      ...(isConnected ? [button(ACTIONS.scheduleNew, 'Schedule a post…', 'new')] : []),
    ]),
    header('Who may manage Callboard'),
    section(managersSentence(managers)),
    ...actionRow([button(ACTIONS.settings, 'Change…', 'settings')]),
    ...listBlocks(
      'Time zones of channels',
      zones,
      'No channel has a zone of its own.',
      '`/calls timezone Europe/Berlin` in a channel sets it for everyone there.',
      admin.otherChannels,
    ),
    ...listBlocks(
      'Scheduled billing posts',
      admin.schedules,
      'Nothing is scheduled.',
      '`/billing schedules` edits, pauses and deletes.',
    ),
    ...listBlocks('Audit log', audit, 'Nothing has been noted yet.', '`/billing audit` shows all of them.'),
  ]
}

/** The home tab. Pure. */
export function homeView({ team, zone, now, isMember, managers, admin }: HomeContent): types.HomeView {
  const at = (ms: number) => wallTime(zone, new Date(ms)).slice(0, 16)
  const intro = isMember
    ? 'Your telephony account, where your team already talks. Answers are visible to you alone; what you share or post, your team sees.'
    : 'Callboard is for full members of this workspace only. An admin can make you one.'
  const who = admin
    ? 'You can manage Callboard: connect the account, and see who did what.'
    : managersSentence(managers)
  return {
    type: 'home',
    private_metadata: writeOrigin(team, ''),
    blocks: [
      header('Callboard'),
      section(intro),
      ...(isMember
        ? [
            section(commands.join('\n')),
            context(
              `${escapeText(`Days and times are those of ${zoneLabel(zone, now)}, unless a channel has a zone of its own.`)} ${who}`,
            ),
          ]
        : []),
      ...(admin ? adminBlocks(admin, managers, at) : []),
    ],
  }
}
