import { hash } from 'node:crypto'
import { toMissedCall } from '../../query/call-states.ts'
import { describeFailure, type SubscriptionFailure } from '../../slack/deliver/failures.ts'
import type { MissedCall, PolledList, PollRecord } from '../../store/alerts.ts'
import { missedCallId } from '../../store/missed-calls.ts'
import type { TenantKey } from '../../store/tenant.ts'
import type { CredentialsRecord } from '../../store/workspaces.ts'
import { type Call, ReadLimitError } from '../../telephony/types.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../../util/units.ts'
import { afterFailure } from './failing.ts'
import type { PollReading } from './reading.ts'
import { compareNewestFirst, getStart } from './waiting.ts'

export interface PollResult {
  readonly at: EpochMs
  /** Undefined if nothing is new. */
  readonly reading: PollReading | undefined
  readonly error: unknown
  /** When the account was connected. */
  readonly connectedAt: EpochMs | undefined
}

/** Forgets the calls of another account. A new secret for the same key is the same account. */
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
  if (error instanceof ReadLimitError)
    return { why: 'The phone service takes too long to list the missed calls.', isPermanent: false }
  const { kind, reason, isPermanent, retryAfterMs } = describeFailure(error)
  if (isPermanent) return { why: reason, isPermanent: kind !== 'refused', retryAfterMs }
  if (kind === 'error') return { why: 'Something went wrong in Callboard.', isPermanent, retryAfterMs }
  return { why: "The phone service isn't responding.", isPermanent, retryAfterMs }
}

interface PollOutcome {
  readonly poll: PollRecord
  /** New missed calls, newest first. */
  readonly calls: readonly MissedCall[]
}

export function applyPoll(
  before: PollRecord,
  { at, reading, error }: Omit<PollResult, 'connectedAt'>,
  now: EpochMs,
): PollOutcome {
  const poll: PollRecord = { ...before, failing: undefined }
  if (error !== undefined) poll.failing = afterFailure(before.failing, describePollFailure(error), now)
  if (!reading) return { poll, calls: [] }
  const { range, total, ids } = reading
  // An incomplete reading counts as none, but its calls are known.
  const readAt = total === undefined ? (before.list?.readAt ?? 0) : at
  const list: PolledList = { range, readAt, total, ids: [...ids] }
  const from = getStart(before.since, now)
  const calls = new Map<string, MissedCall>()
  for (const call of reading.calls) {
    const missed = readMissedCall(call, before.list === undefined, now)
    if (missed && missed.at >= from) calls.set(missedCallId(missed), missed)
  }
  return { poll: { ...poll, list }, calls: [...calls.values()].sort(compareNewestFirst) }
}

/** Lists cover at most 31 days, so an earlier time is wrong. */
const MAX_AGE_MS: Milliseconds = 33 * dayMs

/** Counts a call without a sensible time as missed now. */
function readMissedCall(call: Call, isFirstPoll: boolean, now: EpochMs): MissedCall | undefined {
  const time = call.at instanceof Date ? call.at.getTime() : Number.NaN
  if (time <= now + dayMs && time >= now - MAX_AGE_MS) return toMissedCall(call, time)
  // At the first poll, the call may be older than the alert.
  return isFirstPoll ? undefined : toMissedCall(call, now)
}
