import * as records from '../../store/alerts.ts'
import { missedCallId } from '../../store/missed-calls.ts'
import { isOfLine } from '../../telephony/lines.ts'
import { getWeekday } from '../../time/days.ts'
import { wallTime, type Zone } from '../../time/zones.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { isUpcoming } from './failing.ts'

/** Maximum number of calls that wait or are in a message. Older ones are only counted. */
export const MAX_LISTED = 1000
/** How far back polls start if the start is in the future because a clock jumped. */
const RESTART_MS: Milliseconds = 10 * minuteMs
/** Calls that are found later than this are counted instead of posted. */
const MAX_POSTED_AGE_MS: Milliseconds = dayMs
/** The service may list a call this late, and an earlier one after a later one. */
const MAX_LATENESS_MS: Milliseconds = hourMs

export interface AlertContext {
  readonly alert: records.AlertRecord
  /** Time zone of the channel. */
  readonly zone: Zone
  readonly now: EpochMs
}

export function isWithinHours(hours: records.AlertHours | undefined, zone: Zone, now: EpochMs): boolean {
  if (!hours) return true
  const { weekdays, from, to } = hours
  const [day = '', time = ''] = wallTime(zone, new Date(now)).split(' ')
  const weekday = getWeekday(day) + 1
  const hasBegun = weekdays.includes(weekday) && time >= from
  if (to > from) return hasBegun && time < to
  // The hours end on the next day, so yesterday's may still last.
  const yesterday = weekday === 1 ? 7 : weekday - 1
  return hasBegun || (weekdays.includes(yesterday) && time < to)
}

/** Whether nothing may be posted now, calls and reminders alike. */
export const isQuiet = ({ alert, zone, now }: AlertContext): boolean =>
  records.isMuted(alert, now) || !isWithinHours(alert.hours, zone, now)

/** Sorts calls of the same second by id, because the service counts ids up. */
export function compareNewestFirst(a: records.MissedCall, b: records.MissedCall): number {
  if (a.at !== b.at) return b.at - a.at
  return a.id < b.id ? 1 : -1
}

const toWholeSeconds = (at: EpochMs): EpochMs => Math.floor(at / 1000) * 1000

/** Rounds down to whole seconds, like the service's times. */
export const getStart = (since: EpochMs, now: EpochMs): EpochMs =>
  toWholeSeconds(since > now ? now - RESTART_MS : since)

/** Returns the calls that are part of enough calls within the threshold's minutes. */
export function selectReached(
  calls: readonly records.MissedCall[],
  threshold: records.AlertRecord['threshold'],
): ReadonlySet<records.MissedCall> {
  if (!threshold) return new Set(calls)
  const oldestFirst = calls.toSorted((a, b) => a.at - b.at)
  const reached = new Set<records.MissedCall>()
  for (const [start, oldest] of oldestFirst.entries()) {
    const end = start + threshold.calls
    const newest = oldestFirst[end - 1]
    if (!newest || newest.at - oldest.at > threshold.minutes * minuteMs) continue
    for (const call of oldestFirst.slice(start, end)) reached.add(call)
  }
  return reached
}

/** Compares each called number once, because a burst may have thousands of calls. */
function selectLines(calls: readonly records.MissedCall[], lines: readonly string[]) {
  if (lines.length === 0) return calls
  const called = new Set(calls.map(({ line }) => line))
  const watched = new Set([...called].filter((number) => lines.some((line) => isOfLine(number, line))))
  return calls.filter(({ line }) => watched.has(line))
}

function removeShown(calls: readonly records.MissedCall[], shown: readonly records.MissedCall[]) {
  const ids = new Set(shown.map(missedCallId))
  return calls.filter((call) => !ids.has(missedCallId(call)))
}

export const removeFrom = (
  { calls, older }: records.CallList,
  shown: records.CallList,
): records.CallList => ({
  calls: removeShown(calls, shown.calls),
  older: Math.max(0, older - shown.older),
})

/** Returns calls of both, newest first, without those that are in both. */
function mergeCalls(known: readonly records.MissedCall[], added: readonly records.MissedCall[]) {
  return [...removeShown(added, known), ...known].sort(compareNewestFirst)
}

/** @param calls newest first */
function limitList(calls: readonly records.MissedCall[], older: number): records.CallList {
  return { calls: calls.slice(0, MAX_LISTED), older: older + Math.max(0, calls.length - MAX_LISTED) }
}

/** Whether the latest mute, which may have ended, covers the time. */
function isInMute({ muted }: records.AlertRecord, at: EpochMs): boolean {
  if (!muted) return false
  return at >= toWholeSeconds(muted.from) && at < toWholeSeconds(muted.until ?? Infinity)
}

/** Separates calls to post from those that were missed during a mute or a long gap. Drops those before the alert. */
function splitFound(calls: readonly records.MissedCall[], alert: records.AlertRecord, now: EpochMs) {
  const start = getStart(alert.since, now)
  const toPost: records.MissedCall[] = []
  const skipped: records.MissedCall[] = []
  for (const call of calls) {
    if (isInMute(alert, call.at)) skipped.push(call)
    else if (call.at < start) continue
    else if (call.at < now - MAX_POSTED_AGE_MS) skipped.push(call)
    else toPost.push(call)
  }
  return { toPost, skipped }
}

/**
 * Keeps calls below the threshold while others, even late ones, can complete it.
 * @param found newest first
 */
export function addFound(
  before: records.AlertState,
  found: readonly records.MissedCall[],
  { alert, now }: Pick<AlertContext, 'alert' | 'now'>,
): records.AlertState {
  const { toPost, skipped } = splitFound(selectLines(found, alert.lines), alert, now)
  if (toPost.length === 0 && skipped.length === 0) return before
  const state = { ...before }
  if (skipped.length > 0) {
    const { calls, older } = before.skipped ?? records.noCalls
    state.skipped = limitList(mergeCalls(calls, skipped), older)
  }
  if (toPost.length > 0) {
    const waiting = mergeCalls(before.waiting.calls, toPost)
    const reached = selectReached(waiting, alert.threshold)
    const completableFrom = now - (alert.threshold?.minutes ?? 0) * minuteMs - MAX_LATENESS_MS
    const kept = waiting.filter((call) => reached.has(call) || call.at >= completableFrom)
    state.waiting = limitList(kept, before.waiting.older)
  }
  return state
}

/** @param open the message to add to: calls since its first one need no threshold */
export function getDueCalls(
  { waiting, failing, sendingUntil }: records.AlertState,
  context: AlertContext,
  open?: Pick<records.AlertMessageRecord, 'firstAt'>,
): records.CallList {
  const { alert, now } = context
  const mustWait = isUpcoming(failing?.retryAt, now) || isUpcoming(sendingUntil, now)
  if (mustWait || isQuiet(context)) return records.noCalls
  const reached = selectReached(waiting.calls, alert.threshold)
  const calls = waiting.calls.filter((call) => reached.has(call) || (open && call.at >= open.firstAt))
  return { calls, older: calls.length === 0 ? 0 : waiting.older }
}

type MessageCalls = Pick<records.AlertMessageRecord, 'count' | 'firstAt' | 'calls'>

export function addToMessage(
  due: records.CallList,
  { count, firstAt, calls }: MessageCalls = { count: 0, firstAt: Infinity, calls: [] },
): MessageCalls {
  const shownIds = new Set(calls)
  const added = due.calls.filter((call) => !shownIds.has(missedCallId(call)))
  return {
    count: count + added.length + due.older,
    firstAt: Math.min(firstAt, ...added.map(({ at }) => at)),
    // Ids start with the time.
    calls: [...added.map(missedCallId), ...calls].sort().reverse(),
  }
}
