import {
  type AlertRecord,
  type AlertState,
  type CallList,
  isMuted,
  type MissedCall,
  MOST_KEPT_CALLS,
} from '../store/alerts.ts'
import { isOfLine } from '../telephony/lines.ts'
import type { Zone } from '../time/types.ts'
import { dayMs, type EpochMs, hourMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { areOpen, tooOldAt } from './hours.ts'
import { isAhead, longestIntervalMs } from './poll-times.ts'

// What becomes of an alert's calls until Slack has confirmed the message that shows them. Pure.

/** What follows a message is added to it. */
const addedForMs = 10 * minuteMs
/** What comes later than that says so. */
const lateAfterMs = 5 * minuteMs
/** The service may show a call as late as that, and an earlier one after a later one. */
const latenessMs: Milliseconds = hourMs
/** What is kept waiting: more than any threshold asks for. */
const mostBelow = 1000

/**
 * Which calls are so many within so many minutes, and which may come to it with others, the newest first.
 * @param calls in any order @param threshold without one, each call counts
 */
export function overThreshold(
  calls: readonly MissedCall[],
  threshold: AlertRecord['threshold'],
  now: EpochMs,
): { readonly reached: readonly MissedCall[]; readonly below: MissedCall[] } {
  if (!threshold) return { reached: calls, below: [] }
  const sorted = [...calls].sort((one, other) => one.at - other.at)
  const windowMs = threshold.minutes * minuteMs
  const reached = new Set<MissedCall>()
  for (const [last, { at }] of sorted.entries()) {
    const first = sorted[last + 1 - threshold.calls]
    if (first && at - first.at <= windowMs)
      for (const call of sorted.slice(last + 1 - threshold.calls, last + 1)) reached.add(call)
  }
  const isKept = (call: MissedCall) => !reached.has(call) && call.at >= now - windowMs - latenessMs
  return { reached: [...reached], below: sorted.filter(isKept).reverse().slice(0, mostBelow) }
}

/** The newest first; of two at the same time the one whose id comes later, since the service counts them up. */
const newestFirst = (one: MissedCall, other: MissedCall): number =>
  other.at - one.at || (one.id < other.id ? 1 : -1)

export function listOf(calls: readonly MissedCall[]): CallList | undefined {
  if (calls.length === 0) return undefined
  const sorted = [...calls].sort(newestFirst)
  const firstAt = calls.reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY)
  return { count: calls.length, firstAt, calls: sorted.slice(0, MOST_KEPT_CALLS) }
}

/** Both, with what is in either of them once. */
export function mergeLists<T extends CallList>(one: T, other: CallList | undefined): T
export function mergeLists(one: CallList | undefined, other: CallList | undefined): CallList | undefined
export function mergeLists(one: CallList | undefined, other: CallList | undefined): CallList | undefined {
  if (!one || !other) return one ?? other
  const known = new Set(one.calls.map(({ id }) => id))
  const added = other.calls.filter(({ id }) => !known.has(id))
  if (added.length === 0) return one
  const calls = [...one.calls, ...added].sort(newestFirst).slice(0, MOST_KEPT_CALLS)
  const count = one.count + other.count - (other.calls.length - added.length)
  return { ...one, count, firstAt: Math.min(one.firstAt, other.firstAt), calls }
}

/**
 * Without those that aren't wanted; then without what is counted alone, too, which is earlier than all that are listed. Of 500
 * calls with the latest 200 listed, 500 stay where all of these are wanted, and 150 where 150 are.
 */
export function keepOf(
  list: CallList | undefined,
  isKept: (call: MissedCall) => boolean,
): CallList | undefined {
  const kept = list?.calls.filter(isKept) ?? []
  return kept.length === list?.calls.length ? list : listOf(kept)
}

/** What was not handled yet of a list that has only grown since: what is counted alone is known by its number. */
function restOf({ count, calls }: CallList, handled: CallList): CallList | undefined {
  const known = new Set(handled.calls.map(({ id }) => id))
  const rest = listOf(calls.filter(({ id }) => !known.has(id)))
  return rest && { ...rest, count: Math.max(rest.count, count - handled.count) }
}

export interface AlertNow {
  readonly alert: AlertRecord
  readonly zone: Zone
  readonly now: EpochMs
}

export const isWatching = ({ isPaused, isAwaiting }: AlertRecord): boolean => !isPaused && !isAwaiting

/** What waited before the alert began anew counts no more, nor does what was missed until a mute ends or ended. */
export function current(
  state: AlertState,
  { since, mutedUntil = 0 }: Pick<AlertRecord, 'since' | 'mutedUntil'>,
): AlertState {
  const { postedAt, trouble, failing, retryAt } = state
  const own = state.since === since ? state : { since, postedAt, trouble, failing, retryAt }
  const isAudible = ({ at }: MissedCall) => at >= mutedUntil
  return { ...own, below: own.below?.filter(isAudible), pending: keepOf(own.pending, isAudible) }
}

/** Whether the alert is for a call. @param since of the account */
function concerns(
  { lines, mutedUntil = 0, since: own }: AlertRecord,
  call: MissedCall,
  { since, now }: { readonly since: EpochMs; readonly now: EpochMs },
): boolean {
  // A clock that has jumped wrote what is still to come: then what was missed since the poll before may be posted.
  const begun = Math.max(...[own, since].map((at) => (at > now ? now - longestIntervalMs : at)))
  // The service's times are whole seconds.
  const from = Math.floor(begun / 1000) * 1000
  const isOfLines = lines.length === 0 || lines.some((line) => isOfLine(call.line, line))
  return call.at >= from && call.at >= mutedUntil && isOfLines
}

/**
 * Takes calls that were not seen before.
 * @param calls of the alert's agents, each once @param since nothing that was missed before, in this account, is posted
 */
export function addCalls(
  state: AlertState,
  { alert, now }: Pick<AlertNow, 'alert' | 'now'>,
  { calls, since }: { readonly calls: readonly MissedCall[]; readonly since: EpochMs },
): AlertState {
  const own = current(state, alert)
  const concerned = calls.filter((call) => concerns(alert, call, { since, now }))
  // What is pending was not posted yet, so that it counts for those that follow it.
  const known = own.pending?.calls ?? []
  const all = [...concerned, ...(own.below ?? []), ...known]
  const { reached, below } = overThreshold(all, alert.threshold, now)
  const ids = new Set(known.map(({ id }) => id))
  const isNew = ({ id }: MissedCall) => !ids.has(id)
  const rest = below.filter(isNew)
  const pending = mergeLists(own.pending, listOf(reached.filter(isNew)))
  return { ...own, below: rest.length === 0 ? undefined : rest, pending }
}

/** Whether what is pending is to be sent now. @param state with what follows the open message as pending */
export function isDue(state: AlertState, { alert, zone, now }: AlertNow): boolean {
  const { pending, retryAt = 0, sendingUntil = 0 } = current(state, alert)
  if (!pending || isMuted(alert, now) || !isWatching(alert)) return false
  return !isAhead(Math.max(retryAt, sendingUntil), now) && areOpen(alert.hours, zone, now)
}

export function openMessage({ message }: AlertState, now: EpochMs): string | undefined {
  if (message?.postedAt === undefined) return undefined
  return Math.abs(now - message.postedAt) < addedForMs ? message.id : undefined
}

/** Takes what follows a message as pending: what opened it was enough for the threshold. @param open the open message */
export function withFollowing(state: AlertState, open: CallList | undefined): AlertState {
  const { below = [] } = state
  if (!open || below.length === 0) return state
  const following = below.filter(({ at }) => at >= open.firstAt)
  const others = below.filter(({ at }) => at < open.firstAt)
  const pending = mergeLists(state.pending, listOf(following))
  return { ...state, below: others.length === 0 ? undefined : others, pending }
}

/** What is young enough to be shown by now, and how much isn't. */
export function presentable(
  pending: CallList,
  { alert, zone, now }: AlertNow,
): { readonly list: CallList | undefined; readonly tooOld: number } {
  const list = keepOf(pending, ({ at }) => now - at <= dayMs || tooOldAt(alert.hours, zone, at) > now)
  return { list, tooOld: pending.count - (list?.count ?? 0) }
}

export function lateness({ firstAt }: CallList, now: EpochMs): Milliseconds | undefined {
  const lateByMs = now - firstAt
  return lateByMs > lateAfterMs ? lateByMs : undefined
}

/**
 * Slack has confirmed the message.
 * @param handled what was pending when it was sent: shown, or too old
 */
export function confirmed(
  state: AlertState,
  { id, handled, now }: { readonly id: string; readonly handled: CallList; readonly now: EpochMs },
): AlertState {
  const {
    trouble: _,
    failing: _failing,
    retryAt: _retryAt,
    sendingUntil: _sendingUntil,
    message,
    ...own
  } = state
  const isNew = message?.id !== id || message.postedAt === undefined
  const pending = own.pending && restOf(own.pending, handled)
  const next = isNew ? { id, postedAt: now } : message
  return { ...own, ...(isNew ? { postedAt: now } : {}), message: next, pending }
}
