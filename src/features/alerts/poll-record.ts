import { hash } from 'node:crypto'
import { toMissedCall } from '../../query/call-states.ts'
import { describeFailure, type SubscriptionFailure } from '../../slack/deliver/failures.ts'
import type { AlertRecord, MissedCall, PolledList, PollRecord } from '../../store/alerts.ts'
import { missedCallId } from '../../store/missed-calls.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { type Call, getShortId, ReadLimitError } from '../../telephony/types.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../../util/units.ts'
import { afterFailure } from './failing.ts'
import type { PollReading } from './reading.ts'
import { compareNewestFirst, getStart } from './waiting.ts'

export interface PollResult {
  readonly at: EpochMs
  /** Undefined if nothing is new. */
  readonly reading: PollReading | undefined
  readonly error: unknown
}

/** Replaces a missing or unreadable row. Conversations show no call again. */
export function newPoll(alerts: readonly AlertRecord[], workspace: PollRecord['workspace']): PollRecord {
  const since = Math.min(...alerts.map((alert) => alert.since))
  return { workspace, since, pending: alerts.map(({ id }) => id) }
}

/** Until when the account's missed calls are known. */
export const getReadUntil = ({ since, list }: PollRecord): EpochMs => Math.max(since, list?.readAt ?? 0)

/** A new secret for the same key is the same account. */
export function resetIfAccountChanged(
  poll: PollRecord,
  tenant: TenantKey,
  { key, connectedAt }: Pick<CredentialsRecord, 'key' | 'connectedAt'>,
): PollRecord {
  const account = hash('sha256', `${tenant}\n${key}`, 'base64url').slice(0, 12)
  if (poll.account === account) return poll
  if (poll.account === undefined) return { ...poll, account }
  return { ...poll, account, since: connectedAt, list: undefined }
}

function describePollFailure(error: unknown): SubscriptionFailure {
  const { kind, reason, isPermanent, retryAfterMs } = describeFailure(error)
  if (error instanceof ReadLimitError)
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

interface PollOutcome {
  readonly poll: PollRecord
  /** New missed calls, newest first. */
  readonly calls: readonly MissedCall[]
}

export function applyPoll(poll: PollRecord, { at, reading, error }: PollResult, now: EpochMs): PollOutcome {
  const { list: before } = poll
  const isUnstable = reading !== undefined && hasUnstableIds(before, reading)
  const failed = error === undefined ? undefined : describePollFailure(error)
  const reason = failed ?? (isUnstable ? unstableIds : undefined)
  const failing = reason && afterFailure(poll.failing, reason, now)
  if (!reading) return { poll: { ...poll, failing }, calls: [] }
  // Without reliable ids, the times show which calls are new.
  const from = getStart(isUnstable ? getReadUntil(poll) : poll.since, now)
  const calls = new Map<string, MissedCall>()
  for (const call of reading.calls) {
    const missed = readMissedCall(call, before === undefined, now)
    if (missed && missed.at >= from) calls.set(missedCallId(missed), missed)
  }
  const { range, total } = reading
  const ids = isUnstable ? reading.calls.map(getShortId) : [...reading.ids]
  // An incomplete reading counts as none, but its calls are known.
  const readAt = total === undefined ? (before?.readAt ?? 0) : at
  const list: PolledList = { range, readAt, total, ids }
  return { poll: { ...poll, failing, list }, calls: [...calls.values()].sort(compareNewestFirst) }
}

/** True if the list has no known id, although it contains calls from before the last read. */
function hasUnstableIds(before: PolledList | undefined, { calls, total }: PollReading): boolean {
  if (!before || before.ids.length === 0 || calls.length !== total) return false
  return calls.some(({ at }) => at instanceof Date && at.getTime() < before.readAt)
}

/** Lists cover at most 31 days, so an earlier time is wrong. */
const MAX_AGE_MS: Milliseconds = 33 * dayMs

/** Counts a call without a sensible time as missed now. */
function readMissedCall(call: Call, isFirstPoll: boolean, now: EpochMs): MissedCall | undefined {
  const time = call.at instanceof Date ? call.at.getTime() : Number.NaN
  const isPossible = time <= now + dayMs && time >= now - MAX_AGE_MS
  // At the first poll, the call may be older than the alert.
  if (!isPossible && isFirstPoll) return undefined
  return toMissedCall(call, isPossible ? time : now)
}
