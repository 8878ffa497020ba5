import * as records from '../../store/missed-calls.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

export interface PersonFigures {
  readonly name: string
  /** Times until the person took a call, from its message. */
  readonly waits: Milliseconds[]
  done: number
}

/** Counts who takes care of missed calls that alerts posted to channels. @param instant later changes aren't counted */
export async function countHandled(calls: AsyncIterable<records.MissedCallRecord>, instant: EpochMs) {
  const people = new Map<string, PersonFigures>()
  const getPerson = ({ person, name }: records.Attribution) => {
    const figures = people.get(person) ?? { name, waits: [], done: 0 }
    people.set(person, figures)
    return figures
  }
  let missed = 0
  let finished = 0
  for await (const call of calls) {
    const postedAt = records.getPostedAt(call)
    if (postedAt === undefined || postedAt > instant || !records.isShownInChannel(call)) continue
    missed += 1
    const done = upTo(instant, call.done)
    const taken = records.getTaken({ taken: upTo(instant, call.taken), done })
    if (taken) getPerson(taken).waits.push(Math.max(0, taken.at - postedAt))
    if (!done) continue
    finished += 1
    getPerson(done).done += 1
  }
  const waits = [...people.values()].flatMap((person) => person.waits)
  return { missed, done: finished, waiting: missed - waits.length, waits, people: [...people.values()] }
}
export type HandledCalls = Awaited<ReturnType<typeof countHandled>>

const upTo = <Mark extends records.Attribution>(instant: EpochMs, mark: Mark | undefined) =>
  mark && mark.at <= instant ? mark : undefined

/** Returns undefined without waits. */
export function findMedian(waits: readonly Milliseconds[]): Milliseconds | undefined {
  const sorted = waits.toSorted((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1]
  const high = sorted[sorted.length >> 1]
  if (low === undefined || high === undefined) return undefined
  return (low + high) / 2
}
