import type { ZoneSource } from '../../slack/access/workspaces.ts'
import type { ChannelState } from '../../slack/api/channels.ts'
import type { PostResult } from '../../slack/api/post-message.ts'
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

const reasons: Readonly<Record<Exclude<ChannelState, 'ok' | 'direct'>, string>> = {
  'not-in': "Callboard isn't in it. `/invite @Callboard` adds it",
  unknown: "Callboard isn't in it. `/invite @Callboard` adds it",
  archived: "it's archived",
  shared: "it's shared with another company",
  'org-shared': "it's shared with another workspace",
}

/** Why a channel was not told, in mrkdwn. */
export const untoldText = (state: keyof typeof reasons): string =>
  `The channel wasn't told, because ${reasons[state]}.`

/** The same for what Slack made of the message. */
export function unsentText(result: Exclude<PostResult, { kind: 'sent' }>): string {
  switch (result.kind) {
    case 'refused':
      return `The channel wasn't told, because Slack refused the message (${escapeText(result.code)}).`
    case 'not-now':
      return "The channel wasn't told, because Slack takes no message right now."
    case 'unknown':
      return "Slack didn't confirm the message, so the channel may not have been told."
  }
}

/** Where Slack doesn't say what kind of a channel it is. */
export const unansweredText = "The channel wasn't told, because Slack didn't respond in time."
