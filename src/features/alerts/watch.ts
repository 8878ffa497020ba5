import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { describeFailure, type SubscriptionFailure } from '../../slack/deliver/failures.ts'
import {
  type AlertHours,
  type AlertMessageRecord,
  type AlertRecord,
  type AlertState,
  isMuted,
  type MissedCall,
  type PolledList,
  type WatchRecord,
} from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { isOfLine } from '../../telephony/lines.ts'
import {
  type Account,
  type Call,
  getShortId,
  ScanLimitError,
  type ScanQuery,
  toShortId,
} from '../../telephony/types.ts'
import { addDays, getWeekday, type LocalDay } from '../../time/days.ts'
import { localDay, offsetAt, type UtcOffset, wallTime, type Zone } from '../../time/zones.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import { afterFailure, isUpcoming } from './failing.ts'

/** About 500 kB of ids. */
const MAX_IDS = 50_000
/** How far back polls start if the start is unknown, or in the future because a clock jumped. */
const RESTART_MS: Milliseconds = 10 * minuteMs

interface PollRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

/** Covers yesterday, too: a call may reach the list hours later, and the service's day may end later than ours. */
export function toPollRange(zone: Zone, now: EpochMs): PollRange {
  const instant = new Date(now)
  const today = localDay(zone, instant)
  return { offset: offsetAt(zone, instant), from: addDays(today, -1), to: today }
}

interface PollReading {
  readonly range: PollRange
  /** Only calls with new ids. */
  readonly calls: readonly Call[]
  /** Short ids of all calls that were read. */
  readonly ids: readonly string[]
  /** Whether `ids` cover the whole range; if not, they are added to the known ones. */
  readonly isWhole: boolean
  /** Undefined after an incomplete reading. */
  readonly total: number | undefined
  readonly error?: unknown
}

/**
 * Reads the whole list unless the first page has all new calls, because the service promises no order.
 * @returns undefined if nothing has to be stored
 * @throws if the first page can't be read
 */
export async function readMissedCalls(
  telephony: Pick<TelephonyClient, 'calls' | 'readCalls'>,
  account: Account,
  { range, before }: { readonly range: PollRange; readonly before: PolledList | undefined },
  signal: AbortSignal,
): Promise<PollReading | undefined> {
  const query: ScanQuery = { direction: 'incoming', status: 'missed', ...range }
  const known = new Set(before?.ids)
  const first = await telephony.calls(account, { ...query, page: 1 }, { signal })
  const { total } = first
  const ids = first.ids.map(toShortId)
  const newIndexes = ids.flatMap((id, index) => (known.has(id) ? [] : [index]))
  const earlierTotal = isDeepStrictEqual(before?.range, range) ? before?.total : undefined
  // Returns before `first.calls` is read: parsing the calls would double the CPU of an idle poll.
  if (newIndexes.length === 0 && total !== undefined && total === earlierTotal) return undefined

  const calls = newIndexes.flatMap((index) => first.calls[index] ?? [])
  const isWhole = total !== undefined && total <= ids.length
  const growth = total === undefined || earlierTotal === undefined ? undefined : total - earlierTotal
  // If the list grew by this page's new calls, there are no others.
  if (isWhole || calls.length === growth)
    return { range, calls, ids, isWhole, total: isWhole ? ids.length : total }
  const reading = await readAll(telephony, account, { query, range, known }, signal)
  const isUnchanged = reading.calls.length === 0 && reading.total === earlierTotal
  return isUnchanged && reading.total !== undefined ? undefined : reading
}

async function readAll(
  telephony: Pick<TelephonyClient, 'readCalls'>,
  account: Account,
  { query, range, known }: { query: ScanQuery; range: PollRange; known: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<PollReading> {
  const [calls, ids]: [Call[], string[]] = [[], []]
  try {
    for await (const batch of telephony.readCalls(account, [query], { signal }))
      for (const call of batch.calls) {
        const id = getShortId(call)
        ids.push(id)
        if (!known.has(id)) calls.push(call)
        if (ids.length > MAX_IDS) throw new ScanLimitError('calls')
      }
    return { range, calls, ids, isWhole: true, total: ids.length }
  } catch (error) {
    return { range, calls, ids, isWhole: false, total: undefined, error }
  }
}

export interface PollResult {
  readonly at: EpochMs
  /** Undefined if nothing is new. */
  readonly reading: PollReading | undefined
  readonly error: unknown
}

/** Replaces a missing or unreadable row. Recent calls may be posted twice, rather than never. */
export function newWatch(
  alerts: readonly AlertRecord[],
  tenant: WatchRecord['tenant'],
  now: EpochMs,
): WatchRecord {
  const since = Math.max(now - RESTART_MS, Math.min(...alerts.map((alert) => alert.since)))
  return { tenant, since, alerts: {} }
}

/** A new secret for the same key is the same account. */
export function resetIfAccountChanged(
  watch: WatchRecord,
  tenant: TenantKey,
  { key, connectedAt }: Pick<CredentialsRecord, 'key' | 'connectedAt'>,
): WatchRecord {
  const account = hash('sha256', `${tenant}\n${key}`, 'base64url').slice(0, 12)
  if (watch.account === account) return watch
  if (watch.account === undefined) return { ...watch, account }
  return { ...watch, account, since: connectedAt, list: undefined }
}

function describePollFailure(error: unknown): SubscriptionFailure {
  const { kind, reason, isPermanent, retryAfterMs } = describeFailure(error)
  if (error instanceof ScanLimitError)
    return { why: 'The phone service takes too long to list the missed calls.', isPermanent: false }
  const transientText =
    kind === 'error' ? 'Something went wrong in Callboard.' : "The phone service isn't responding."
  const why = isPermanent ? reason : transientText
  return { why, isPermanent: isPermanent && kind !== 'refused', retryAfterMs }
}

/** The service returned known calls with new ids, so ids don't show which calls are new. */
const unstableIds: SubscriptionFailure = {
  why: 'The phone service changes the ids of its calls, so Callboard may miss some of them.',
  isPermanent: false,
}

/** @param alerts all of the account's, also muted ones; drops the state of others */
export function applyPoll(
  watch: WatchRecord,
  { at, reading, error }: PollResult,
  alerts: readonly AlertRecord[],
  now: EpochMs,
): WatchRecord {
  const isUnstable = reading !== undefined && hasUnstableIds(watch.list, reading)
  const failed = error === undefined ? undefined : describePollFailure(error)
  const reason = failed ?? (isUnstable ? unstableIds : undefined)
  const failing = reason && afterFailure(watch.failing, reason, now)
  if (!reading) return { ...watch, failing }
  // Without reliable ids, the times show which calls are new.
  const from = getStart(isUnstable ? Math.max(watch.since, watch.list?.readAt ?? 0) : watch.since, now)
  // The row may have changed since it was read for the poll.
  const known = new Set(watch.list?.ids)
  const calls = reading.calls
    .filter((call) => !known.has(getShortId(call)))
    .flatMap((call) => toMissedCall(call, watch.list === undefined, now) ?? [])
    .filter((call) => call.at >= from)
    .sort(byNewest)
  const states: WatchRecord['alerts'] = {}
  for (const alert of alerts) {
    const state = watch.alerts[alert.id] ?? { waiting: [] }
    states[alert.id] = isMuted(alert, now) ? state : addWaiting(state, calls, { alert, now })
  }
  const list = mergeList(isUnstable ? undefined : watch.list, reading, at)
  return { ...watch, failing, list, alerts: states }
}

/** Forgets earlier ids once a day: a clock or a time zone may change for a while, and change back. */
function mergeList(
  before: PolledList | undefined,
  { range, ids, isWhole, total }: PollReading,
  at: EpochMs,
): PolledList {
  const isNextDay = before?.range.to === range.from && before.range.offset === range.offset
  const kept = isWhole && isNextDay ? [] : (before?.ids ?? [])
  return {
    range: !before || isWhole ? range : before.range,
    readAt: total === undefined ? (before?.readAt ?? 0) : at,
    total,
    ids: [...new Set([...kept, ...ids])],
  }
}

/** True if the list has no known id, although it contains calls from before the last read. */
function hasUnstableIds(before: PolledList | undefined, { calls, ids, isWhole }: PollReading): boolean {
  if (!before || before.ids.length === 0 || !isWhole || calls.length < ids.length) return false
  return calls.some(({ at }) => at instanceof Date && at.getTime() < before.readAt)
}

/** Counts a call without a sensible time as missed now. */
function toMissedCall(call: Call, isFirstPoll: boolean, now: EpochMs): MissedCall | undefined {
  if (call.status === 'answered') return undefined
  const time = call.at instanceof Date ? call.at.getTime() : Number.NaN
  const isPossible = time <= now + dayMs
  // At the first poll, the call may be older than the alert.
  if (!isPossible && isFirstPoll) return undefined
  return {
    id: getShortId(call),
    at: isPossible ? time : now,
    line: call.number.slice(0, 40),
  }
}

/** More calls wait only after weeks in which nothing could be posted; the oldest are dropped. */
export const MAX_WAITING = 5000
const MAX_LISTED = 1000
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
  return hasBegun || (weekdays.includes(weekday - 1 || 7) && time < to)
}

/** Sorts calls of the same second by id, because the service counts ids up. */
const byNewest = (one: MissedCall, other: MissedCall): number =>
  other.at - one.at || (one.id < other.id ? 1 : -1)

/** Rounds down to whole seconds, like the service's times. */
const getStart = (since: EpochMs, now: EpochMs): EpochMs =>
  Math.floor((since > now ? now - RESTART_MS : since) / 1000) * 1000

/** Returns the calls of windows that hold enough calls. */
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
function dropStale(calls: readonly MissedCall[], { since, muted }: AlertRecord, now: EpochMs) {
  const from = Math.max(getStart(since, now), muted?.until ?? 0)
  return calls.filter(({ at }) => at >= from)
}

/** Compares each called number once, because a burst may have thousands of calls. */
function selectLines(calls: readonly MissedCall[], lines: readonly string[]): readonly MissedCall[] {
  if (lines.length === 0) return calls
  const called = new Set(calls.map(({ line }) => line))
  const watched = new Set([...called].filter((number) => lines.some((line) => isOfLine(number, line))))
  return calls.filter(({ line }) => watched.has(line))
}

/** Keeps calls below the threshold while others, even late ones, can complete it. */
export function addWaiting(
  before: AlertState,
  calls: readonly MissedCall[],
  { alert, now }: Pick<AlertContext, 'alert' | 'now'>,
): AlertState {
  const added = dropStale(selectLines(calls, alert.lines), alert, now)
  if (added.length === 0) return before
  const known = new Set(before.waiting.map(({ id }) => id))
  const all = [...added.filter(({ id }) => !known.has(id)), ...dropStale(before.waiting, alert, now)]
  const reached = selectReached(all, alert.threshold)
  const oldest = now - (alert.threshold?.minutes ?? 0) * minuteMs - MAX_LATENESS_MS
  const kept = all.filter((call) => reached.has(call) || call.at >= oldest)
  return { ...before, waiting: kept.sort(byNewest).slice(0, MAX_WAITING) }
}

/** @param open the message to add to: calls since its first one need no threshold */
export function getDueCalls(
  { waiting, failing, sendingUntil }: AlertState,
  { alert, zone, now }: AlertContext,
  open?: Pick<AlertMessageRecord, 'firstAt'>,
): readonly MissedCall[] {
  if (isMuted(alert, now) || !isWithinHours(alert.hours, zone, now)) return []
  if (isUpcoming(failing?.retryAt, now) || isUpcoming(sendingUntil, now)) return []
  const calls = dropStale(waiting, alert, now)
  const reached = selectReached(calls, alert.threshold)
  return calls.filter((call) => reached.has(call) || (open && call.at >= open.firstAt))
}

export function removeShown(waiting: readonly MissedCall[], shown: readonly MissedCall[]): MissedCall[] {
  const ids = new Set(shown.map(({ id }) => id))
  return waiting.filter(({ id }) => !ids.has(id))
}

type MessageCalls = Pick<AlertMessageRecord, 'count' | 'firstAt' | 'calls' | 'lateByMs'>

export function addToMessage(
  message: MessageCalls | undefined,
  calls: readonly MissedCall[],
  now: EpochMs,
): MessageCalls {
  const shown = message?.calls ?? []
  const added = removeShown(calls, shown)
  const oldest = added.at(-1)?.at ?? now
  const lateByMs = now - oldest
  return {
    count: (message?.count ?? 0) + added.length,
    firstAt: Math.min(message?.firstAt ?? oldest, oldest),
    calls: [...added, ...shown].sort(byNewest).slice(0, MAX_LISTED),
    lateByMs: lateByMs > LATE_AFTER_MS ? Math.max(message?.lateByMs ?? 0, lateByMs) : message?.lateByMs,
  }
}
