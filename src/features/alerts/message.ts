import type { types } from '@slack/bolt'
import { overflow } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import { getPostedAt, isWaiting, type MissedCallRecord } from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { durationText, recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { countNoun, formatNumber } from '../../util/text.ts'
import { alertMenu, listActions, messageActions, messageEntries } from './actions.ts'
import { countStates, describeCounts, MAX_LABEL_LENGTH, nameLine } from './words.ts'

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
  return `Missed call at ${since}${line ? ` on ${nameLine(line, lines)}` : ''}`
}

interface LineCalls {
  readonly line: string
  /** Newest first. */
  readonly calls: readonly MissedCallRecord[]
}

/** Returns the lines with the most calls first. */
function groupByLine(calls: readonly MissedCallRecord[]): readonly LineCalls[] {
  const groups = Map.groupBy(calls, ({ line }) => line)
  const lines = [...groups].map(([line, own]) => ({ line, calls: own }))
  return lines.toSorted((one, other) => other.calls.length - one.calls.length)
}

/** `11:04`, or `11:04–11:06` */
function formatTimes(view: AlertMessageView, calls: readonly MissedCallRecord[]): string {
  const first = formatAlertTime(view, calls.at(-1)?.at ?? 0)
  const last = formatAlertTime(view, calls[0]?.at ?? 0)
  return first === last ? first : `${first}–${last}`
}

/** Returns mrkdwn: `*Sales London* · 20 · 11:04–11:05 · Ben Okoro has them` */
function formatLine(view: AlertMessageView, { line, calls }: LineCalls, { hasState = true } = {}): string {
  const name = blocks.escapeText(nameLine(line, view.lines))
  const parts = [`*${name}*`, formatNumber(calls.length), formatTimes(view, calls)]
  if (!hasState) return parts.join(' · ')
  const state = describeCounts(countStates(calls), (at) => formatAlertTime(view, at))
  if (state !== '') parts.push(blocks.escapeText(state))
  return parts.join(' · ')
}

/** Returns mrkdwn: `Taken by *Ada* at 11:05, after 4 min.` Undefined if the calls have several states. */
function formatSharedState(view: AlertMessageView): string | undefined {
  const { calls, message } = view
  const [call, ...others] = calls
  if (!call) return undefined
  const { taken, done, released } = call
  const isShared = others.every(
    (one) =>
      one.taken?.at === taken?.at &&
      one.taken?.person === taken?.person &&
      one.done?.at === done?.at &&
      one.done?.person === done?.person &&
      one.released?.at === released?.at,
  )
  if (!isShared) return undefined
  const name = (person: { readonly name: string }) =>
    `*${blocks.escapeText(blocks.cut(person.name, MAX_LABEL_LENGTH))}*`
  const postedAt = Math.min(...calls.map((one) => getPostedAt(one) ?? message.openedAt))
  const after = (at: number) => durationText(Math.max(0, at - postedAt))
  if (done) {
    const finished = `Done by ${name(done)} at ${formatAlertTime(view, done.at)}, after ${after(done.at)}.`
    if (!taken || taken.person === done.person) return finished
    return `${finished} Taken by ${name(taken)} at ${formatAlertTime(view, taken.at)}.`
  }
  if (taken) {
    const assigned = taken.assignedBy === undefined ? '' : ` Assigned by ${name({ name: taken.assignedBy })}.`
    return `Taken by ${name(taken)} at ${formatAlertTime(view, taken.at)}, after ${after(taken.at)}.${assigned}`
  }
  if (!released) return undefined
  return `Released by ${name(released)} at ${formatAlertTime(view, released.at)} (${name(released.before)} had ${calls.length === 1 ? 'it' : 'them'}).`
}

/** Returns mrkdwn. */
function formatOneLine(view: AlertMessageView, { line, calls }: LineCalls): string {
  const times = calls.slice(0, MAX_TIMES).map(({ at }) => formatAlertTime(view, at))
  return `On ${blocks.escapeText(nameLine(line, view.lines))}: ${times.join(' · ')}`
}

function listMessageNotes(
  { message, calls }: AlertMessageView,
  lineCount: number,
  maxRows: number,
): string[] {
  const { count, lateByMs } = message
  const notes: string[] = []
  const older = count - calls.length
  if (lineCount === 1 && calls.length > MAX_TIMES)
    notes.push(`Latest ${MAX_TIMES} of ${formatNumber(calls.length)}.`)
  if (lineCount > maxRows) notes.push(`The first ${maxRows} of ${formatNumber(lineCount)} lines.`)
  if (older > 0) notes.push(`The oldest ${formatNumber(older)} are only counted: see \`/calls missed\`.`)
  if (lateByMs !== undefined) notes.push(`Posted up to ${durationText(lateByMs)} after the call.`)
  return notes
}

/** `Times in Europe/Berlin (UTC+01:00) · Set up by Ada Marsh`. mrkdwn. */
function formatSmallPrint({ message, zone }: AlertMessageView): string {
  const { openedAt, ownerName } = message
  const parts = [`Times in ${zoneLabel(zone, new Date(openedAt))}`]
  if (ownerName !== undefined) parts.push(`Set up by ${blocks.cut(ownerName, MAX_LABEL_LENGTH)}`)
  return blocks.escapeText(parts.join(' · '))
}

const getLatestChange = ({ calls, message }: AlertMessageView): number => {
  let latest = message.openedAt
  for (const { taken, done, released } of calls)
    latest = Math.max(latest, taken?.at ?? 0, done?.at ?? 0, released?.at ?? 0)
  return latest
}

const muteEntries = [
  [messageEntries.muteHour, 'Mute for an hour'],
  [messageEntries.muteDay, 'Mute until tomorrow'],
  [messageEntries.edit, 'Edit alert…'],
] as const

/** Slack's menus have up to five entries. */
function buildMenu({ message, calls }: AlertMessageView): types.Overflow {
  if (calls.every(({ done }) => done))
    return overflow(
      [messageEntries.reopen, 'Reopen'],
      [listActions.missedEntry, 'Show calls'],
      ...muteEntries,
    )
  const [first, ...others] = muteEntries
  // A direct message has one reader, so there is nothing to hand over.
  if (blocks.isPersonId(message.channel)) return overflow(first, ...others)
  const assign = [messageEntries.assign, 'Assign to…'] as const
  const isTaken = calls.some(({ taken, done }) => taken && !done)
  if (!isTaken) return overflow(assign, ...muteEntries)
  return overflow(assign, [messageEntries.release, 'Release'], ...muteEntries)
}

function buildButtons(view: AlertMessageView, lineCount: number): types.ActionsBlock {
  const { message, calls } = view
  const { id, channel } = message
  const elements: types.ActionsBlockElement[] = []
  const isTakeable = calls.some(isWaiting) && !blocks.isPersonId(channel)
  const takeText = lineCount > 1 ? 'Take all' : "I'll take it"
  if (isTakeable) elements.push(messageActions.take.button(takeText, { id }, 'primary'))
  elements.push(messageActions.done.button('Done', { id }))
  elements.push(listActions.missed.button('Show calls', { alert: id }))
  elements.push(buildMenu(view))
  return { type: 'actions', block_id: getMenuId(view), elements }
}

/** New for each change, because Slack keeps an unchanged block. */
const getMenuId = (view: AlertMessageView): string =>
  alertMenu.blockId({ id: view.message.id, at: getLatestChange(view) }, String(view.message.revision))

interface RowOptions {
  readonly index: number
  /** False if a line below says the same for all rows. */
  readonly hasState: boolean
}

function buildRow(view: AlertMessageView, own: LineCalls, { index, hasState }: RowOptions): blocks.Block {
  const { id, channel } = view.message
  const row = blocks.section(formatLine(view, own, { hasState }))
  if (blocks.isPersonId(channel) || !own.calls.some(isWaiting)) return row
  const take = messageActions.takeLine.named(String(index)).button('Take', { id, line: own.line })
  return { ...row, accessory: take }
}

/** Keeps its lines, and its calls can still be listed. */
function doneMessage(view: AlertMessageView, lines: readonly LineCalls[]): Answer {
  const title = blocks.escapeText(formatAlertTitle(view))
  const shared = formatSharedState(view)
  const head = shared === undefined ? `${title} · Done` : `${title} · ${shared}`
  const hasState = shared === undefined
  const texts = lines.length > 1 ? lines.map((own) => formatLine(view, own, { hasState })) : []
  const shown = [head, ...texts.slice(0, MAX_LINE_ROWS)]
  const block = { ...blocks.section(shown.join('\n')), block_id: getMenuId(view), accessory: buildMenu(view) }
  return { message: { text: blocks.textOfLines(shown), blocks: [block] } }
}

/** Tells of calls that the alert didn't post. */
function notPostedMessage({ message }: AlertMessageView): Answer {
  const { count, id } = message
  const text = `${countNoun(count, 'call')} ${count === 1 ? 'was' : 'were'} missed meanwhile and not posted.`
  return { message: blocks.textMessage(text, [listActions.missed.button('Show calls', { alert: id })]) }
}

interface CallTexts {
  /** mrkdwn. */
  readonly texts: readonly string[]
  readonly rows: readonly blocks.Block[]
}

/** The calls of one line, and who takes care of them. */
function renderLine(view: AlertMessageView, line: LineCalls): CallTexts {
  const texts: string[] = []
  if (view.message.count > 1) texts.push(formatOneLine(view, line))
  const status = formatSharedState(view) ?? describeStates(view)
  if (status !== '') texts.push(status)
  return { texts, rows: texts.map(blocks.section) }
}

function renderLines(view: AlertMessageView, lines: readonly LineCalls[]): CallTexts {
  const shared = formatSharedState(view)
  const hasState = shared === undefined
  const texts = lines.map((own) => formatLine(view, own, { hasState }))
  const rows = lines.map((own, index) => buildRow(view, own, { index, hasState }))
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
  const below = [...notes, formatSmallPrint(view)]
  return {
    text: blocks.textOfLines([blocks.escapeText(title), ...texts, ...notes]),
    blocks: [
      blocks.header(title),
      ...rows,
      buildButtons(view, lines.length),
      blocks.context(below.join(' ')),
    ],
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

/** Returns mrkdwn. */
function describeStates(view: AlertMessageView): string {
  return blocks.escapeText(describeCounts(countStates(view.calls), (at) => formatAlertTime(view, at)))
}
