import {
  type AlertHours,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  isMuted,
  type MissedCall,
} from '../../store/alerts.ts'
import { isOfLine } from '../../telephony/lines.ts'
import { getWeekday } from '../../time/days.ts'
import { wallTime, type Zone } from '../../time/zones.ts'
import { type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { isAhead } from './failing.ts'

// Pure functions on the missed calls that wait for a message.

/** Earlier calls are only counted. */
export const MAX_LISTED = 1000
/** The service may list a call this late, and an earlier one after a later one. */
const MAX_LATENESS_MS: Milliseconds = hourMs
/** How far back an alert starts if its own start is unknown, or in the future because a clock jumped. */
export const RESTART_MS: Milliseconds = 10 * minuteMs

/** Calls for one message, newest first. */
export type CallList = Pick<AlertState, 'more'> & { readonly calls: readonly MissedCall[] }

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
  return hasBegun || (weekdays.includes(weekday - 1 || 7) && time < to)
}

/** Sorts calls of the same second by id, because the service counts ids up. */
export const byNewest = (one: MissedCall, other: MissedCall): number =>
  other.at - one.at || (one.id < other.id ? 1 : -1)

/** Returns the alert's start in whole seconds, like the service's times; `RESTART_MS` ago if it is in the future. */
export const getAlertStart = (since: EpochMs, now: EpochMs): EpochMs =>
  Math.floor((since > now ? now - RESTART_MS : since) / 1000) * 1000

/** Returns the calls of windows that hold enough calls, which is all of them without a threshold. */
export function selectReached(
  calls: readonly MissedCall[],
  threshold: AlertRecord['threshold'],
): ReadonlySet<MissedCall> {
  if (!threshold) return new Set(calls)
  const sorted = calls.toSorted((one, other) => one.at - other.at)
  const reached = new Set<MissedCall>()
  for (const [last, { at }] of sorted.entries()) {
    const first = last + 1 - threshold.calls
    const earliest = sorted[first]
    if (earliest && at - earliest.at <= threshold.minutes * minuteMs)
      for (const call of sorted.slice(first, last + 1)) reached.add(call)
  }
  return reached
}

/** Drops calls from before the alert was turned on or unmuted. */
function dropStale(state: AlertState, { since, muted }: AlertRecord, now: EpochMs): AlertState {
  const from = Math.max(getAlertStart(since, now), muted?.until ?? 0)
  const waiting = state.waiting.filter(({ at }) => at >= from)
  return waiting.length === state.waiting.length ? state : { ...state, waiting, more: undefined }
}

/** Filters by line; compares each called number once, because a burst may have thousands of calls. */
function selectLines(calls: readonly MissedCall[], lines: readonly string[]): readonly MissedCall[] {
  if (lines.length === 0) return calls
  const called = new Set(calls.map(({ line }) => line))
  const watched = new Set([...called].filter((number) => lines.some((line) => isOfLine(number, line))))
  return calls.filter(({ line }) => watched.has(line))
}

/** Adds the calls on the alert's lines. Calls below the threshold wait while others, even late ones, can complete it. */
export function addWaiting(
  before: AlertState,
  calls: readonly MissedCall[],
  { alert, now }: Pick<AlertContext, 'alert' | 'now'>,
): AlertState {
  const selected = dropStale({ waiting: [...selectLines(calls, alert.lines)] }, alert, now).waiting
  if (selected.length === 0) return before
  const state = dropStale(before, alert, now)
  const known = new Set(state.waiting.map(({ id }) => id))
  const all = [...selected.filter(({ id }) => !known.has(id)), ...state.waiting].sort(byNewest)
  const reached = selectReached(all, alert.threshold)
  const oldest = now - (alert.threshold?.minutes ?? 0) * minuteMs - MAX_LATENESS_MS
  const kept = all.filter((call) => reached.has(call) || call.at >= oldest)
  const extra = kept.slice(MAX_LISTED).filter((call) => reached.has(call))
  const last = extra.at(-1)
  const more = last && {
    count: extra.length + (state.more?.count ?? 0),
    firstAt: Math.min(last.at, state.more?.firstAt ?? last.at),
  }
  return { ...state, waiting: kept.slice(0, MAX_LISTED), more: more ?? state.more }
}

/**
 * Returns the calls to post now, if any.
 * @param open the message to add to: calls since its first one need no threshold
 */
export function getDueCalls(
  before: AlertState,
  { alert, zone, now }: AlertContext,
  open: Pick<AlertMessageRecord, 'firstAt'> | undefined,
): CallList | undefined {
  if (isMuted(alert, now) || !isWithinHours(alert.hours, zone, now)) return undefined
  if (isAhead(before.failing?.retryAt, now) || isAhead(before.sending?.until, now)) return undefined
  const { waiting, more } = dropStale(before, alert, now)
  const reached = selectReached(waiting, alert.threshold)
  const calls = waiting.filter((call) => reached.has(call) || (open && call.at >= open.firstAt))
  return calls.length === 0 ? undefined : { calls, more }
}

type MessageCalls = Pick<AlertMessageRecord, 'count' | 'firstAt' | 'calls'>

/** Adds calls to those of a message, each once. */
export function addToMessage(message: MessageCalls | undefined, { calls, more }: CallList): MessageCalls {
  const known = new Set(message?.calls.map(({ id }) => id))
  const added = calls.filter(({ id }) => !known.has(id))
  const all = [...added, ...(message?.calls ?? [])].sort(byNewest)
  const firsts = [message?.firstAt, more?.firstAt, added.at(-1)?.at].filter((at) => at !== undefined)
  return {
    count: (message?.count ?? 0) + added.length + (more?.count ?? 0),
    firstAt: Math.min(...firsts),
    calls: all.slice(0, MAX_LISTED),
  }
}

/** Removes calls that a message shows. */
export function removeShown(state: AlertState, { calls, more }: CallList): AlertState {
  const shown = new Set(calls.map(({ id }) => id))
  const waiting = state.waiting.filter(({ id }) => !shown.has(id))
  // Calls that newer ones pushed out of `waiting` are counted in `more`.
  const moved = calls.length - (state.waiting.length - waiting.length)
  const left = (state.more?.count ?? 0) - (more?.count ?? 0) - moved
  return { ...state, waiting, more: state.more && left > 0 ? { ...state.more, count: left } : undefined }
}
