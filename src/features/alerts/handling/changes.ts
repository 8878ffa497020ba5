import { type Message, textMessage } from '../../../slack/blocks/blocks.ts'
import { type Attribution, isWaiting, type MissedCallRecord } from '../../../store/missed-calls.ts'
import { countNoun, joinNames } from '../../../util/text.ts'
import type { EpochMs } from '../../../util/units.ts'
import { type ChosenCalls, messageActions } from '../actions.ts'
import { formatLabel } from '../words.ts'

const MAX_NAMES = 3

/** Who gets calls. */
export type Assignee = Pick<Attribution, 'person' | 'name'>

export interface CallChange {
  /** Taking is partial if others were faster. The other changes only concern some calls anyway. */
  readonly isTake?: true
  /** Set if calls may leave their owner: the channel is told if that was someone else. Without `to`, they wait again. */
  readonly handover?: { readonly by: Attribution; readonly to?: Assignee }
  /** Returns undefined if the call stays as it is, for example because someone else came first. */
  apply(call: MissedCallRecord): MissedCallRecord | undefined
}

/** @param by the person who clicked @param value of the button */
export type ToChange<Value = void> = (by: Attribution, value: Value) => CallChange

export const take = (by: Attribution): CallChange => ({
  isTake: true,
  apply: (call) => (isWaiting(call) ? { ...call, taken: by, released: undefined } : undefined),
})

export const finish = (by: Attribution): CallChange => ({
  apply: (call) => (call.done ? undefined : { ...call, done: by }),
})

/** @param until calls that were taken later stay: the person didn't see that */
export const release = (by: Attribution, until: EpochMs): CallChange => ({
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
  handover: { by, to },
  apply(call) {
    const { taken, done } = call
    if (done || taken?.person === to.person || (taken && taken.at > until)) return undefined
    const before = taken && { person: taken.person, name: taken.name, at: taken.at }
    return { ...call, taken: { ...to, at: by.at, assignedBy: by.name, before }, released: undefined }
  },
})

export const reopen = (until: EpochMs): CallChange => ({
  apply: (call) => (call.done && call.done.at <= until ? { ...call, done: undefined } : undefined),
})

/** @param at of the release or the assignment */
export const undo = (at: EpochMs): CallChange => ({
  apply(call) {
    const { taken, done, released } = call
    if (done) return undefined
    if (taken?.at === at && taken.assignedBy !== undefined) return { ...call, taken: taken.before }
    if (released?.at === at && !taken) return { ...call, taken: released.before, released: undefined }
    return undefined
  },
})

/** Tells a channel who changed what others rely on. @param before the changed calls as they were */
export function announceHandover(
  { handover }: CallChange,
  before: readonly MissedCallRecord[],
  { id, line }: ChosenCalls,
): Message | undefined {
  if (!handover || before.length === 0) return undefined
  const { by, to } = handover
  const lost: Attribution[] = []
  for (const { taken } of before) if (taken && taken.person !== by.person) lost.push(taken)
  if (lost.length === 0 && (!to || to.person === by.person)) return undefined
  const undoButton = messageActions.undo.button('Undo', { id, line, at: by.at })
  if (to) {
    const what = `${countNoun(before.length, 'call')} to ${formatLabel(to.name)}`
    return textMessage(`${formatLabel(by.name)} assigned ${what}.`, [undoButton])
  }
  const names = [...new Set(lost.map(({ name }) => formatLabel(name)))]
  const what = `${countNoun(lost.length, 'call')} that ${joinNames(names, { max: MAX_NAMES })} had`
  return textMessage(`${formatLabel(by.name)} released ${what}.`, [undoButton])
}
