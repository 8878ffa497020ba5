import type { AlertStateRecord, OpenMessage } from '../store/alerts.ts'
import { alertMessageId, isMuted } from '../store/alerts.ts'
import type { CallBatch } from '../store/missed-calls.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'
import { type AlertNow, current, isOutsideOf, isWatching } from './alert-state.ts'
import { batchOf, countOf, firstOf, latestOf, mergeBatches, without } from './call-batch.ts'
import { areOpen, nextOpening, tooOldAt } from './hours.ts'

// What becomes of what an alert has noted, step by step. Pure: who stores each step sees to it that nobody else takes it too.

const minuteMs: Milliseconds = 60_000
/** What follows a message is added to it. */
const addedForMs = 10 * minuteMs
/** A message is changed at most so often. */
export const changeEveryMs: Milliseconds = 5000
/** What comes later than that says so. */
export const lateAfterMs = 5 * minuteMs
/** Longer than it takes to hand a message to Slack, and to note that it took it. */
const sendingMs: Milliseconds = 30_000

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

/** Whether the open message still takes calls. */
const isAddedTo = ({ open }: AlertStateRecord, now: EpochMs, isClosed: boolean): boolean =>
  open?.ts !== undefined && now < open.openedAt + addedForMs && !isClosed

/** Takes what follows a message as one that is to be told: what opened it was enough for the threshold. */
function withFollowing(state: AlertStateRecord, one: AlertNow, isClosed: boolean): AlertStateRecord {
  const { open, below = [] } = state
  if (!open || !isAddedTo(state, one.now, isClosed)) return state
  const [following, others] = [
    below.filter(({ at }) => at >= open.firstAt),
    below.filter(({ at }) => at < open.firstAt),
  ]
  if (following.length === 0) return state
  const untold = mergeBatches(state.untold, batchOf(following, isOutsideOf(one)))
  return { ...state, below: others.length === 0 ? undefined : others, untold }
}

/** @param isClosed whether somebody is done with the open message, or it is gone */
export function nextStep(state: AlertStateRecord, one: AlertNow, isClosed: boolean): NextStep {
  const { alert, zone, now } = one
  const own = withFollowing(current(state, one), one, isClosed)
  const { open, untold, retryAt = 0 } = own
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
  if (!open || ts === undefined || (!isAddedTo(own, now, isClosed) && !open.unshown)) return { kind: 'post' }
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
  const own = withFollowing(current(state, one), one, isClosed)
  const { now } = one
  const { open, untold: _, ...rest } = own
  const { left } = tellable(own, one)
  if (!open || !left || !isAddedTo(own, now, isClosed)) return own
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
