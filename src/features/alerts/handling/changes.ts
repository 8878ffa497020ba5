import { type Attribution, isWaiting, type MissedCallRecord } from '../../../store/missed-calls.ts'
import type { EpochMs } from '../../../util/units.ts'

/** Returns undefined if the call stays as it is, for example because someone else came first. */
export type CallChange = (call: MissedCallRecord) => MissedCallRecord | undefined

/** Who gets calls. */
export type Assignee = Pick<Attribution, 'person' | 'name'>

export const take =
  (by: Attribution): CallChange =>
  (call) =>
    isWaiting(call) ? { ...call, taken: by, released: undefined } : undefined

export const finish =
  (by: Attribution): CallChange =>
  (call) =>
    call.done ? undefined : { ...call, done: by }

/** @param until calls that were taken later stay: the person didn't see that */
export const release =
  (by: Attribution, until: EpochMs): CallChange =>
  (call) => {
    const { taken, done } = call
    if (!taken || done || taken.at > until) return undefined
    const { person, name, at } = taken
    return { ...call, taken: undefined, released: { ...by, before: { person, name, at } } }
  }

/** @param until calls that were taken later stay with their owner */
export const assign =
  ({ person, name }: Assignee, by: Attribution, until: EpochMs): CallChange =>
  (call) => {
    const { taken, done } = call
    if (done || taken?.person === person || (taken && taken.at > until)) return undefined
    const before = taken && { person: taken.person, name: taken.name, at: taken.at }
    return { ...call, taken: { person, name, at: by.at, assignedBy: by.name, before }, released: undefined }
  }

export const reopen =
  (until: EpochMs): CallChange =>
  (call) =>
    call.done && call.done.at <= until ? { ...call, done: undefined } : undefined

/** @param at of the release */
export const undoRelease =
  (at: EpochMs): CallChange =>
  (call) =>
    isWaiting(call) && call.released?.at === at
      ? { ...call, taken: call.released.before, released: undefined }
      : undefined

/** @param at of the assignment */
export const undoAssign =
  (at: EpochMs): CallChange =>
  (call) =>
    call.taken?.at === at && call.taken.assignedBy !== undefined && !call.done
      ? { ...call, taken: call.taken.before }
      : undefined
