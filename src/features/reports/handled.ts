import * as records from '../../store/missed-calls.ts'
import type { EpochMs, Milliseconds } from '../../util/units.ts'

export interface PersonFigures {
  readonly name: string
  /** Times until the person took a call, from its message. */
  readonly waits: Milliseconds[]
  done: number
}

/** Counts who takes care of missed calls that alerts posted to channels. */
export class HandledCalls {
  missed = 0
  done = 0
  readonly people = new Map<string, PersonFigures>()
  readonly #instant

  /** @param instant later changes aren't counted */
  constructor(instant: EpochMs) {
    this.#instant = instant
  }

  /** Times until calls were taken, from their messages. */
  get waits(): readonly Milliseconds[] {
    return [...this.people.values()].flatMap(({ waits }) => waits)
  }

  get waiting(): number {
    return this.missed - this.waits.length
  }

  add(call: records.MissedCallRecord): void {
    const postedAt = records.getPostedAt(call)
    if (postedAt === undefined || postedAt > this.#instant || !records.isShownInChannel(call)) return
    this.missed += 1
    const done = this.#upToInstant(call.done)
    const taken = records.getTaken({ taken: this.#upToInstant(call.taken), done })
    if (taken) this.#getPerson(taken).waits.push(Math.max(0, taken.at - postedAt))
    if (!done) return
    this.done += 1
    this.#getPerson(done).done += 1
  }

  #upToInstant<Mark extends records.Attribution>(mark: Mark | undefined): Mark | undefined {
    return mark && mark.at <= this.#instant ? mark : undefined
  }

  #getPerson({ person, name }: records.Attribution): PersonFigures {
    const figures = this.people.get(person) ?? { name, waits: [], done: 0 }
    this.people.set(person, figures)
    return figures
  }
}

/** Returns undefined without waits. */
export function findMedian(waits: readonly Milliseconds[]): Milliseconds | undefined {
  const sorted = waits.toSorted((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1]
  const high = sorted[sorted.length >> 1]
  if (low === undefined || high === undefined) return undefined
  return (low + high) / 2
}
