import {
  type AlertHours,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  type CallList,
  hasNoCalls,
  isMuted,
  type MissedCall,
  noCalls,
} from '../../store/alerts.ts'
import { missedCallId } from '../../store/missed-calls.ts'
import { isOfLine } from '../../telephony/lines.ts'
import { getWeekday } from '../../time/days.ts'
import { wallTime, type Zone } from '../../time/zones.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { isUpcoming } from './failing.ts'

/** More calls than these are only counted: in a poll, waiting, and in a message. */
export const MAX_LISTED = 1000
/** How far back polls start if the start is in the future because a clock jumped. */
const RESTART_MS: Milliseconds = 10 * minuteMs
/** Calls that are found later than this are counted instead of posted. */
const MAX_POSTED_AGE_MS: Milliseconds = dayMs
/** The service may list a call this late, and an earlier one after a later one. */
const MAX_LATENESS_MS: Milliseconds = hourMs
/** Messages that arrive later than this after a call say so. */
const LATE_AFTER_MS: Milliseconds = 5 * minuteMs

export interface AlertContext {
  readonly alert: AlertRecord
  /** Time zone of the channel. */
  readonly zone: Zone
  readonly now: EpochMs
}

export function isWithinHours(hours: AlertHours | undefined, zone: Zone, now: EpochMs): boolean {
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
  isMuted(alert, now) || !isWithinHours(alert.hours, zone, now)

/** Sorts calls of the same second by id, because the service counts ids up. */
export function compareNewestFirst(one: MissedCall, other: MissedCall): number {
  if (one.at !== other.at) return other.at - one.at
  return one.id < other.id ? 1 : -1
}

/** Rounds down to whole seconds, like the service's times. */
export const getStart = (since: EpochMs, now: EpochMs): EpochMs =>
  Math.floor((since > now ? now - RESTART_MS : since) / 1000) * 1000

/** Returns the calls that are part of enough calls within the threshold's minutes. */
export function selectReached(
  calls: readonly MissedCall[],
  threshold: AlertRecord['threshold'],
): ReadonlySet<MissedCall> {
  if (!threshold) return new Set(calls)
  const oldestFirst = calls.toSorted((one, other) => one.at - other.at)
  const reached = new Set<MissedCall>()
  for (const [start, oldest] of oldestFirst.entries()) {
    const end = start + threshold.calls
    const newest = oldestFirst[end - 1]
    if (!newest || newest.at - oldest.at > threshold.minutes * minuteMs) continue
    for (const call of oldestFirst.slice(start, end)) reached.add(call)
  }
  return reached
}

/** Returns the time from which calls are posted, unless the alert is muted now. */
const getPostedFrom = ({ since, muted }: AlertRecord, now: EpochMs): EpochMs =>
  Math.max(getStart(since, now), muted?.until ?? 0)

/** Compares each called number once, because a burst may have thousands of calls. */
function selectLines(calls: readonly MissedCall[], lines: readonly string[]): readonly MissedCall[] {
  if (lines.length === 0) return calls
  const called = new Set(calls.map(({ line }) => line))
  const watched = new Set([...called].filter((number) => lines.some((line) => isOfLine(number, line))))
  return calls.filter(({ line }) => watched.has(line))
}

/** @param calls newest first */
function limitList(calls: readonly MissedCall[], older: number): CallList {
  return { calls: calls.slice(0, MAX_LISTED), older: older + Math.max(0, calls.length - MAX_LISTED) }
}

/** Returns calls of both, newest first, without those that are in both. */
function mergeCalls(known: readonly MissedCall[], added: readonly MissedCall[]): readonly MissedCall[] {
  return [...removeShown(added, known), ...known].sort(compareNewestFirst)
}

function addToList({ calls, older }: CallList, added: readonly MissedCall[]): CallList {
  return limitList(mergeCalls(calls, added), older)
}

/** Separates new calls to post from those that were missed during a mute or a long gap. Drops those before the alert. */
function splitFound(calls: readonly MissedCall[], alert: AlertRecord, now: EpochMs) {
  // The service's times are whole seconds.
  const mutedFrom = (alert.muted?.from ?? alert.mutedFrom ?? Infinity) - 1000
  const postedFrom = getPostedFrom(alert, now)
  const toPost: MissedCall[] = []
  const skipped: MissedCall[] = []
  for (const call of calls) {
    const isActive = call.at >= postedFrom && !isMuted(alert, now)
    const isTooOld = call.at < now - MAX_POSTED_AGE_MS
    if (isActive && !isTooOld) toPost.push(call)
    else if (isActive || call.at > mutedFrom) skipped.push(call)
  }
  return { toPost, skipped }
}

/**
 * Keeps calls below the threshold while others, even late ones, can complete it.
 * @param found newest first
 */
export function addFound(
  before: AlertState,
  found: readonly MissedCall[],
  { alert, now }: Pick<AlertContext, 'alert' | 'now'>,
): AlertState {
  const { toPost, skipped } = splitFound(selectLines(found, alert.lines), alert, now)
  let state = before
  if (skipped.length > 0) state = { ...state, skipped: addToList(state.skipped ?? noCalls, skipped) }
  if (toPost.length === 0) return state
  const waiting = mergeCalls(state.waiting.calls, toPost)
  const reached = selectReached(waiting, alert.threshold)
  const completableFrom = now - (alert.threshold?.minutes ?? 0) * minuteMs - MAX_LATENESS_MS
  const kept = waiting.filter((call) => reached.has(call) || call.at >= completableFrom)
  return { ...state, waiting: limitList(kept, state.waiting.older) }
}

/** Drops calls from before the alert was saved, turned on or unmuted. After a mute, they are counted as skipped. */
export function dropStale(state: AlertState, alert: AlertRecord, now: EpochMs): AlertState {
  const { waiting, skipped } = state
  if (hasNoCalls(waiting) || isMuted(alert, now)) return state
  const from = getPostedFrom(alert, now)
  const stale = waiting.calls.filter(({ at }) => at < from)
  if (stale.length === 0) return state
  const current = waiting.calls.filter(({ at }) => at >= from)
  const changed = { ...state, waiting: { calls: current, older: 0 } }
  const wasMuted = alert.mutedFrom !== undefined || alert.muted !== undefined
  if (!wasMuted) return changed
  const { calls, older } = addToList(skipped ?? noCalls, stale)
  return { ...changed, skipped: { calls, older: older + waiting.older } }
}

/** @param open the message to add to: calls since its first one need no threshold */
export function getDueCalls(
  { waiting, failing, sendingUntil }: AlertState,
  context: AlertContext,
  open?: Pick<AlertMessageRecord, 'firstAt'>,
): CallList {
  if (isQuiet(context)) return noCalls
  const { alert, now } = context
  if (isUpcoming(failing?.retryAt, now) || isUpcoming(sendingUntil, now)) return noCalls
  const reached = selectReached(waiting.calls, alert.threshold)
  const calls = waiting.calls.filter((call) => reached.has(call) || (open && call.at >= open.firstAt))
  return { calls, older: calls.length === 0 ? 0 : waiting.older }
}

export function removeShown(calls: readonly MissedCall[], shown: readonly MissedCall[]): MissedCall[] {
  const ids = new Set(shown.map(missedCallId))
  return calls.filter((call) => !ids.has(missedCallId(call)))
}

export const removeFrom = ({ calls, older }: CallList, shown: CallList): CallList => ({
  calls: removeShown(calls, shown.calls),
  older: Math.max(0, older - shown.older),
})

type MessageCalls = Pick<AlertMessageRecord, 'count' | 'firstAt' | 'calls' | 'lateByMs'>

export function addToMessage(message: MessageCalls | undefined, due: CallList, now: EpochMs): MessageCalls {
  const shownIds = new Set(message?.calls)
  const added = due.calls.filter((call) => !shownIds.has(missedCallId(call)))
  const oldest = added.at(-1)?.at ?? now
  const delayMs = now - oldest
  let lateByMs = message?.lateByMs
  if (delayMs > LATE_AFTER_MS) lateByMs = Math.max(lateByMs ?? 0, delayMs)
  return {
    count: (message?.count ?? 0) + added.length + due.older,
    firstAt: Math.min(message?.firstAt ?? oldest, oldest),
    // Ids start with the time.
    calls: [...added.map(missedCallId), ...shownIds].sort().reverse(),
    lateByMs,
  }
}
