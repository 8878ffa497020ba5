import { type Message, textMessage } from '../../../slack/blocks/blocks.ts'
import { type Attribution, isWaiting, type MissedCallRecord } from '../../../store/missed-calls.ts'
import { countNoun, joinNames } from '../../../util/text.ts'
import type { EpochMs } from '../../../util/units.ts'
import { type ChosenCalls, messageActions } from '../actions.ts'
import { formatLabel, MAX_NAMED_OWNERS } from '../words.ts'

/** Who gets calls. */
export type Assignee = Pick<Attribution, 'person' | 'name'>

export interface CallChange {
  /** The reply names those who took some of the calls first. After other changes, it says nothing of kept calls. */
  readonly isTake?: true
  /** Set if people may lose calls, so that the channel is told. Without `to`, the calls wait again. */
  readonly handover?: { readonly by: Attribution; readonly to?: Assignee }
  /** Returns the changed call; undefined to keep it, for example because another person was faster. */
  apply(call: MissedCallRecord): MissedCallRecord | undefined
}

/** @param by the person who clicked @param value of the button */
export type CreateChange<Value = void> = (by: Attribution, value: Value) => CallChange

export const take = (by: Attribution): CallChange => ({
  isTake: true,
  apply: (call) => (isWaiting(call) ? { ...call, taken: by, released: undefined } : undefined),
})

export const finish = (by: Attribution): CallChange => ({
  apply: (call) => (call.done ? undefined : { ...call, done: by }),
})

/** Drops how the person got the call. */
const toAttribution = ({ person, name, at }: Attribution): Attribution => ({ person, name, at })

/** @param until calls that were taken later stay, because the person who clicked didn't see that */
export const release = (by: Attribution, until: EpochMs): CallChange => ({
  handover: { by },
  apply(call) {
    const { taken, done } = call
    if (!taken || done || taken.at > until) return undefined
    return { ...call, taken: undefined, released: { ...by, before: toAttribution(taken) } }
  },
})

/** @param until calls that were taken later stay with their owner, because the person who clicked didn't see that */
export const assign = (to: Assignee, by: Attribution, until: EpochMs): CallChange => ({
  handover: { by, to },
  apply(call) {
    const { taken, done } = call
    if (done || taken?.person === to.person) return undefined
    if (taken && taken.at > until) return undefined
    const before = taken && toAttribution(taken)
    return { ...call, taken: { ...to, at: by.at, assignedBy: by.name, before }, released: undefined }
  },
})

export const reopen = (until: EpochMs): CallChange => ({
  apply: (call) => (call.done && call.done.at <= until ? { ...call, done: undefined } : undefined),
})

/** @param at when the calls were assigned or released */
export const undo = (at: EpochMs): CallChange => ({
  apply(call) {
    const { taken, done, released } = call
    if (done) return undefined
    const wasAssigned = taken?.at === at && taken.assignedBy !== undefined
    if (wasAssigned) return { ...call, taken: taken.before }
    const wasReleased = released?.at === at && !taken
    return wasReleased ? { ...call, taken: released.before, released: undefined } : undefined
  },
})

/** Tells a channel who changed what others rely on. @param before the changed calls in their former state */
export function describeHandover(
  { handover }: CallChange,
  before: readonly MissedCallRecord[],
  { id, line }: ChosenCalls,
): Message | undefined {
  if (!handover || before.length === 0) return undefined
  const { by, to } = handover
  const undoButton = messageActions.undo.button('Undo', { id, line, at: by.at })
  const formerOwners: string[] = []
  for (const { taken } of before)
    if (taken && taken.person !== by.person) formerOwners.push(formatLabel(taken.name))
  if (to) {
    // Assigning waiting calls to oneself is taking them.
    if (to.person === by.person && formerOwners.length === 0) return undefined
    const callsToOwner = `${countNoun(before.length, 'call')} to ${formatLabel(to.name)}`
    return textMessage(`${formatLabel(by.name)} assigned ${callsToOwner}.`, [undoButton])
  }
  // People may release their own calls without telling others.
  if (formerOwners.length === 0) return undefined
  const names = joinNames([...new Set(formerOwners)], { max: MAX_NAMED_OWNERS })
  const theirCalls = `${countNoun(formerOwners.length, 'call')} that ${names} had`
  return textMessage(`${formatLabel(by.name)} released ${theirCalls}.`, [undoButton])
}
