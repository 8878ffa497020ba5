import type { types } from '@slack/bolt'
import { z } from 'zod'
import { action } from '../../slack/blocks/action.ts'
import {
  type Block,
  context,
  cut,
  escapeText,
  header,
  LIMITS,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { callLinks, menuAgentId } from '../../slack/blocks/links.ts'
import { type Column, fillTable, tableBlock, tableLines } from '../../slack/blocks/table.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import { type AlertMessageRecord, type MissedCall, MOST_ALERT_ROWS } from '../../store/alerts.ts'
import { type LineNames, lineKey } from '../../telephony/line-names.ts'
import { NUMBER_DIGITS } from '../../telephony/match-number.ts'
import { durationText, recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { numberText } from '../../util/text.ts'

interface AlertMessageView {
  readonly lines: LineNames
  /** The channel's. */
  readonly zone: Zone
}

const ofMessage = z.strictObject({ id: z.string().min(1).max(200) })

export const messageActions = {
  take: action('alert.take', ofMessage),
  done: action('alert.done', ofMessage),
}

/** `4 missed calls since 10:02`; of one, the line is named. */
export function titleOf(message: AlertMessageRecord, { lines, zone }: AlertMessageView): string {
  const { count, firstAt, openedAt, calls } = message
  const since = recentLabel(zone, new Date(firstAt), new Date(openedAt))
  const [only] = calls
  if (count > 1) return `${numberText(count)} missed calls since ${since}`
  const line =
    only === undefined || only.line === '' ? '' : ` on ${cut(lines.nameOf(only.line) ?? only.line, 80)}`
  return `Missed call${line} at ${since}`
}

const lateText = ({ lateByMs }: AlertMessageRecord): string | undefined =>
  lateByMs === undefined ? undefined : `Posted up to ${durationText(lateByMs)} after the call.`

/** Mrkdwn. */
function actsText(
  { taken, done, openedAt }: AlertMessageRecord,
  { zone }: AlertMessageView,
): string | undefined {
  const at = (instant: number) => recentLabel(zone, new Date(instant), new Date(openedAt))
  const who = (name: string) => `*${escapeText(cut(name, 80))}*`
  if (done) {
    const by = taken && taken.person !== done.person ? ` Taken by ${who(taken.name)} at ${at(taken.at)}.` : ''
    return `Done by ${who(done.name)} at ${at(done.at)}, after ${durationText(done.at - openedAt)}.${by}`
  }
  return taken ? `Taken by ${who(taken.name)} at ${at(taken.at)}.` : undefined
}

/** As `/calls` reads it: the missed calls of its days, and of its line or agent where it is for one alone. */
function callsOf({ calls, firstAt, line, agent }: AlertMessageRecord, { zone }: AlertMessageView) {
  const last = calls[0]?.at ?? firstAt
  const dayOf = (at: number) => localDay(zone, new Date(at))
  const digits = line === undefined ? '' : lineKey(line).slice(-NUMBER_DIGITS.most)
  return {
    from: dayOf(firstAt),
    to: dayOf(last),
    ...(/^\d{4,}$/.test(digits) ? { number: digits } : {}),
    ...(agent === undefined
      ? {}
      : { agentId: menuAgentId(agent), agentName: (agent.name || agent.id).slice(0, LIMITS.optionText) }),
  }
}

function buttonsOf(message: AlertMessageRecord, view: AlertMessageView): types.Button[] {
  const value = { id: message.id }
  return [
    ...(message.taken || message.done ? [] : [messageActions.take.button("I'll take it", value, 'primary')]),
    ...(message.done ? [] : [messageActions.done.button('Done', value)]),
    callLinks.missed.button('Show calls', callsOf(message, view)),
  ]
}

/** As much of a line's name and number. */
const cellLength = 80

const columns: readonly Column<MissedCall, AlertMessageView & Pick<AlertMessageRecord, 'openedAt'>>[] = [
  {
    title: 'Time',
    align: 'left',
    text: ({ at }, { openedAt, zone }) => recentLabel(zone, new Date(at), new Date(openedAt)),
  },
  {
    title: 'Line',
    align: 'left',
    text: ({ line }, { lines }) => (line === '' ? '–' : lines.labelOf(line)),
  },
]

function notesOf(message: AlertMessageRecord): string[] {
  const { count, calls, tooOld = 0 } = message
  const listed = Math.min(calls.length, MOST_ALERT_ROWS)
  const more = count - listed
  const late = lateText(message)
  return [
    ...(more > 0 ? [`The latest ${listed} are listed; ${numberText(more)} more aren't.`] : []),
    ...(late === undefined ? [] : [late]),
    ...(tooOld > 0
      ? [`${numberText(tooOld)} more were missed over a day ago. They aren't counted here.`]
      : []),
  ]
}

export function alertMessage(message: AlertMessageRecord, view: AlertMessageView): Answer {
  const title = titleOf(message, view)
  const { openedAt } = message
  const table = fillTable(columns, message.calls.slice(0, MOST_ALERT_ROWS), { ...view, openedAt })
  const acts = actsText(message, view)
  const notes = notesOf(message)
  const zoneText = `Times are in ${escapeText(zoneLabel(view.zone, new Date(openedAt)))}`
  const inShort = tableLines(table, cellLength)
  const text = textOfLines([escapeText(title), ...(message.count > 1 ? inShort : []), ...notes])
  const around = (list: readonly Block[]): Block[] => [
    header(title),
    ...list,
    ...(acts === undefined ? [] : [section(acts)]),
    ...(notes.length === 0 ? [] : [context(notes.join(' '))]),
    { type: 'actions', elements: buttonsOf(message, view) },
    context(`${zoneText}. To change or mute this alert: \`/calls alerts\``),
  ]
  return {
    message: { text, blocks: around([tableBlock(table, { cellLength })]) },
    otherwise: [() => ({ text, blocks: around([section(inShort.join('\n'))]) })],
  }
}
