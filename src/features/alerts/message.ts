import type { types } from '@slack/bolt'
import { z } from 'zod'
import { action } from '../../slack/blocks/action.ts'
import {
  actionRow,
  context,
  cut,
  escapeText,
  header,
  isPersonId,
  LIMITS,
  type Message,
  section,
  textOfLines,
} from '../../slack/blocks/blocks.ts'
import { callLinks, menuAgentId } from '../../slack/blocks/links.ts'
import type { Answer } from '../../slack/deliver/answer.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import { type LineNames, lineKey } from '../../telephony/lines.ts'
import { NUMBER_DIGITS } from '../../telephony/numbers.ts'
import { durationText, recentLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, zoneLabel } from '../../time/zones.ts'
import { numberText } from '../../util/text.ts'

/** Of several calls, as many are listed. */
const mostListed = 10
/** As many lines have their calls counted one by one. */
const mostCounted = 5
/** As much of a line's name or number. */
const lineLength = 80

interface AlertMessageView {
  readonly lines: LineNames
  /** The channel's. */
  readonly zone: Zone
}

const ofMessage = z.strictObject({ id: z.string().min(1).max(200) })
/** What is undone is what the message showed: somebody else may have taken or closed it since. */
const ofAct = ofMessage.extend({ at: z.number() })

export const messageActions = {
  take: action('alert.take', ofMessage),
  done: action('alert.done', ofMessage),
  release: action('alert.release', ofAct),
  reopen: action('alert.reopen', ofAct),
  agree: action('alert.agree', z.strictObject({ id: z.string().max(40) })),
}

const lineText = (line: string, { lines }: AlertMessageView): string =>
  line === '' ? 'an unknown line' : cut(lines.labelOf(line), lineLength)

const timeText = ({ openedAt }: AlertMessageRecord, { zone }: AlertMessageView, at: number): string =>
  recentLabel(zone, new Date(at), new Date(openedAt))

/** `4 missed calls since 10:02`; one is a sentence: `Missed call at 10:06 on Support Berlin`. Not escaped. */
function titleOf(message: AlertMessageRecord, view: AlertMessageView): string {
  const { count, firstAt, calls } = message
  const since = timeText(message, view, firstAt)
  const [only] = calls
  if (count > 1) return `${numberText(count)} missed calls since ${since}`
  return `Missed call at ${since}${only === undefined || only.line === '' ? '' : ` on ${lineText(only.line, view)}`}`
}

/** mrkdwn. How long it took is what the first one who called has waited, whenever the message came. */
function actsText(message: AlertMessageRecord, view: AlertMessageView): string | undefined {
  const { taken, done, firstAt } = message
  const who = ({ name, at }: NonNullable<typeof taken>) =>
    `*${escapeText(cut(name, lineLength))}* at ${timeText(message, view, at)}`
  if (done) {
    const by = taken && taken.person !== done.person ? ` Taken by ${who(taken)}.` : ''
    return `Done by ${who(done)}, after ${durationText(done.at - firstAt)}.${by}`
  }
  return taken && `Taken by ${who(taken)}, after ${durationText(taken.at - firstAt)}.`
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
  const { id, taken, channel } = message
  return [
    // Who has it for themselves has taken it.
    ...(taken || isPersonId(channel) ? [] : [messageActions.take.button("I'll take it", { id }, 'primary')]),
    messageActions.done.button('Done', { id }),
    ...(taken ? [messageActions.release.button('Release', { id, at: taken.at })] : []),
    callLinks.missed.button('Show calls', callsOf(message, view)),
  ]
}

/** How many on each line, in a line; and the latest ones. mrkdwn. */
function callsText(message: AlertMessageRecord, view: AlertMessageView): string[] {
  const { count, calls } = message
  const byLine = [...Map.groupBy(calls, ({ line }) => lineText(line, view))]
    .map(([line, { length }]) => ({ line: escapeText(line), length }))
    .toSorted((one, other) => other.length - one.length)
  const listed = calls.slice(0, mostListed)
  const timeOf = (at: number) => timeText(message, view, at)
  const [first] = byLine
  if (byLine.length === 1 && first)
    return [`On ${first.line}: ${listed.map(({ at }) => timeOf(at)).join(' · ')}`]
  const others = byLine.slice(mostCounted).reduce((sum, { length }) => sum + length, 0)
  const counted = [
    ...byLine.slice(0, mostCounted).map(({ line, length }) => `${line}: ${numberText(length)}`),
    ...(others > 0 ? [`other lines: ${numberText(others)}`] : []),
  ].join(' · ')
  return [
    count > calls.length ? `Of the latest ${calls.length}, ${counted}` : counted,
    ...listed.map(({ at, line }) => `${timeOf(at)} · ${escapeText(lineText(line, view))}`),
  ]
}

function notesOf({ count, lateByMs, tooOld = 0 }: AlertMessageRecord): string[] {
  return [
    ...(count > mostListed ? [`Latest ${mostListed} of ${numberText(count)}.`] : []),
    ...(lateByMs === undefined ? [] : [`Posted up to ${durationText(lateByMs)} after the call.`]),
    ...(tooOld > 0 ? [`${numberText(tooOld)} more were missed over a day ago, and aren't counted.`] : []),
  ]
}

export function alertMessage(message: AlertMessageRecord, view: AlertMessageView): Answer {
  const { id, openedAt, done, owner } = message
  const title = titleOf(message, view)
  const acts = actsText(message, view)
  if (done) {
    const text = `${escapeText(title)} · ${acts}`
    const accessory = messageActions.reopen.button('Reopen', { id, at: done.at })
    return { message: { text, blocks: [{ ...section(text), accessory }] } }
  }
  const calls = message.count > 1 ? callsText(message, view) : []
  const [counted, ...listed] = calls
  const notes = notesOf(message)
  const about = [
    ...(owner === undefined ? [] : [`Set up by ${escapeText(cut(owner, lineLength))}.`]),
    `Times are in ${escapeText(zoneLabel(view.zone, new Date(openedAt)))}.`,
    'Change or mute this alert: `/calls alerts`',
  ]
  return {
    message: {
      text: textOfLines([escapeText(title), ...(acts === undefined ? [] : [acts]), ...calls, ...notes]),
      blocks: [
        header(title),
        ...(counted === undefined ? [] : [section(counted)]),
        ...(listed.length === 0 ? [] : [section(listed.join('\n'))]),
        ...(acts === undefined ? [] : [section(acts)]),
        ...(notes.length === 0 ? [] : [context(notes.join(' '))]),
        { type: 'actions', elements: buttonsOf(message, view) },
        context(about.join(' ')),
      ],
    },
  }
}

/** Asks a person, before anything is sent to them. @param by who set it up @param what mrkdwn */
export function consentMessage({ id }: { readonly id: string }, by: string, what: string): Message {
  const text = `<@${by}> set up missed-call alerts for you: ${what}, in this conversation. Nothing is sent until you agree.`
  return {
    text,
    blocks: [section(text), ...actionRow([messageActions.agree.button('Agree', { id }, 'primary')])],
  }
}
