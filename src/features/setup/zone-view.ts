import { z } from 'zod'
import type { ScheduleInfo } from '../../planned/schedule-kind.ts'
import { MOST_CHANNEL_SETTINGS, type ZoneSource } from '../../slack/access/workspaces.ts'
import { isDirectConversation } from '../../slack/api/channels.ts'
import { action } from '../../slack/blocks/action.ts'
import { actionRow, context, cut, escapeText, type Message, section } from '../../slack/blocks/blocks.ts'
import { commandButton, showCallsButton } from '../../slack/blocks/command-button.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import type { Interaction } from '../../slack/routing/routes.ts'
import { isUtcOffset } from '../../time/offsets.ts'
import type { Zone } from '../../time/types.ts'
import { parseZone } from '../../time/zone-names.ts'
import { offsetAt, wallTime } from '../../time/zones.ts'
import { capital, numberText } from '../../util/text.ts'
import { zoneName, zoneSources } from './words.ts'

const zone = z.string().transform((text, context): Zone => {
  const parsed = parseZone(text)
  if (parsed !== undefined) return parsed
  context.addIssue({ code: 'custom', message: 'no time zone' })
  return z.NEVER
})

/** What a change did to a channel's own time zone; none: the workspace's holds. */
const zoneChange = z.strictObject({ before: zone.optional(), set: zone.optional() })

export const zoneActions = { undo: action('setup.zone.undo', zoneChange) }

/** The time zone that holds in a channel, for the person who asked. */
export interface ZoneView {
  readonly place: Pick<Interaction, 'channel' | 'channelName'>
  readonly zone: Zone
  readonly source: ZoneSource
  readonly now: Date
}

const clock = ({ zone, now }: ZoneView) => `${wallTime(zone, now).slice(11, 16)} now`

/** A payload may call a private channel what it calls a group of direct messages. */
function placeText({ channel, channelName }: ZoneView['place']): string {
  if (isDirectConversation(channel, channelName)) return 'This conversation'
  return channelName === 'privategroup' ? 'This channel' : `<#${channel}>`
}

const useButton = (id: string, zone: string) => commandButton(id, `Use ${zone}`, `/calls timezone ${zone}`)

export function zoneMessage(view: ZoneView, ofProfile?: string): Message {
  const { place, zone, source, now } = view
  const mine = parseZone(ofProfile ?? '')
  const isNamed = !isUtcOffset(zone) && zone !== parseZone('UTC')
  const details = [...(isNamed ? [`UTC${offsetAt(zone, now)}`] : []), clock(view)].join(', ')
  const text = `${placeText(place)} shows ${zoneName(zone)} time (${details}). ${zoneSources[source]}`
  const buttons = [
    showCallsButton,
    ...(mine === undefined || mine === zone ? [] : [useButton('use-mine', mine)]),
    ...(source === 'channel' ? [commandButton('use-default', 'Use default', '/calls timezone default')] : []),
  ]
  const another = 'For another time zone, add its name: `/calls timezone America/New_York`.'
  return { text, blocks: [section(text), ...actionRow(buttons), context(another)] }
}

function changedText(view: ZoneView, isUndone: boolean): string {
  const { place, zone, source } = view
  const says = (what: string) =>
    `${placeText(place)} ${isUndone ? `shows ${what} again` : `now shows ${what}`}`
  const name = zoneName(zone)
  if (source === 'person')
    return `${says('each person their own time zone')}. Yours is ${name} (${clock(view)}).`
  const what = source === 'workspace' ? `the workspace's time zone, ${name}` : `${name} time`
  return `${says(what)} (${clock(view)}), for everyone here.`
}

/** What else goes by the channel's time zone. */
interface FollowsZone {
  readonly alerts: boolean
  readonly schedules: boolean
}

function followText({ alerts, schedules }: FollowsZone): string | undefined {
  const what = [
    ...(alerts ? ['the hours of alerts'] : []),
    ...(schedules ? ['the times of schedules'] : []),
  ].join(' and ')
  return what === '' ? undefined : `${capital(what)} in this channel follow it.`
}

/**
 * @param change what may be undone; `undefined` where this undid one
 * @param untold why the channel was not told of it, in mrkdwn; `undefined` where it was, or where there is nobody to tell
 */
export function changedMessage(
  view: ZoneView,
  change: Readonly<z.infer<typeof zoneChange>> | undefined,
  untold: string | undefined,
  follows: FollowsZone,
): Message {
  // Where each person has their own, it's none of those.
  const follow = view.source === 'person' ? undefined : followText(follows)
  const changed = changedText(view, change === undefined)
  const text = follow === undefined ? changed : `${changed} ${follow}`
  const buttons = [showCallsButton, ...(change ? [zoneActions.undo.button('Undo', change)] : [])]
  if (untold === undefined) return { text, blocks: [section(text), ...actionRow(buttons)] }
  return { text: `${text} ${untold}`, blocks: [section(text), context(untold), ...actionRow(buttons)] }
}

/** What the channel is told. @param by a name: a mention would notify that person */
export function zoneNotice(
  { place: { channel }, zone, source }: ZoneView,
  by: string,
  isUndone: boolean,
): Message {
  const back = isUndone || source !== 'channel' ? 'back ' : ''
  const what: Readonly<Record<ZoneSource, string>> = {
    channel: `${zoneName(zone)} time`,
    workspace: `the workspace's time zone, ${zoneName(zone)}`,
    person: "each person's own time zone",
    none: `${zoneName(zone)} time`,
  }
  const text = `${escapeText(cut(by, 80))} set <#${channel}> ${back}to ${what[source]}.`
  return { text, blocks: [section(text)] }
}

export function unknownZoneMessage(written: string, suggestions: readonly string[]): Message {
  const quoted = `"${escapeText(written)}"`
  if (suggestions.length > 0) {
    const text = `${quoted} isn't a full time zone name.`
    const buttons = suggestions.map((zone, index) => useButton(`use-${index + 1}`, zone))
    return { text, blocks: [section(text), ...actionRow(buttons)] }
  }
  const text = `${quoted} isn't a time zone. Use a name such as \`Europe/Berlin\` or an offset such as \`+05:30\`.`
  return textAnswer(text).message
}

export function changedSinceMessage(view: ZoneView): Message {
  const text = `The time zone has changed since, so there's nothing to undo. ${placeText(view.place)} shows ${zoneName(view.zone)} time (${clock(view)}).`
  return { text, blocks: [section(text), ...actionRow([showCallsButton])] }
}

/** For who may not change the time zone of a channel that has schedules. */
export const zoneIsScheduledAnswer = ({ posts, needs }: Pick<ScheduleInfo, 'posts' | 'needs'>): Answer =>
  textAnswer(
    `${capital(posts)} are scheduled in this channel, and follow its time zone. Only people who can see ${needs} can change it. Ask an administrator to change it, or to give you access to ${needs}.`,
  )

export const tooManyZonesAnswer: Answer = textAnswer(
  `${numberText(MOST_CHANNEL_SETTINGS)} channels have a time zone of their own already, and there can't be more. Nothing was changed. \`/calls timezone default\` in a channel that needs none makes room.`,
)
