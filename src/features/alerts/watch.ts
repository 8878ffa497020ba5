import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { describeFailure } from '../../slack/deliver/failures.ts'
import type { AlertRecord, MissedCall, PolledList, WatchRecord } from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import {
  type Account,
  type Call,
  getCallIdentity,
  RateLimitedError,
  ReadingCutError,
  type ScanQuery,
  toShortId,
} from '../../telephony/types.ts'
import { addDays, type LocalDay } from '../../time/days.ts'
import { localDay, offsetAt, type UtcOffset, type Zone } from '../../time/zones.ts'
import { dayMs, type EpochMs } from '../../util/units.ts'
import { afterFailure, type FailureReason } from './failing.ts'
import { addWaiting, byNewest, getAlertStart, RESTART_MS } from './waiting.ts'

/** About 500 kB of ids. */
const MAX_IDS = 50_000

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

const knownIds = (list: PolledList | undefined): ReadonlySet<string> =>
  new Set([...(list?.ids ?? []), ...(list?.earlierIds ?? [])])

/** The result of a poll that found something, or that failed on a later page. */
interface PollReading {
  readonly range: PollRange
  /** Calls whose ids weren't known before. */
  readonly calls: readonly Call[]
  /** Short ids of all calls that were read. */
  readonly ids: readonly string[]
  /** Whether `ids` cover the whole range; if not, they are added to the known ones. */
  readonly isWhole: boolean
  /** Number of calls in the range; undefined after an incomplete reading. */
  readonly total: number | undefined
  readonly error?: unknown
}

/**
 * Sends one request if nothing is new, or if all new calls are on the first page. Otherwise it reads the whole list, because
 * the service promises no order.
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
  const known = knownIds(before)
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
        const id = toShortId(getCallIdentity(call))
        ids.push(id)
        if (!known.has(id)) calls.push(call)
        if (ids.length > MAX_IDS) throw new ReadingCutError('calls')
      }
    return { range, calls, ids, isWhole: true, total: ids.length }
  } catch (error) {
    return { range, calls, ids, isWhole: false, total: undefined, error }
  }
}

// Changes of an account's row by a poll.

/** With more calls, other work gets its turn before each alert. */
const MANY_CALLS = 500

/** The service returned known calls with new ids, so ids don't show which calls are new. */
class UnstableIdsError extends Error {
  override readonly name = 'UnstableIdsError'
}

export interface PollResult {
  readonly at: EpochMs
  /** Undefined if nothing is new. */
  readonly reading: PollReading | undefined
  readonly error: unknown
}

/** Creates the row if it is missing or unreadable. Recent calls may be posted twice, rather than never. */
export function newWatch(
  alerts: readonly AlertRecord[],
  tenant: WatchRecord['tenant'],
  now: EpochMs,
): WatchRecord {
  const since = Math.max(now - RESTART_MS, Math.min(...alerts.map((alert) => alert.since)))
  return { tenant, since, alerts: {} }
}

/** Drops the list of another account. A new secret for the same key is the same account. */
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

/** Describes why an account can't be polled. */
function describePollFailure(error: unknown): FailureReason {
  const { kind, pauseText, isPermanent, retryAfterMs } = describeFailure(error)
  const why = () => {
    if (error instanceof ReadingCutError) return 'The phone service takes too long to list the missed calls.'
    if (error instanceof UnstableIdsError)
      return 'The phone service changes the ids of its calls, so Callboard may miss some of them.'
    if (error instanceof RateLimitedError) return 'The phone service asks Callboard to wait.'
    if (kind === 'refused') return 'The phone service refused to list the missed calls.'
    if (kind === 'error') return 'Something went wrong in Callboard.'
    return isPermanent ? pauseText : "The phone service isn't responding."
  }
  return { why: why(), isPermanent: isPermanent && kind !== 'refused', retryAfterMs }
}

/** Returns the row after a poll: known ids, calls for each alert, and the failure if there was one. */
export async function applyPoll(
  before: WatchRecord,
  { at, reading, error }: PollResult,
  alerts: readonly AlertRecord[],
  now: EpochMs,
): Promise<WatchRecord> {
  const isUnstable = reading !== undefined && hasUnstableIds(before.list, reading)
  const watch = reading ? await applyReading(before, { ...reading, isUnstable }, alerts, { at, now }) : before
  const failed = error ?? (isUnstable ? new UnstableIdsError() : undefined)
  if (failed !== undefined)
    return { ...watch, failing: afterFailure(watch.failing, describePollFailure(failed), now) }
  const { failing: _, ...working } = watch
  return working
}

async function applyReading(
  watch: WatchRecord,
  { isUnstable, ...reading }: PollReading & { readonly isUnstable: boolean },
  alerts: readonly AlertRecord[],
  { at, now }: { readonly at: EpochMs; readonly now: EpochMs },
): Promise<WatchRecord> {
  // Without reliable ids, the times show which calls are new.
  const since = isUnstable ? Math.max(watch.since, watch.list?.readAt ?? 0) : watch.since
  const from = getAlertStart(since, now)
  // The row may have changed since it was read for the poll.
  const known = knownIds(watch.list)
  const calls = reading.calls
    .filter((call) => !known.has(toShortId(getCallIdentity(call))))
    .flatMap((call) => toMissedCall(call, watch.list === undefined, now) ?? [])
    .filter((call) => call.at >= from)
    .sort(byNewest)
  const states = { ...watch.alerts }
  for (const alert of alerts) {
    if (calls.length > MANY_CALLS) await setImmediate()
    const state = states[alert.id] ?? { waiting: [] }
    const next = addWaiting(state, calls, { alert, now })
    if (next !== state) states[alert.id] = next
  }
  return { ...watch, list: mergeList(isUnstable ? undefined : watch.list, reading, at), alerts: states }
}

function mergeList(
  before: PolledList | undefined,
  { range, ids, isWhole, total }: PollReading,
  at: EpochMs,
): PolledList {
  const readAt = total === undefined ? (before?.readAt ?? 0) : at
  if (!before) return { range: { ...range }, readAt, total, ids: [...new Set(ids)], earlierIds: [] }
  if (isWhole && !isDeepStrictEqual(before.range, range))
    return { range: { ...range }, readAt, total, ids: [...ids], earlierIds: before.ids }
  return { ...before, readAt, total, ids: [...new Set([...before.ids, ...ids])] }
}

/** True if the list has no known id, although it contains calls from before the last read. */
function hasUnstableIds(before: PolledList | undefined, { calls, ids, isWhole }: PollReading): boolean {
  if (!before || before.ids.length === 0 || !isWhole || calls.length < ids.length) return false
  return calls.some(({ at }) => at instanceof Date && at.getTime() < before.readAt)
}

/** Converts a missed call; a call without a sensible time counts as missed now. */
function toMissedCall(call: Call, isFirstPoll: boolean, now: EpochMs): MissedCall | undefined {
  if (call.status === 'answered') return undefined
  const time = call.at instanceof Date ? call.at.getTime() : Number.NaN
  const isPossible = time <= now + dayMs
  // At the first poll, the call may be older than the alert.
  if (!isPossible && isFirstPoll) return undefined
  return {
    id: getCallIdentity(call).slice(0, 500),
    at: isPossible ? time : now,
    line: call.number.slice(0, 40),
  }
}
