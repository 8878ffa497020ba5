import type { ZoneSource } from '../../slack/access/workspaces.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { actionRow, context, cut, escapeText, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton, showCallsButton } from '../../slack/blocks/command-button.ts'
import { textAnswer } from '../../slack/deliver/answer.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { isUtcOffset } from '../../time/offsets.ts'
import type { Zone } from '../../time/types.ts'
import { parseZone } from '../../time/zone-names.ts'
import { offsetAt, wallTime } from '../../time/zones.ts'
import { joinNames } from '../../util/text.ts'
import { zoneName, zoneSources } from './words.ts'

/** A conversation's time zone, for the person who asks. */
export interface ZoneView {
  readonly place: Pick<Interaction, 'channel' | 'channelName'>
  readonly zone: Zone
  readonly source: ZoneSource
  readonly now: Date
}

const clockText = ({ zone, now }: ZoneView) => `${wallTime(zone, now).slice(11, 16)} now`

/** Payloads use `privategroup` for private channels and for group direct messages. */
function conversationText({ channel, channelName }: ZoneView['place']): string {
  if (isDirectConversation(channel, channelName)) return 'This conversation'
  return channelName === 'privategroup' ? 'This channel' : `<#${channel}>`
}

export function zoneMessage(view: ZoneView): Message {
  const { place, zone, source, now } = view
  const isNamed = !isUtcOffset(zone) && zone !== parseZone('UTC')
  const details = [...(isNamed ? [`UTC${offsetAt(zone, now)}`] : []), clockText(view)].join(', ')
  const text = `${conversationText(place)} uses ${zoneName(zone)} time (${details}). ${zoneSources[source]}`
  const buttons = [
    showCallsButton,
    ...(source === 'channel' ? [commandButton('use-default', 'Use default', '/calls timezone default')] : []),
  ]
  const another = 'To change it, add a name: `/calls timezone America/New_York`.'
  return { text, blocks: [section(text), ...actionRow(buttons), context(another)] }
}

function changedText(view: ZoneView): string {
  const { place, zone, source } = view
  const where = conversationText(place)
  const name = zoneName(zone)
  if (source === 'person')
    return `${where} now uses each person's own time zone. Yours is ${name} (${clockText(view)}).`
  const used = source === 'workspace' ? `the workspace's time zone, ${name}` : `${name} time`
  return `${where} now uses ${used} (${clockText(view)}), for everyone here.`
}

/** @param untold why the channel wasn't told, in mrkdwn */
export function changedMessage(view: ZoneView, untold: string | undefined): Message {
  const text = changedText(view)
  const buttons = actionRow([showCallsButton])
  if (untold === undefined) return { text, blocks: [section(text), ...buttons] }
  return { text: `${text} ${untold}`, blocks: [section(text), context(untold), ...buttons] }
}

/** Posted in the channel. @param by a name, because a mention would notify that person */
export function zoneNotice({ place: { channel }, zone, source }: ZoneView, by: string): Message {
  const name = zoneName(zone)
  const used: Readonly<Record<ZoneSource, string>> = {
    channel: `${name} time`,
    workspace: `back to the workspace's time zone, ${name}`,
    person: "back to each person's own time zone",
    none: `back to ${name} time`,
  }
  const text = `${escapeText(cut(by, 80))} set <#${channel}> ${source === 'channel' ? 'to ' : ''}${used[source]}.`
  return { text, blocks: [section(text)] }
}

export function unknownZoneMessage(written: string, suggestions: readonly string[]): Message {
  const names = suggestions.map((zone) => `\`${zone}\``)
  const hint =
    names.length > 0
      ? `Did you mean ${joinNames(names, { word: 'or' })}?`
      : 'Use a name such as `Europe/Berlin` or an offset such as `+05:30`.'
  return textAnswer(`I don't know the time zone "${escapeText(written)}". ${hint}`).message
}
