import { isDeepStrictEqual } from 'node:util'
import type { types } from '@slack/bolt'
import { overflow } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import * as missedCalls from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { durationText, recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { countNoun, formatNumber } from '../../util/text.ts'
import * as actions from './actions.ts'
import * as words from './words.ts'

/** Each line has a row with a button. */
const MAX_LINE_ROWS = 10
/** Fits a message of 12,000 bytes, however long all names are. */
const SMALL_LINE_ROWS = 3

type Calls = readonly missedCalls.MissedCallRecord[]

interface AlertMessageView {
  readonly message: AlertMessageRecord
  /** Newest first. */
  readonly calls: Calls
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
  return `Missed call at ${since} on ${words.nameLine(calls[0]?.line ?? '', lines)}`
}

/** Calls of one line, newest first. */
type LineCalls = readonly [line: string, calls: Calls]

/** Returns the lines with the most calls first. */
const groupByLine = (calls: Calls): readonly LineCalls[] =>
  [...Map.groupBy(calls, ({ line }) => line)].sort(([, a], [, b]) => b.length - a.length)

const formatFirstTime = (view: AlertMessageView, calls: Calls): string =>
  formatAlertTime(view, calls.at(-1)?.at ?? 0)

/**
 * Returns mrkdwn: `*Sales London* · 20 · 11:04–11:05 · Ben Okoro has them`, `*Sales Paris* · 2 · 5 Nov, 11:04–6 Nov, 09:05`
 * @param shared the state of all calls, which their lines don't repeat
 */
function formatLine(view: AlertMessageView, [line, calls]: LineCalls, shared: string | undefined): string {
  const firstTime = formatFirstTime(view, calls)
  const lastTime = recentLabel(view.zone, new Date(calls[0]?.at ?? 0), new Date(calls.at(-1)?.at ?? 0))
  // Both can be in the same minute, on a day before the message.
  const times = firstTime.endsWith(lastTime) ? firstTime : `${firstTime}–${lastTime}`
  const name = blocks.escapeText(words.nameLine(line, view.lines))
  const text = `*${name}* · ${formatNumber(calls.length)} · ${times}`
  if (shared !== undefined) return text
  const states = words.describeStates(calls)
  return states === '' ? text : `${text} · ${blocks.escapeText(states)}`
}

/** Returns who took, finished and released a call, and when. */
const listActs = ({ taken, done, released }: missedCalls.MissedCallRecord) =>
  [taken, done, released].map((act) => act && [act.person, act.at])

/** Returns mrkdwn: `Taken by *Ada* at 11:05, after 4 min.` Undefined if the calls have several states, or just wait. */
function formatSharedState(view: AlertMessageView): string | undefined {
  const { calls, message } = view
  const [call] = calls
  if (!call || !calls.every((other) => isDeepStrictEqual(listActs(call), listActs(other)))) return undefined
  const { taken, done, released } = call
  const formatAct = ({ name, at }: missedCalls.Attribution) =>
    `by *${words.formatLabel(name)}* at ${formatAlertTime(view, at)}`
  const postedAt = Math.min(...calls.map((other) => missedCalls.getPostedAt(other) ?? message.openedAt))
  /** Counted from the first message. */
  const formatDelay = ({ at }: missedCalls.Attribution) => `after ${durationText(Math.max(0, at - postedAt))}`
  if (done) {
    const text = `Done ${formatAct(done)}, ${formatDelay(done)}.`
    if (!taken || taken.person === done.person) return text
    return `${text} Taken ${formatAct(taken)}.`
  }
  if (taken) {
    const text = `Taken ${formatAct(taken)}, ${formatDelay(taken)}.`
    if (taken.assignedBy === undefined) return text
    return `${text} Assigned by *${words.formatLabel(taken.assignedBy)}*.`
  }
  if (!released) return undefined
  const pronoun = calls.length === 1 ? 'it' : 'them'
  return `Released ${formatAct(released)} (*${words.formatLabel(released.before.name)}* had ${pronoun}).`
}

const sharedEntries = [
  [actions.alertEntries.muteHour, 'Mute for an hour'],
  [actions.alertEntries.muteDay, 'Mute until tomorrow'],
  [actions.alertEntries.edit, 'Edit alert…'],
] as const

/** Slack's menus have up to five entries. */
function buildMenu({ message, calls }: AlertMessageView): types.Overflow {
  if (calls.every(({ done }) => done)) {
    const reopen = [actions.callEntries.reopen, 'Reopen'] as const
    return overflow(reopen, [actions.listActions.missedEntry, 'Show calls'], ...sharedEntries)
  }
  // A direct message has one reader, so there is nothing to hand over.
  if (blocks.isPersonId(message.channel)) return overflow(...sharedEntries)
  const assign = [actions.callEntries.assign, 'Assign to…'] as const
  const isTaken = calls.some(({ taken, done }) => taken && !done)
  if (!isTaken) return overflow(assign, ...sharedEntries)
  return overflow(assign, [actions.callEntries.release, 'Release'], ...sharedEntries)
}

/** New for each change, because Slack keeps an unchanged block. */
function getMenuId({ calls, message }: AlertMessageView): string {
  let changedAt = message.openedAt
  for (const { taken, done, released } of calls)
    changedAt = Math.max(changedAt, taken?.at ?? 0, done?.at ?? 0, released?.at ?? 0)
  return actions.alertMenu.getBlockId({ id: message.id, at: changedAt }, String(message.revision))
}

/** A direct message has one reader, so there is nothing to take. */
const isTakeable = ({ message }: AlertMessageView, calls: Calls): boolean =>
  calls.some(missedCalls.isWaiting) && !blocks.isPersonId(message.channel)

function buildButtons(view: AlertMessageView, takeText: string): types.ActionsBlock {
  const { id } = view.message
  const { take, done } = actions.messageActions
  const elements: types.ActionsBlockElement[] = []
  if (isTakeable(view, view.calls)) elements.push(take.button(takeText, { id }, 'primary'))
  const showCalls = actions.listActions.missed.button('Show calls', { alert: id })
  elements.push(done.button('Done', { id }), showCalls, buildMenu(view))
  return { type: 'actions', block_id: getMenuId(view), elements }
}

/** Renders a message whose calls are all done: its lines without buttons. */
function doneMessage(view: AlertMessageView, lines: readonly LineCalls[]): Answer {
  const shared = formatSharedState(view)
  const texts = [`${blocks.escapeText(formatAlertTitle(view))} · ${shared ?? 'Done'}`]
  const rowLines = lines.length > 1 ? lines.slice(0, MAX_LINE_ROWS) : []
  for (const group of rowLines) texts.push(formatLine(view, group, shared))
  const block = { ...blocks.section(texts.join('\n')), block_id: getMenuId(view), accessory: buildMenu(view) }
  return { message: { text: blocks.textOfLines(texts), blocks: [block] } }
}

/** Tells of calls that the alert didn't post. */
function notPostedMessage({ message }: AlertMessageView): Answer {
  const { count, id } = message
  const text = `${countNoun(count, 'call')} ${count === 1 ? 'was' : 'were'} missed meanwhile and not posted.`
  const showCalls = actions.listActions.missed.button('Show calls', { alert: id })
  return { message: blocks.textMessage(text, [showCalls]) }
}

function takeButton(view: AlertMessageView, [line, calls]: LineCalls, index: number): types.Button {
  const action = actions.messageActions.takeLine.named(String(index))
  const name = words.nameLine(line, view.lines)
  const label = words.labelCalls(calls.length, formatFirstTime(view, calls), name)
  return blocks.withLabel(action.button('Take', { id: view.message.id, line }), `Take ${label}`)
}

/** Returns a row for each line, unless the title says everything. The state of all calls follows if they share it. */
function renderRows(view: AlertMessageView, lines: readonly LineCalls[], maxRows: number) {
  const shared = formatSharedState(view)
  const rows: types.SectionBlock[] = []
  const rowLines = view.message.count === 1 ? [] : lines.slice(0, maxRows)
  for (const [index, group] of rowLines.entries()) {
    const row = blocks.section(formatLine(view, group, shared))
    const [, calls] = group
    if (lines.length > 1 && isTakeable(view, calls)) row.accessory = takeButton(view, group, index)
    rows.push(row)
  }
  if (shared !== undefined) rows.push(blocks.section(shared))
  return rows
}

function openMessage(view: AlertMessageView, lines: readonly LineCalls[], maxRows: number): blocks.Message {
  const title = formatAlertTitle(view)
  const rows = renderRows(view, lines, maxRows)
  const rowTexts = rows.map(({ text }) => text?.text ?? '')
  const { count, openedAt, ownerName } = view.message
  const olderCount = count - view.calls.length
  const notes: string[] = []
  if (lines.length > maxRows) notes.push(`The first ${maxRows} of ${formatNumber(lines.length)} lines.`)
  if (olderCount > 0)
    notes.push(`The oldest ${formatNumber(olderCount)} are only counted: see \`/calls missed\`.`)
  let smallPrint = `Times in ${zoneLabel(view.zone, new Date(openedAt))}`
  if (ownerName !== undefined) smallPrint += ` · Set up by ${words.formatLabel(ownerName)}`
  const buttons = buildButtons(view, lines.length > 1 ? 'Take all' : "I'll take it")
  const context = blocks.context([...notes, smallPrint].join(' '))
  return {
    text: blocks.textOfLines([blocks.escapeText(title), ...rowTexts, ...notes]),
    blocks: [blocks.header(title), ...rows, buttons, context],
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
