import { isDeepStrictEqual } from 'node:util'
import type { types } from '@slack/bolt'
import { overflow } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import type { Answer } from '../../slack/deliver/answers.ts'
import type { AlertMessageRecord } from '../../store/alerts.ts'
import * as missedCalls from '../../store/missed-calls.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { durationText } from '../../time/lengths.ts'
import { recentLabel, type Zone, zoneLabel } from '../../time/zones.ts'
import { countNoun, formatNumber } from '../../util/text.ts'
import type { EpochMs } from '../../util/units.ts'
import * as actions from './actions.ts'
import * as words from './words.ts'

/** Each line has a row with a button. */
const MAX_LINE_ROWS = 10
/** So many rows fit into 12,000 bytes, however long all names are. */
const SMALL_MAX_LINE_ROWS = 3

type Calls = readonly missedCalls.MissedCallRecord[]

interface AlertMessageView {
  readonly message: AlertMessageRecord
  /** Newest first. */
  readonly calls: Calls
  readonly lines: LineNames
  /** Time zone of the channel. */
  readonly zone: Zone
}

const formatTime = ({ message, zone }: AlertMessageView, at: EpochMs): string =>
  recentLabel(zone, new Date(at), new Date(message.openedAt))

/** Not escaped. */
function formatAlertTitle(view: AlertMessageView): string {
  const { message, calls, lines } = view
  const { count, firstAt } = message
  const since = formatTime(view, firstAt)
  if (count > 1) return `${formatNumber(count)} missed calls since ${since}`
  return `Missed call at ${since} on ${words.nameLine(calls[0]?.line ?? '', lines)}`
}

interface LineCalls {
  readonly line: string
  readonly calls: Calls
  readonly firstAt: EpochMs
  readonly lastAt: EpochMs
}

/** Returns the lines with the most calls first. */
function groupByLine(calls: Calls): readonly LineCalls[] {
  const groups: LineCalls[] = []
  for (const [line, lineCalls] of Map.groupBy(calls, (call) => call.line)) {
    const times = lineCalls.map(({ at }) => at)
    groups.push({ line, calls: lineCalls, firstAt: Math.min(...times), lastAt: Math.max(...times) })
  }
  return groups.sort((a, b) => b.calls.length - a.calls.length)
}

/**
 * Returns mrkdwn: `*Sales London* · 20 · 11:04–11:05 · Ben Okoro has them`, `*Sales Paris* · 2 · 5 Nov, 11:04–6 Nov, 09:05`
 * @param sharedState the state of all calls, which their lines don't repeat
 */
function formatLine(view: AlertMessageView, group: LineCalls, sharedState: string | undefined): string {
  const { line, calls, firstAt, lastAt } = group
  const firstTime = formatTime(view, firstAt)
  const lastTime = recentLabel(view.zone, new Date(lastAt), new Date(firstAt))
  // In the same minute: `5 Nov, 11:04` ends with `11:04`.
  const times = firstTime.endsWith(lastTime) ? firstTime : `${firstTime}–${lastTime}`
  const name = blocks.escapeText(words.nameLine(line, view.lines))
  const text = `*${name}* · ${formatNumber(calls.length)} · ${times}`
  if (sharedState !== undefined) return text
  const states = words.describeStates(calls)
  return states === '' ? text : `${text} · ${blocks.escapeText(states)}`
}

/** Returns who took, finished and released a call, and when. */
const listActs = ({ taken, done, released }: missedCalls.MissedCallRecord) =>
  [taken, done, released].map((act) => act && [act.person, act.at])

/** `by *Ada* at 11:05` */
const formatAct = (view: AlertMessageView, { name, at }: missedCalls.Attribution): string =>
  `by *${words.formatLabel(name)}* at ${formatTime(view, at)}`

/** `after 4 min`, counted from the first message. */
function formatDelay({ calls, message }: AlertMessageView, { at }: missedCalls.Attribution): string {
  const postedAt = Math.min(...calls.map((call) => missedCalls.getPostedAt(call) ?? message.openedAt))
  return `after ${durationText(Math.max(0, at - postedAt))}`
}

/** Returns mrkdwn: `Taken by *Ada* at 11:05, after 4 min.` Undefined if the calls have several states, or just wait. */
function formatSharedState(view: AlertMessageView): string | undefined {
  const { calls } = view
  const [firstCall] = calls
  const isShared = firstCall && calls.every((call) => isDeepStrictEqual(listActs(call), listActs(firstCall)))
  if (!isShared) return undefined
  const { taken, done, released } = firstCall
  if (done) {
    const text = `Done ${formatAct(view, done)}, ${formatDelay(view, done)}.`
    if (!taken || taken.person === done.person) return text
    return `${text} Taken ${formatAct(view, taken)}.`
  }
  if (taken) {
    const text = `Taken ${formatAct(view, taken)}, ${formatDelay(view, taken)}.`
    if (taken.assignedBy === undefined) return text
    return `${text} Assigned by *${words.formatLabel(taken.assignedBy)}*.`
  }
  if (!released) return undefined
  const pronoun = calls.length === 1 ? 'it' : 'them'
  return `Released ${formatAct(view, released)} (*${words.formatLabel(released.before.name)}* had ${pronoun}).`
}

const alertEntries = [
  [actions.alertMenuEntries.muteHour, 'Mute for an hour'],
  [actions.alertMenuEntries.muteDay, 'Mute until tomorrow'],
  [actions.alertMenuEntries.edit, 'Edit alert…'],
] as const

/** Slack's menus have up to five entries. */
function buildMenu({ message, calls }: AlertMessageView): types.Overflow {
  if (calls.every(({ done }) => done)) {
    const reopen = [actions.callMenuEntries.reopen, 'Reopen'] as const
    return overflow(reopen, [actions.showCallsActions.showEntry, 'Show calls'], ...alertEntries)
  }
  // A direct message has one reader, so there is nothing to hand over.
  if (blocks.isPersonId(message.channel)) return overflow(...alertEntries)
  const assign = [actions.callMenuEntries.assign, 'Assign to…'] as const
  const isTaken = calls.some(({ taken, done }) => taken && !done)
  if (!isTaken) return overflow(assign, ...alertEntries)
  return overflow(assign, [actions.callMenuEntries.release, 'Release'], ...alertEntries)
}

/** Returns a new id for each change, because Slack keeps a block with an unchanged id. */
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
  const showCalls = actions.showCallsActions.show.button('Show calls', { alert: id })
  elements.push(done.button('Done', { id }), showCalls, buildMenu(view))
  return { type: 'actions', block_id: getMenuId(view), elements }
}

/** Renders a message whose calls are all done: its lines without buttons. */
function renderDone(view: AlertMessageView, groups: readonly LineCalls[]): Answer {
  const sharedState = formatSharedState(view)
  const texts = [`${blocks.escapeText(formatAlertTitle(view))} · ${sharedState ?? 'Done'}`]
  const shownGroups = groups.length > 1 ? groups.slice(0, MAX_LINE_ROWS) : []
  for (const group of shownGroups) texts.push(formatLine(view, group, sharedState))
  const block = { ...blocks.section(texts.join('\n')), block_id: getMenuId(view), accessory: buildMenu(view) }
  return { message: { text: blocks.textOfLines(texts), blocks: [block] } }
}

/** Tells how many calls the alert didn't post. */
function renderNotPosted({ message }: AlertMessageView): Answer {
  const { count, id } = message
  const text = `${countNoun(count, 'call')} ${count === 1 ? 'was' : 'were'} missed meanwhile and not posted.`
  const showCalls = actions.showCallsActions.show.button('Show calls', { alert: id })
  return { message: blocks.textMessage(text, [showCalls]) }
}

function buildTakeButton(view: AlertMessageView, { line, calls, firstAt }: LineCalls, index: number) {
  const action = actions.messageActions.takeLine.named(String(index))
  const label = words.labelCalls(calls.length, formatTime(view, firstAt), words.nameLine(line, view.lines))
  return blocks.withLabel(action.button('Take', { id: view.message.id, line }), `Take ${label}`)
}

/** Returns a row for each line, unless the title says everything. The state of all calls follows if they share it. */
function buildRows(view: AlertMessageView, groups: readonly LineCalls[], maxRows: number) {
  const sharedState = formatSharedState(view)
  const rows: types.SectionBlock[] = []
  const shownGroups = view.message.count === 1 ? [] : groups.slice(0, maxRows)
  for (const [index, group] of shownGroups.entries()) {
    const row = blocks.section(formatLine(view, group, sharedState))
    const hasButton = groups.length > 1 && isTakeable(view, group.calls)
    if (hasButton) row.accessory = buildTakeButton(view, group, index)
    rows.push(row)
  }
  if (sharedState !== undefined) rows.push(blocks.section(sharedState))
  return rows
}

function renderOpen(view: AlertMessageView, groups: readonly LineCalls[], maxRows: number): blocks.Message {
  const title = formatAlertTitle(view)
  const rows = buildRows(view, groups, maxRows)
  const rowTexts = rows.map(({ text }) => text?.text ?? '')
  const { count, openedAt, ownerName } = view.message
  const olderCount = count - view.calls.length
  const notes: string[] = []
  if (groups.length > maxRows) notes.push(`The first ${maxRows} of ${formatNumber(groups.length)} lines.`)
  if (olderCount > 0)
    notes.push(`The oldest ${formatNumber(olderCount)} are only counted: see \`/calls missed\`.`)
  let smallPrint = `Times in ${zoneLabel(view.zone, new Date(openedAt))}`
  if (ownerName !== undefined) smallPrint += ` · Set up by ${words.formatLabel(ownerName)}`
  const buttons = buildButtons(view, groups.length > 1 ? 'Take all' : "I'll take it")
  const context = blocks.context([...notes, smallPrint].join(' '))
  return {
    text: blocks.textOfLines([blocks.escapeText(title), ...rowTexts, ...notes]),
    blocks: [blocks.header(title), ...rows, buttons, context],
  }
}

export function renderAlertMessage(view: AlertMessageView): Answer {
  if (view.message.isNotPosted) return renderNotPosted(view)
  const groups = groupByLine(view.calls)
  if (groups.length > 0 && view.calls.every(({ done }) => done)) return renderDone(view, groups)
  return {
    message: renderOpen(view, groups, MAX_LINE_ROWS),
    fallbacks: [() => renderOpen(view, groups, SMALL_MAX_LINE_ROWS)],
  }
}
