import * as records from '../../store/missed-calls.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

export interface PersonFigures {
  readonly name: string
  /** Times until the person took a call, from its message. */
  readonly waits: Milliseconds[]
  done: number
}

const upTo = <Mark extends records.Attribution>(instant: EpochMs, mark: Mark | undefined) =>
  mark && mark.at <= instant ? mark : undefined

/** Counts who takes care of missed calls that alerts posted to channels. @param instant later changes aren't counted */
export async function countHandled(calls: AsyncIterable<records.MissedCallRecord>, instant: EpochMs) {
  const peopleById = new Map<string, PersonFigures>()
  const getFigures = ({ person, name }: records.Attribution) => {
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
    const finisher = upTo(instant, call.done)
    // Finishing a call that nobody has taken also takes it.
    const taker = records.getTaken({ taken: upTo(instant, call.taken), done: finisher })
    if (taker) getFigures(taker).waits.push(Math.max(0, taker.at - postedAt))
    else waiting += 1
    if (!finisher) continue
    done += 1
    getFigures(finisher).done += 1
  }
  const people = [...peopleById.values()]
  return { missed, done, waiting, waits: people.flatMap(({ waits }) => waits), people }
}
export type HandledCalls = Awaited<ReturnType<typeof countHandled>>

/** Returns undefined without waits. */
export function findMedian(waits: readonly Milliseconds[]): Milliseconds | undefined {
  const sorted = waits.toSorted((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1]
  const high = sorted[sorted.length >> 1]
  if (low === undefined || high === undefined) return undefined
  return (low + high) / 2
}
