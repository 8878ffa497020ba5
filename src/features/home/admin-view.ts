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
import { connectionMenu, replaceKeyButton, settingsAction } from '../../slack/blocks/links.ts'
import { managersSentence } from '../../slack/deliver/failures.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { AccessRecord } from '../../store/workspaces.ts'
import { recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { accessText } from './access-text.ts'
import { type Connection, connectionText, currentFailure } from './connection-text.ts'

/** At most so many channels with a time zone of their own, and so many entries of the audit log. */
export const MOST_CHANNELS = 10
export const MOST_ENTRIES = 5

/** What an administrator sees beyond what everyone does. */
export interface AdminPart {
  /** The administrator's id. */
  readonly viewer: string
  /** None where there is no account that can be used. */
  readonly connection: Connection | undefined
  readonly rules: AccessRecord
  /** The first ten at most. */
  readonly channelZones: readonly { readonly channel: string; readonly zone: string }[]
  /** How many more there are that have one; infinite where they were not counted to the end. */
  readonly otherChannels: number
  /** The newest first. */
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
    section(`*Time zones of channels*\n${text}`),
    context("To see or change a channel's time zone, type `/calls timezone` there."),
  ]
}

/** What administrators look after. Pure. */
export function adminBlocks(admin: AdminPart, managers: Managers, zone: Zone, now: Date): Block[] {
  const { viewer, connection, rules } = admin
  const lines = admin.audit
    .slice(0, MOST_ENTRIES)
    .map((entry) => auditLine(entry, recentLabel(zone, new Date(entry.at), now)))
  const access = `${accessText(rules, managers, viewer)}\n${managersSentence(managers)}`
  return [
    header('For administrators'),
    ...(connection ? connectionBlocks(connection, zone, now) : []),
    section(access),
    ...actionRow([settingsAction.button('Change access…')]),
    ...zoneBlocks(admin),
    ...(lines.length > 0
      ? [
          sectionWith('*Recent activity*', commandButton('full-log', 'Full log', '/billing audit')),
          section(lines.join('\n')),
        ]
      : []),
  ]
}
