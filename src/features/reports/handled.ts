import * as records from '../../store/missed-calls.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

export interface PersonFigures {
  readonly name: string
  /** Times until the person took a call, from its message. */
  readonly waits: Milliseconds[]
  done: number
}

const dropLater = <Mark extends records.Attribution>(mark: Mark | undefined, instant: EpochMs) =>
  mark && mark.at <= instant ? mark : undefined

/** Counts who takes care of missed calls that alerts posted to channels. @param instant later changes aren't counted */
export async function countHandled(calls: AsyncIterable<records.MissedCallRecord>, instant: EpochMs) {
  const peopleById = new Map<string, PersonFigures>()
  const getOrAddFigures = ({ person, name }: records.Attribution) => {
    const figures = peopleById.get(person) ?? { name, waits: [], done: 0 }
    peopleById.set(person, figures)
    return figures
  }
  let missed = 0
  let done = 0
  let waiting = 0
  for await (const call of calls) {
    const postedAt = records.getPostedAt(call)
    if (postedAt === undefined || postedAt > instant || !records.isShownInChannel(call)) continue
    missed += 1
    const finished = dropLater(call.done, instant)
    // Finishing a call that nobody has taken also takes it.
    const taken = records.getTaken({ taken: dropLater(call.taken, instant), done: finished })
    if (taken) getOrAddFigures(taken).waits.push(Math.max(0, taken.at - postedAt))
    else waiting += 1
    if (!finished) continue
    done += 1
    getOrAddFigures(finished).done += 1
  }
  const people = [...peopleById.values()]
  return { missed, done, waiting, waits: people.flatMap(({ waits }) => waits), people }
}
export type HandledCalls = Awaited<ReturnType<typeof countHandled>>

export function findMedian(waits: readonly Milliseconds[]): Milliseconds | undefined {
  const sorted = waits.toSorted((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.floor(sorted.length / 2)]
  if (low === undefined || high === undefined) return undefined
  return (low + high) / 2
}
