import type { ZoneSource } from '../../slack/access/workspaces.ts'
import { context, escapeText, type Message, section } from '../../slack/blocks/blocks.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime, zoneLabel } from '../../time/zones.ts'

const sources: Readonly<Record<ZoneSource, string>> = {
  channel: "this channel's own setting",
  workspace: "the workspace's default",
  person: 'the one of your Slack profile',
  none: 'the default, since nothing else is set',
}

const howTo =
  '`/calls timezone Europe/Berlin` sets it for everyone in this channel, `/calls timezone default` takes that back.'

/** For who may not change the zone of a channel that has schedules. */
export const zoneIsScheduledByText =
  'Billing posts are scheduled in this channel, and its time zone says when they come. So it takes the right to see billing to change it: ask an admin to do it, or to give you access with `/billing settings`.'

export function zoneMessage(zone: Zone, source: ZoneSource, now: Date, done?: string): Message {
  const label = escapeText(zoneLabel(zone, now))
  const prefix = done === undefined ? '' : `${done} `
  const text = `${prefix}Days and times here are those of *${label}*, ${sources[source]}. It is ${wallTime(zone, now).slice(0, 16)} there now.`
  return { text: text.replaceAll('*', ''), blocks: [section(text), context(howTo)] }
}

export function unknownZoneMessage(written: string, suggestions: readonly string[]): Message {
  const hint =
    suggestions.length > 0
      ? `Did you mean ${suggestions.map((name) => `\`${escapeText(name)}\``).join(', ')}?`
      : 'Write a name such as `Europe/Berlin` or an offset such as `+05:30`.'
  const text = `"${escapeText(written)}" is no time zone that Callboard knows. ${hint}`
  return { text, blocks: [section(text), context(howTo)] }
}
