import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { describeFailure } from '../../slack/deliver/failures.ts'
import type { AlertRecord, MissedCall, PolledList, WatchRecord } from '../../store/alerts.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { RateLimitedError, ReadingCutError } from '../../telephony/errors.ts'
import { getCallIdentity } from '../../telephony/read-calls.ts'
import type { Call } from '../../telephony/types.ts'
import { dayMs, type EpochMs } from '../../util/units.ts'
import { afterFailure, type FailureReason } from './failing.ts'
import { knownIds, type PollReading, toShortId } from './reading.ts'
import { addWaiting, byNewest, RESTART_MS, startAt } from './waiting.ts'

// Changes of an account's row by a poll.

/** About 500 kB of ids. */
const MAX_IDS = 50_000
/** With more calls than that, other work gets its turn before each alert. */
const MANY_CALLS = 500

/** Known calls have other ids, so ids don't tell which calls are new. */
class UnstableIdsError extends Error {
  override readonly name = 'UnstableIdsError'
}

export interface PollResult {
  readonly at: EpochMs
  /** Undefined if nothing is new. */
  readonly reading: PollReading | undefined
  readonly error?: unknown
}

/** Replaces a row that is missing or can't be read: recent calls may be posted twice, rather than never. */
export function newWatch(
  alerts: readonly AlertRecord[],
  tenant: WatchRecord['tenant'],
  now: EpochMs,
): WatchRecord {
  const since = Math.max(now - RESTART_MS, Math.min(...alerts.map((alert) => alert.since)))
  return { tenant, since, alerts: {} }
}

/** Forgets what was read of another account; another secret of the same key is the same account. */
export function forAccount(
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
    if (kind === 'refused') return 'The phone service refused to list the missed calls.'
    if (kind === 'error') return 'Something went wrong in Callboard.'
    if (isPermanent) return pauseText
    return retryAfterMs === undefined && !(error instanceof RateLimitedError)
      ? "The phone service isn't responding."
      : 'The phone service asks Callboard to wait.'
  }
  return { why: why(), isPermanent: isPermanent && kind !== 'refused', retryAfterMs }
}

/** Returns the row after a poll: known ids, calls for each alert, and the failure if there was one. */
export async function applyPoll(
  before: WatchRecord,
  { at, reading, error = reading?.error }: PollResult,
  alerts: readonly AlertRecord[],
  now: EpochMs,
): Promise<WatchRecord> {
  const watch = reading ? await applyReading(before, reading, alerts, { at, now }) : before
  const failed = error ?? (reading && findUnstableIds(before.list, reading))
  if (failed !== undefined)
    return { ...watch, failing: afterFailure(watch.failing, describePollFailure(failed), now) }
  const { failing: _, ...working } = watch
  return working
}

async function applyReading(
  watch: WatchRecord,
  reading: PollReading,
  alerts: readonly AlertRecord[],
  { at, now }: { readonly at: EpochMs; readonly now: EpochMs },
): Promise<WatchRecord> {
  const isReplaced = hasOtherIds(watch.list, reading)
  const { list, isFull } = mergeList(isReplaced ? undefined : watch.list, reading, at)
  // With ids forgotten, known calls could be posted again.
  if (isFull) return { ...watch, list, since: at }
  // The row may have changed since it was read for the poll.
  const known = knownIds(watch.list)
  // If ids don't tell which calls are new, their times do.
  const since = isReplaced ? Math.max(watch.since, watch.list?.readAt ?? 0) : watch.since
  const from = startAt(since, now)
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
  return { ...watch, list, alerts: states }
}

function mergeList(
  before: PolledList | undefined,
  { range, ids, isWhole, total }: PollReading,
  at: EpochMs,
): { readonly list: PolledList; readonly isFull: boolean } {
  const isOtherRange = isWhole && before !== undefined && !isDeepStrictEqual(before.range, range)
  const all = isOtherRange ? ids : [...new Set([...(before?.ids ?? []), ...ids])]
  const isFull = all.length > MAX_IDS
  const list = {
    range: isWhole || !before ? { ...range } : before.range,
    readAt: total === undefined ? (before?.readAt ?? 0) : at,
    total,
    ids: isFull ? all.slice(-MAX_IDS / 2) : [...all],
    earlierIds: (isOtherRange ? before.ids : before?.earlierIds) ?? [],
  }
  return { list, isFull }
}

/** True if most known calls are missing from a reading that should contain them. */
function hasOtherIds(before: PolledList | undefined, { range, ids, isWhole }: PollReading): boolean {
  if (!before || !isWhole || before.range.offset !== range.offset) return false
  if (range.from > before.range.from || range.to < before.range.to) return false
  const read = new Set(ids)
  const gone = before.ids.filter((id) => !read.has(id))
  return gone.length > before.ids.length / 2
}

/** Returns an error if known calls have other ids now, rather than new calls in place of vanished ones. */
function findUnstableIds(before: PolledList | undefined, reading: PollReading): UnstableIdsError | undefined {
  if (!before || !hasOtherIds(before, reading)) return undefined
  const isKnown = ({ at }: Call) => at instanceof Date && at.getTime() < before.readAt
  return reading.calls.some(isKnown) ? new UnstableIdsError() : undefined
}

/** Converts a missed call; a call without a sensible time counts as missed now. */
function toMissedCall(call: Call, isFirstPoll: boolean, now: EpochMs): MissedCall | undefined {
  if (call.status === 'answered') return undefined
  const time = call.at instanceof Date ? call.at.getTime() : Number.NaN
  const isPossible = time <= now + dayMs
  // At the first poll it may be from before the alert was set up.
  if (!isPossible && isFirstPoll) return undefined
  return {
    id: getCallIdentity(call).slice(0, 500),
    at: isPossible ? time : now,
    line: call.number.slice(0, 40),
  }
}
