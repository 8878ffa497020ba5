import type { ZoneSource } from '../../slack/access/workspaces.ts'
import { cut, escapeText, type Message, section } from '../../slack/blocks/blocks.ts'
import type { Zone } from '../../time/types.ts'
import { zoneName } from './zone-view.ts'

/** What a channel is told whose time zone somebody has changed. By name: a mention would notify that person. */
export function zoneNotice(change: {
  readonly by: string
  readonly channel: string
  readonly zone: Zone
  /** Where the time zone comes from by now. */
  readonly source: ZoneSource
  readonly isUndone: boolean
}): Message {
  const { channel, zone, source, isUndone } = change
  const set = `${escapeText(cut(change.by, 80))} set <#${channel}> ${isUndone || source !== 'channel' ? 'back ' : ''}to`
  const what: Readonly<Record<ZoneSource, string>> = {
    channel: `${zoneName(zone)} time`,
    workspace: `the workspace's time zone, ${zoneName(zone)}`,
    person: "each person's own time zone",
    none: `${zoneName(zone)} time`,
  }
  const text = `${set} ${what[source]}.`
  return { text, blocks: [section(text)] }
}
