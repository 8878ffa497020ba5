import { type Attribution, isWaiting, type MissedCallRecord } from '../../../store/missed-calls.ts'
import type { EpochMs } from '../../../util/units.ts'

/** Who gets calls. */
export type Assignee = Pick<Attribution, 'person' | 'name'>

export interface CallChange {
  readonly name: 'take' | 'finish' | 'release' | 'assign' | 'reopen' | 'undo'
  /** Set if calls may leave their owner: the channel is told if that was someone else. Without `to`, they wait again. */
  readonly handover?: { readonly by: Attribution; readonly to?: Assignee }
  /** Returns undefined if the call stays as it is, for example because someone else came first. */
  apply(call: MissedCallRecord): MissedCallRecord | undefined
}

export const take = (by: Attribution): CallChange => ({
  name: 'take',
  apply: (call) => (isWaiting(call) ? { ...call, taken: by, released: undefined } : undefined),
})

export const finish = (by: Attribution): CallChange => ({
  name: 'finish',
  apply: (call) => (call.done ? undefined : { ...call, done: by }),
})

/** @param until calls that were taken later stay: the person didn't see that */
export const release = (by: Attribution, until: EpochMs): CallChange => ({
  name: 'release',
  handover: { by },
  apply(call) {
    const { taken, done } = call
    if (!taken || done || taken.at > until) return undefined
    const { person, name, at } = taken
    return { ...call, taken: undefined, released: { ...by, before: { person, name, at } } }
  },
})

/** @param until calls that were taken later stay with their owner */
export const assign = (to: Assignee, by: Attribution, until: EpochMs): CallChange => ({
  name: 'assign',
  handover: { by, to },
  apply(call) {
    const { taken, done } = call
    if (done || taken?.person === to.person || (taken && taken.at > until)) return undefined
    const before = taken && { person: taken.person, name: taken.name, at: taken.at }
    return { ...call, taken: { ...to, at: by.at, assignedBy: by.name, before }, released: undefined }
  },
})

export const reopen = (until: EpochMs): CallChange => ({
  name: 'reopen',
  apply: (call) => (call.done && call.done.at <= until ? { ...call, done: undefined } : undefined),
})

/** @param at of the release or the assignment */
export const undo = (at: EpochMs): CallChange => ({
  name: 'undo',
  apply(call) {
    const { taken, done, released } = call
    if (done) return undefined
    if (taken?.at === at && taken.assignedBy !== undefined) return { ...call, taken: taken.before }
    if (released?.at === at && !taken) return { ...call, taken: released.before, released: undefined }
    return undefined
  },
})
