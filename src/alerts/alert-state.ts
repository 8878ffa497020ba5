import type { AlertRecord, AlertStateRecord, OpenMessage } from '../store/alerts.ts'
import { alertMessageId, isMuted } from '../store/alerts.ts'
import type { CallBatch, MissedCall } from '../store/missed-calls.ts'
import { isOfLine } from '../telephony/line-names.ts'
import type { Zone } from '../time/types.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { batchOf, countOf, firstOf, latestOf, mergeBatches, without } from './call-batch.ts'
import { PackedIds, packIds } from './call-ids.ts'
import { areOpen, nextOpening, tooOldAt } from './hours.ts'
import { overThreshold } from './threshold.ts'

// What becomes of an alert's calls, step by step. Pure: who stores each step sees to it that nobody else takes it too.

const minuteMs: Milliseconds = 60_000
/** What follows a message is added to it. */
const addedForMs = 10 * minuteMs
/** A message is changed at most so often. */
export const changeEveryMs: Milliseconds = 5000
/** What comes later than that says so. */
export const lateAfterMs = 5 * minuteMs
/** Longer than it takes to hand a message to Slack, and to note that it took it. */
const sendingMs: Milliseconds = 30_000

/** An alert, now, in its channel's zone. */
export interface AlertNow {
  readonly alert: AlertRecord
  readonly zone: Zone
  readonly now: EpochMs
}

/** Whether it tells anything of what is missed from now on. */
export const isWatching = ({ isPaused }: AlertRecord): boolean => !isPaused

/** What was noted before the alert began anew counts no more, nor does what was missed until a mute ends or ended. */
function current(state: AlertStateRecord, { alert: { since, mutedUntil = 0 } }: AlertNow): AlertStateRecord {
  const { alertId, postedAt, trouble, noted, retryAt } = state
  const own = state.since === since ? state : { alertId, postedAt, trouble, noted, retryAt, since }
  const below = own.below?.filter(({ at }) => at >= mutedUntil)
  // What is noted after the mute is of after it, so that the latest call tells of all of them.
  const isSilenced = (own.untold?.calls[0]?.at ?? mutedUntil) < mutedUntil
  return { ...own, below, ...(isSilenced ? { untold: undefined } : {}) }
}

/** Whether the alert is to tell of a call. @param since of the account */
function concerns(
  { lines, mutedUntil = 0, since: own }: AlertRecord,
  call: MissedCall,
  since: EpochMs,
): boolean {
  // The service tells seconds.
  const from = Math.floor(Math.max(own, since) / 1000) * 1000
  const isOfLines = lines.length === 0 || lines.some((line) => isOfLine(call.line, line))
  return call.at >= from && call.at >= mutedUntil && isOfLines
}

/**
 * Notes calls that were not seen before.
 * @param calls of the alert's agents, each once @param since nothing that was missed before, in this account, is told
 * @param unseen which of those that were noted before are not known to be seen by now: a look may miss some of them
 */
export function note(
  state: AlertStateRecord,
  one: AlertNow,
  {
    calls,
    since,
    unseen = '',
  }: { readonly calls: readonly MissedCall[]; readonly since: EpochMs; readonly unseen?: string },
): AlertStateRecord {
  const own = current(state, one)
  const { alert, zone, now } = one
  const before = new PackedIds(own.noted ?? '')
  const fresh = calls.filter((call) => concerns(alert, call, since) && !before.has(call.id))
  const latest = packIds(calls.map(({ id }) => id))
  const { told, below } = overThreshold([...fresh, ...(own.below ?? [])], alert.threshold, now)
  const isOutside = (at: EpochMs) => !areOpen(alert.hours, zone, at)
  return {
    ...own,
    noted: latest + new PackedIds(latest).missing(unseen),
    below: below.length === 0 ? undefined : below,
    untold: mergeBatches(own.untold, batchOf(told, isOutside)),
  }
}

/** What is to be done for an alert: `wait` until then, `nothing` before there is news. */
export type NextStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wait'; readonly until: EpochMs }
  /** Somebody began to send a message, and was killed. */
  | { readonly kind: 'lost'; readonly open: OpenMessage }
  /** A message is to be sent. */
  | { readonly kind: 'post' }
  /** The open message is to show everything that is in it. */
  | { readonly kind: 'show'; readonly open: OpenMessage & { readonly ts: string } }

/** @param isClosed whether somebody is done with the open message, or it is gone */
export function nextStep(state: AlertStateRecord, one: AlertNow, isClosed: boolean): NextStep {
  const { alert, zone, now } = one
  const { open, untold, retryAt = 0 } = current(state, one)
  if (open && open.ts === undefined) {
    const until = open.openedAt + sendingMs
    return now < until ? { kind: 'wait', until } : { kind: 'lost', open }
  }
  if (!untold && !open?.unshown) return { kind: 'nothing' }
  if (isMuted(alert, now) || !isWatching(alert)) return { kind: 'nothing' }
  if (retryAt > now) return { kind: 'wait', until: retryAt }
  if (alert.hours && !areOpen(alert.hours, zone, now))
    return { kind: 'wait', until: nextOpening(alert.hours, zone, now) }
  const { ts } = open ?? {}
  const isAddedTo = now < (open?.openedAt ?? 0) + addedForMs && !isClosed
  if (!open || ts === undefined || (!isAddedTo && !open.unshown)) return { kind: 'post' }
  const until = (open.shownAt ?? 0) + changeEveryMs
  return now < until ? { kind: 'wait', until } : { kind: 'show', open: { ...open, ts } }
}

/** Why calls come late, these and those before; `undefined` where they don't. */
function lateOf({ hours }: CallBatch, now: EpochMs, before?: OpenMessage['late']): OpenMessage['late'] {
  const late = hours.filter(({ firstAt }) => now - firstAt > lateAfterMs)
  const whys = new Set(late.map(({ isOutside }) => (isOutside ? 'hours' : 'away')))
  const [why = before] = whys
  return whys.size > 1 || (before !== undefined && why !== before) ? 'both' : why
}

/** What is old enough by now is left out. */
function tellable({ untold }: AlertStateRecord, { alert, zone, now }: AlertNow) {
  if (!untold) return { left: undefined, tooOld: 0 }
  return without(untold, (hour) => tooOldAt(alert.hours, zone, hour) <= now)
}

/** Takes what is to be told into a message of its own, which this caller sends then; no other one sends it. */
export function beginMessage(state: AlertStateRecord, one: AlertNow): AlertStateRecord {
  const { now, alert } = one
  const { untold: _, open: _open, ...own } = current(state, one)
  const { left, tooOld } = tellable(current(state, one), one)
  if (!left) return own
  const lateByMs = now - firstOf(left)
  const open: OpenMessage = {
    id: alertMessageId(now, alert.id),
    openedAt: now,
    count: countOf(left),
    firstAt: firstOf(left),
    calls: left.calls,
    late: lateOf(left, now),
    lateByMs: lateByMs > lateAfterMs ? lateByMs : undefined,
    tooOld: tooOld > 0 ? tooOld : undefined,
    unshown: left,
  }
  return { ...own, open }
}

/** Takes what is to be told into the open message, unless it is too late for that. */
export function addToMessage(state: AlertStateRecord, one: AlertNow, isClosed: boolean): AlertStateRecord {
  const own = current(state, one)
  const { now } = one
  const { open, untold: _, ...rest } = own
  const { left } = tellable(own, one)
  if (!open || !left || isClosed || now >= open.openedAt + addedForMs) return own
  const lateByMs = Math.max(open.lateByMs ?? 0, now - firstOf(left))
  const added: OpenMessage = {
    ...open,
    count: open.count + countOf(left),
    firstAt: Math.min(open.firstAt, firstOf(left)),
    calls: latestOf([...open.calls, ...left.calls]),
    late: lateOf(left, now, open.late),
    lateByMs: lateByMs > lateAfterMs ? lateByMs : undefined,
    unshown: mergeBatches(open.unshown, left),
  }
  return { ...rest, open: added }
}

/** The message is shown as it was when it had so many calls. @param ts in the channel */
export function shown(
  state: AlertStateRecord,
  { id, count, ts, now }: { id: string; count: number; ts: string; now: EpochMs },
): AlertStateRecord {
  const { open, trouble: _, retryAt: _retryAt, ...own } = state
  if (open?.id !== id) return state
  const isNew = open.ts === undefined
  const unshown = open.count === count ? undefined : open.unshown
  return { ...own, ...(isNew ? { postedAt: now } : {}), open: { ...open, ts, shownAt: now, unshown } }
}

/** The message is not there, or not any more: what it had not shown is to be told. */
export function takeBack(state: AlertStateRecord, id: string): AlertStateRecord {
  const { open, ...own } = state
  if (open?.id !== id) return state
  return { ...own, untold: mergeBatches(own.untold, open.unshown) }
}

/** It may be there or not: nothing of it is sent again. */
export function giveUpMessage(state: AlertStateRecord, id: string): AlertStateRecord {
  const { open, ...own } = state
  return open?.id === id ? own : state
}
