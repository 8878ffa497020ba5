import type { types } from '@slack/bolt'
import { overflow } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import { type Attribution, getPostedAt, isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { durationText, recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { countNoun, formatNumber } from '../../util/text.ts'
import { alertMenu, listActions, messageActions, messageEntries } from './actions.ts'
import { describeStates, labelCalls, MAX_LABEL_LENGTH, nameLine } from './words.ts'

const MAX_TIMES = 10
/** Each line has a row with a button. */
const MAX_LINE_ROWS = 10
/** Fits a message of 12,000 bytes, however long all names are. */
const SMALL_LINE_ROWS = 3

export interface AlertMessageView {
  readonly message: AlertMessageRecord
  /** Newest first. */
  readonly calls: readonly MissedCallRecord[]
  readonly lines: LineNames
  /** Time zone of the channel. */
  readonly zone: Zone
}

const formatAlertTime = ({ message, zone }: AlertMessageView, at: number): string =>
  recentLabel(zone, new Date(at), new Date(message.openedAt))

/** Not escaped. */
function formatAlertTitle(view: AlertMessageView): string {
  const { message, calls, lines } = view
  const { count, firstAt } = message
  const since = formatAlertTime(view, firstAt)
  if (count > 1) return `${formatNumber(count)} missed calls since ${since}`
  const line = calls[0]?.line
  return line ? `Missed call at ${since} on ${nameLine(line, lines)}` : `Missed call at ${since}`
}

interface LineCalls {
  readonly line: string
  /** Newest first. */
  readonly calls: readonly MissedCallRecord[]
}

/** Returns the lines with the most calls first. */
function groupByLine(calls: readonly MissedCallRecord[]): readonly LineCalls[] {
  const groups = Map.groupBy(calls, ({ line }) => line)
  const lines = [...groups].map(([line, lineCalls]) => ({ line, calls: lineCalls }))
  return lines.toSorted((one, other) => other.calls.length - one.calls.length)
}

/** Returns mrkdwn. */
const formatStates = (view: AlertMessageView, calls: readonly MissedCallRecord[]): string =>
  blocks.escapeText(describeStates(calls, (at) => formatAlertTime(view, at)))

const formatFirstTime = (view: AlertMessageView, calls: readonly MissedCallRecord[]): string =>
  formatAlertTime(view, calls.at(-1)?.at ?? 0)

/** `11:04`, or `11:04–11:06` */
function formatTimes(view: AlertMessageView, calls: readonly MissedCallRecord[]): string {
  const first = formatFirstTime(view, calls)
  const last = formatAlertTime(view, calls[0]?.at ?? 0)
  return first === last ? first : `${first}–${last}`
}

/**
 * Returns mrkdwn: `*Sales London* · 20 · 11:04–11:05 · Ben Okoro has them`
 * @param shared the state of all calls, which their lines don't repeat
 */
function formatLine(view: AlertMessageView, { line, calls }: LineCalls, shared: string | undefined): string {
  const name = blocks.escapeText(nameLine(line, view.lines))
  const parts = [`*${name}*`, formatNumber(calls.length), formatTimes(view, calls)]
  const state = shared === undefined ? formatStates(view, calls) : ''
  if (state !== '') parts.push(state)
  return parts.join(' · ')
}

function haveSameState(one: MissedCallRecord, other: MissedCallRecord): boolean {
  return (
    one.taken?.at === other.taken?.at &&
    one.taken?.person === other.taken?.person &&
    one.done?.at === other.done?.at &&
    one.done?.person === other.done?.person &&
    one.released?.at === other.released?.at
  )
}

/** Returns mrkdwn. */
const formatPerson = (name: string): string => `*${blocks.escapeText(blocks.cut(name, MAX_LABEL_LENGTH))}*`

/** Returns mrkdwn: `*Ada* at 11:05` */
const formatAttribution = (view: AlertMessageView, { name, at }: Attribution): string =>
  `${formatPerson(name)} at ${formatAlertTime(view, at)}`

/** Returns how long after the first message a call was taken or done. */
function formatDelay({ calls, message }: AlertMessageView, at: number): string {
  const postedAt = Math.min(...calls.map((call) => getPostedAt(call) ?? message.openedAt))
  return durationText(Math.max(0, at - postedAt))
}

/** Returns mrkdwn: `Taken by *Ada* at 11:05, after 4 min.` Undefined if the calls have several states, or just wait. */
function formatSharedState(view: AlertMessageView): string | undefined {
  const { calls } = view
  const [call] = calls
  if (!call?.taken && !call?.done && !call?.released) return undefined
  if (!calls.every((other) => haveSameState(call, other))) return undefined
  const { taken, done, released } = call
  if (done) {
    const text = `Done by ${formatAttribution(view, done)}, after ${formatDelay(view, done.at)}.`
    if (!taken || taken.person === done.person) return text
    return `${text} Taken by ${formatAttribution(view, taken)}.`
  }
  if (taken) {
    const text = `Taken by ${formatAttribution(view, taken)}, after ${formatDelay(view, taken.at)}.`
    if (taken.assignedBy === undefined) return text
    return `${text} Assigned by ${formatPerson(taken.assignedBy)}.`
  }
  if (!released) return undefined
  const pronoun = calls.length === 1 ? 'it' : 'them'
  return `Released by ${formatAttribution(view, released)} (${formatPerson(released.before.name)} had ${pronoun}).`
}

/** `Times in Europe/Berlin (UTC+01:00) · Set up by Ada Marsh`. mrkdwn. */
function formatSmallPrint({ message, zone }: AlertMessageView): string {
  const { openedAt, ownerName } = message
  const parts = [`Times in ${zoneLabel(zone, new Date(openedAt))}`]
  if (ownerName !== undefined) parts.push(`Set up by ${blocks.cut(ownerName, MAX_LABEL_LENGTH)}`)
  return blocks.escapeText(parts.join(' · '))
}

function listMessageNotes(
  { message, calls }: AlertMessageView,
  lineCount: number,
  maxRows: number,
): string[] {
  const { count, lateByMs } = message
  const notes: string[] = []
  const olderCount = count - calls.length
  if (lineCount === 1 && calls.length > MAX_TIMES)
    notes.push(`Latest ${MAX_TIMES} of ${formatNumber(calls.length)}.`)
  if (lineCount > maxRows) notes.push(`The first ${maxRows} of ${formatNumber(lineCount)} lines.`)
  if (olderCount > 0)
    notes.push(`The oldest ${formatNumber(olderCount)} are only counted: see \`/calls missed\`.`)
  if (lateByMs !== undefined) notes.push(`Posted up to ${durationText(lateByMs)} after the call.`)
  return notes
}

const muteEntries = [
  [messageEntries.muteHour, 'Mute for an hour'],
  [messageEntries.muteDay, 'Mute until tomorrow'],
  [messageEntries.edit, 'Edit alert…'],
] as const

/** Slack's menus have up to five entries. */
function buildMenu({ message, calls }: AlertMessageView): types.Overflow {
  if (calls.every(({ done }) => done)) {
    const reopen = [messageEntries.reopen, 'Reopen'] as const
    return overflow(reopen, [listActions.missedEntry, 'Show calls'], ...muteEntries)
  }
  // A direct message has one reader, so there is nothing to hand over.
  if (blocks.isPersonId(message.channel)) return overflow(...muteEntries)
  const assign = [messageEntries.assign, 'Assign to…'] as const
  const isTaken = calls.some(({ taken, done }) => taken && !done)
  if (!isTaken) return overflow(assign, ...muteEntries)
  return overflow(assign, [messageEntries.release, 'Release'], ...muteEntries)
}

/** New for each change, because Slack keeps an unchanged block. */
function getMenuId({ calls, message }: AlertMessageView): string {
  let at = message.openedAt
  for (const { taken, done, released } of calls)
    at = Math.max(at, taken?.at ?? 0, done?.at ?? 0, released?.at ?? 0)
  return alertMenu.blockId({ id: message.id, at }, String(message.revision))
}

/** A direct message has one reader, so there is nothing to take. */
const isTakeable = ({ message }: AlertMessageView, calls: readonly MissedCallRecord[]): boolean =>
  calls.some(isWaiting) && !blocks.isPersonId(message.channel)

function buildButtons(view: AlertMessageView, takeText: string): types.ActionsBlock {
  const { id } = view.message
  const elements: types.ActionsBlockElement[] = []
  if (isTakeable(view, view.calls)) elements.push(messageActions.take.button(takeText, { id }, 'primary'))
  elements.push(messageActions.done.button('Done', { id }))
  elements.push(listActions.missed.button('Show calls', { alert: id }))
  elements.push(buildMenu(view))
  return { type: 'actions', block_id: getMenuId(view), elements }
}

/** Renders a message whose calls are all done: its lines without buttons. */
function doneMessage(view: AlertMessageView, lines: readonly LineCalls[]): Answer {
  const shared = formatSharedState(view)
  const texts = [`${blocks.escapeText(formatAlertTitle(view))} · ${shared ?? 'Done'}`]
  if (lines.length > 1)
    for (const line of lines.slice(0, MAX_LINE_ROWS)) texts.push(formatLine(view, line, shared))
  const block = { ...blocks.section(texts.join('\n')), block_id: getMenuId(view), accessory: buildMenu(view) }
  return { message: { text: blocks.textOfLines(texts), blocks: [block] } }
}

/** Tells of calls that the alert didn't post. */
function notPostedMessage({ message }: AlertMessageView): Answer {
  const { count, id } = message
  const text = `${countNoun(count, 'call')} ${count === 1 ? 'was' : 'were'} missed meanwhile and not posted.`
  return { message: blocks.textMessage(text, [listActions.missed.button('Show calls', { alert: id })]) }
}

interface Content {
  /** mrkdwn. */
  readonly texts: string[]
  readonly rows: blocks.Block[]
}

/** The times of the calls, and who takes care of them. */
function renderLine(view: AlertMessageView, { line, calls }: LineCalls): Content {
  const texts: string[] = []
  if (view.message.count > 1) {
    const times = calls.slice(0, MAX_TIMES).map(({ at }) => formatAlertTime(view, at))
    texts.push(`On ${blocks.escapeText(nameLine(line, view.lines))}: ${times.join(' · ')}`)
  }
  const state = formatSharedState(view) ?? formatStates(view, view.calls)
  if (state !== '') texts.push(state)
  return { texts, rows: texts.map(blocks.section) }
}

/** A row for each line; below them, what all have in common. */
function renderLines(view: AlertMessageView, lines: readonly LineCalls[]): Content {
  const { id } = view.message
  const shared = formatSharedState(view)
  const texts: string[] = []
  const rows: blocks.Block[] = []
  for (const [index, { line, calls }] of lines.entries()) {
    const text = formatLine(view, { line, calls }, shared)
    texts.push(text)
    const row = blocks.section(text)
    rows.push(row)
    if (!isTakeable(view, calls)) continue
    const take = messageActions.takeLine.named(String(index)).button('Take', { id, line })
    const label = `Take ${labelCalls(calls.length, formatFirstTime(view, calls), nameLine(line, view.lines))}`
    row.accessory = blocks.withLabel(take, label)
  }
  if (shared !== undefined) {
    texts.push(shared)
    rows.push(blocks.section(shared))
  }
  return { texts, rows }
}

function openMessage(view: AlertMessageView, lines: readonly LineCalls[], maxRows: number): blocks.Message {
  const title = formatAlertTitle(view)
  const [first, ...others] = lines
  const isOneLine = first !== undefined && others.length === 0
  const { texts, rows } = isOneLine ? renderLine(view, first) : renderLines(view, lines.slice(0, maxRows))
  const notes = listMessageNotes(view, lines.length, maxRows)
  const buttons = buildButtons(view, lines.length > 1 ? 'Take all' : "I'll take it")
  const smallPrint = blocks.context([...notes, formatSmallPrint(view)].join(' '))
  return {
    text: blocks.textOfLines([blocks.escapeText(title), ...texts, ...notes]),
    blocks: [blocks.header(title), ...rows, buttons, smallPrint],
  }
}

export function alertMessage(view: AlertMessageView): Answer {
  if (view.message.isNotPosted) return notPostedMessage(view)
  const lines = groupByLine(view.calls)
  if (view.calls.length > 0 && view.calls.every(({ done }) => done)) return doneMessage(view, lines)
  return {
    message: openMessage(view, lines, MAX_LINE_ROWS),
    otherwise: [() => openMessage(view, lines, SMALL_LINE_ROWS)],
  }
}
