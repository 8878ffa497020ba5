import * as records from '../../store/alerts.ts'
import { toMissedCallId } from '../../store/missed-calls.ts'
import { isOfLine } from '../../telephony/lines.ts'
import { getWeekday } from '../../time/days.ts'
import { localDay, localTime, type Zone } from '../../time/zones.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { isUpcoming } from './failing.ts'

/** Maximum number of calls that wait or are in a message. Older ones are only counted. */
export const MAX_LISTED = 1000
/** How far back calls are found after a clock was set back. */
const RESTART_MS: Milliseconds = 10 * minuteMs
/** Calls that are found later than this are counted instead of posted. */
const MAX_POSTED_AGE_MS: Milliseconds = dayMs
/** The service may list a call this late, and an earlier one after a later one. */
const MAX_LATENESS_MS: Milliseconds = hourMs

type MissedCalls = readonly records.MissedCall[]

export interface AlertContext {
  readonly alert: records.AlertRecord
  /** Time zone of the channel. */
  readonly zone: Zone
  readonly now: EpochMs
}

export function isWithinHours(hours: records.AlertHours | undefined, zone: Zone, now: EpochMs): boolean {
  if (!hours) return true
  const { weekdays, from, to } = hours
  const time = localTime(zone, new Date(now))
  // 1 is Monday.
  const weekday = getWeekday(localDay(zone, new Date(now))) + 1
  const hasBegun = weekdays.includes(weekday) && time >= from
  if (to > from) return hasBegun && time < to
  // The hours end on the next day, so yesterday's may still last.
  const yesterday = weekday === 1 ? 7 : weekday - 1
  return hasBegun || (weekdays.includes(yesterday) && time < to)
}

/** Whether nothing may be posted now, calls and reminders alike. */
export const isQuiet = ({ alert, zone, now }: AlertContext): boolean =>
  records.isMuted(alert, now) || !isWithinHours(alert.hours, zone, now)

/** Calls of the same second are sorted by id, as text, because ids mostly count up. */
export function compareNewestFirst(a: records.MissedCall, b: records.MissedCall): number {
  if (a.at !== b.at) return b.at - a.at
  return a.id < b.id ? 1 : -1
}

/** The service's times have no fractions. */
const toWholeSeconds = (at: EpochMs): EpochMs => Math.floor(at / 1000) * 1000

/** Returns the time of the earliest calls to post. If `since` is in the future, the clock was set back. */
export const getEarliestTime = (since: EpochMs, now: EpochMs): EpochMs =>
  toWholeSeconds(since > now ? now - RESTART_MS : since)

/** Returns the calls that reach the threshold: each is one of enough calls within its minutes. */
export function selectReaching(calls: MissedCalls, threshold: records.AlertRecord['threshold']) {
  if (!threshold) return new Set(calls)
  const oldestFirst = calls.toSorted((a, b) => a.at - b.at)
  const reaching = new Set<records.MissedCall>()
  for (const [index, oldest] of oldestFirst.entries()) {
    const enoughCalls = oldestFirst.slice(index, index + threshold.calls)
    const newest = enoughCalls[threshold.calls - 1]
    if (!newest || newest.at - oldest.at > threshold.minutes * minuteMs) continue
    for (const call of enoughCalls) reaching.add(call)
  }
  return reaching
}

/** Compares each called number once, because a burst may have thousands of calls. */
function selectLines(calls: MissedCalls, lines: readonly string[]) {
  if (lines.length === 0) return calls
  const called = new Set(calls.map(({ line }) => line))
  const watched = new Set<string>()
  for (const number of called) if (lines.some((line) => isOfLine(number, line))) watched.add(number)
  return calls.filter(({ line }) => watched.has(line))
}

function excludeCalls(calls: MissedCalls, excluded: MissedCalls) {
  const ids = new Set(excluded.map(toMissedCallId))
  return calls.filter((call) => !ids.has(toMissedCallId(call)))
}

export const removeShown = (waiting: records.CallList, shown: records.CallList): records.CallList => ({
  calls: excludeCalls(waiting.calls, shown.calls),
  older: Math.max(0, waiting.older - shown.older),
})

/** Returns calls of both, newest first, without those that are in both. */
function mergeCalls(known: MissedCalls, added: MissedCalls) {
  return [...excludeCalls(added, known), ...known].sort(compareNewestFirst)
}

/** @param calls newest first */
function limitList(calls: MissedCalls, older: number): records.CallList {
  return { calls: calls.slice(0, MAX_LISTED), older: older + Math.max(0, calls.length - MAX_LISTED) }
}

/** Whether the latest mute, which may have ended, covers the time. */
function isInMute({ muted }: records.AlertRecord, at: EpochMs): boolean {
  if (!muted) return false
  return at >= toWholeSeconds(muted.from) && at < toWholeSeconds(muted.until ?? Infinity)
}

/** Separates calls to post from those of a mute or a long gap, which are only counted. Drops others before the alert. */
function splitFound(calls: MissedCalls, alert: records.AlertRecord, now: EpochMs) {
  const earliest = getEarliestTime(alert.since, now)
  const toPost: records.MissedCall[] = []
  const skipped: records.MissedCall[] = []
  for (const call of calls) {
    const isBeforeAlert = call.at < earliest
    const isOld = call.at < now - MAX_POSTED_AGE_MS
    if (isInMute(alert, call.at) || (isOld && !isBeforeAlert)) skipped.push(call)
    else if (!isBeforeAlert) toPost.push(call)
  }
  return { toPost, skipped }
}

/** Keeps calls below the threshold while others, even late ones, can complete it. */
export function addFound(
  before: records.AlertState,
  found: MissedCalls,
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
    const reaching = selectReaching(waiting, alert.threshold)
    const completableFrom = now - (alert.threshold?.minutes ?? 0) * minuteMs - MAX_LATENESS_MS
    const kept = waiting.filter((call) => reaching.has(call) || call.at >= completableFrom)
    state.waiting = limitList(kept, before.waiting.older)
  }
  return state
}

/** @param openMessage the message to add to: calls since its first one need no threshold */
export function getDueCalls(
  { waiting, failing, sendingUntil }: records.AlertState,
  context: AlertContext,
  openMessage?: Pick<records.AlertMessageRecord, 'firstAt'>,
): records.CallList {
  const { alert, now } = context
  const mustWait = isUpcoming(failing?.retryAt, now) || isUpcoming(sendingUntil, now)
  if (mustWait || isQuiet(context)) return records.noCalls
  const reaching = selectReaching(waiting.calls, alert.threshold)
  const joinsFrom = openMessage?.firstAt ?? Infinity
  const calls = waiting.calls.filter((call) => reaching.has(call) || call.at >= joinsFrom)
  // Without a call, there is no message to count the older ones.
  if (calls.length === 0) return records.noCalls
  return { calls, older: waiting.older }
}

type MessageCalls = Pick<records.AlertMessageRecord, 'count' | 'firstAt' | 'calls'>

const noMessage: MessageCalls = { count: 0, firstAt: Infinity, calls: [] }

/** @param message omitted for a new one */
export function addToMessage(due: records.CallList, message: MessageCalls = noMessage): MessageCalls {
  const shownIds = new Set(message.calls)
  const added = due.calls.filter((call) => !shownIds.has(toMissedCallId(call)))
  return {
    count: message.count + added.length + due.older,
    firstAt: Math.min(message.firstAt, ...added.map(({ at }) => at)),
    // Ids start with the time, so the newest calls come first.
    calls: [...added.map(toMissedCallId), ...message.calls].sort().reverse(),
  }
}
