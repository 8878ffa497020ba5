import type { types } from '@slack/bolt'
import { z } from 'zod'
import { action } from '../../slack/blocks/actions.ts'
import {
  context,
  cut,
  escapeText,
  header,
  isPersonId,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { durationText, localDay, recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { formatNumber } from '../../util/text.ts'
import { callLinks } from '../calls/actions.ts'

const MAX_LISTED_CALLS = 10
const MAX_COUNTED_LINES = 5
export const MAX_LABEL_LENGTH = 80

interface AlertMessageView {
  readonly lines: LineNames
  /** Time zone of the channel. */
  readonly zone: Zone
}

const alertMessageIdSchema = z.strictObject({ id: z.string().min(1).max(200) })
/** `at`: time of the action to undo; another person may have taken or closed the message since. */
const undoSchema = alertMessageIdSchema.extend({ at: z.number() })

export const messageActions = {
  take: action('alert.take', alertMessageIdSchema),
  done: action('alert.done', alertMessageIdSchema),
  release: action('alert.release', undoSchema),
  reopen: action('alert.reopen', undoSchema),
}

const lineText = (line: string, { lines }: AlertMessageView): string =>
  line === '' ? 'an unknown line' : cut(lines.getLabel(line), MAX_LABEL_LENGTH)

const formatAlertTime = ({ openedAt }: AlertMessageRecord, { zone }: AlertMessageView, at: number): string =>
  recentLabel(zone, new Date(at), new Date(openedAt))

/** Not escaped. */
function formatAlertTitle(message: AlertMessageRecord, view: AlertMessageView): string {
  const { count, firstAt, calls } = message
  const since = formatAlertTime(message, view, firstAt)
  const [only] = calls
  if (count > 1) return `${formatNumber(count)} missed calls since ${since}`
  return `Missed call at ${since}${only?.line ? ` on ${lineText(only.line, view)}` : ''}`
}

/** Returns mrkdwn. */
function formatHandledBy(message: AlertMessageRecord, view: AlertMessageView): string | undefined {
  const { taken, released, done, firstAt } = message
  const who = ({ name, at }: NonNullable<typeof taken>, separator = ' at ') =>
    `*${escapeText(cut(name, MAX_LABEL_LENGTH))}*${separator}${formatAlertTime(message, view, at)}`
  if (done) {
    const takenBy = taken && taken.person !== done.person ? ` Taken by ${who(taken)}.` : ''
    return `Done by ${who(done)}, after ${durationText(done.at - firstAt)}.${takenBy}`
  }
  if (taken) return `Taken by ${who(taken)}, after ${durationText(taken.at - firstAt)}.`
  return released && `Released by ${who(released, ', ')}.`
}

function toAlertCallsQuery({ id, calls, firstAt }: AlertMessageRecord, { zone }: AlertMessageView) {
  const latest = calls[0]?.at ?? firstAt
  const toDay = (at: number) => localDay(zone, new Date(at))
  return { from: toDay(firstAt), to: toDay(latest), alert: id }
}

function createButtons(message: AlertMessageRecord, view: AlertMessageView): types.Button[] {
  const { id, taken, channel } = message
  return [
    // A direct message has one reader, so there is nothing to take.
    ...(taken || isPersonId(channel) ? [] : [messageActions.take.button("I'll take it", { id }, 'primary')]),
    messageActions.done.button('Done', { id }),
    ...(taken ? [messageActions.release.button('Release', { id, at: taken.at })] : []),
    callLinks.missed.button('Show calls', toAlertCallsQuery(message, view)),
  ]
}

/** Returns the counts by phone line first. mrkdwn. */
function formatCalls(message: AlertMessageRecord, view: AlertMessageView): string[] {
  const { count, calls } = message
  const byLine = [...Map.groupBy(calls, ({ line }) => lineText(line, view))]
    .map(([line, { length }]) => ({ line: escapeText(line), length }))
    .toSorted((one, other) => other.length - one.length)
  const listed = calls.slice(0, MAX_LISTED_CALLS)
  const label = (at: number) => formatAlertTime(message, view, at)
  const [first] = byLine
  if (byLine.length === 1 && first)
    return [`On ${first.line}: ${listed.map(({ at }) => label(at)).join(' · ')}`]
  const others = byLine.slice(MAX_COUNTED_LINES).reduce((sum, { length }) => sum + length, 0)
  const counted = [
    ...byLine.slice(0, MAX_COUNTED_LINES).map(({ line, length }) => `${line}: ${formatNumber(length)}`),
    ...(others > 0 ? [`other lines: ${formatNumber(others)}`] : []),
  ].join(' · ')
  return [
    count > calls.length ? `Of the latest ${formatNumber(calls.length)}, ${counted}` : counted,
    ...listed.map(({ at, line }) => `${label(at)} · ${escapeText(lineText(line, view))}`),
  ]
}

const formatNotes = ({ count, lateByMs }: AlertMessageRecord): string[] => [
  ...(count > MAX_LISTED_CALLS ? [`Latest ${MAX_LISTED_CALLS} of ${formatNumber(count)}.`] : []),
  ...(lateByMs === undefined ? [] : [`Posted up to ${durationText(lateByMs)} after the call.`]),
]

export function alertMessage(message: AlertMessageRecord, view: AlertMessageView): Answer {
  const { id, openedAt, done, ownerName } = message
  const title = formatAlertTitle(message, view)
  const status = formatHandledBy(message, view)
  if (done) {
    const text = `${escapeText(title)} · ${status}`
    const accessory = messageActions.reopen.button('Reopen', { id, at: done.at })
    return { message: { text, blocks: [{ ...section(text), accessory }] } }
  }
  const calls = message.count > 1 ? formatCalls(message, view) : []
  const [counted, ...listed] = calls
  const notes = formatNotes(message)
  const about = [
    ...(ownerName === undefined ? [] : [`Set up by ${escapeText(cut(ownerName, MAX_LABEL_LENGTH))}.`]),
    `Times are in ${escapeText(zoneLabel(view.zone, new Date(openedAt)))}.`,
    'Change or mute this alert: `/calls alerts`',
  ]
  return {
    message: {
      text: textOfLines([escapeText(title), ...(status ? [status] : []), ...calls, ...notes]),
      blocks: [
        header(title),
        ...[counted, listed.join('\n'), status].flatMap((text) => (text ? [section(text)] : [])),
        ...(notes.length === 0 ? [] : [context(notes.join(' '))]),
        { type: 'actions', elements: createButtons(message, view) },
        context(about.join(' ')),
      ],
    },
  }
}
