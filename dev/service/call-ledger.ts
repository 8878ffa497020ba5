import type { CallSource } from './seeds/call-maker.ts'
import { getDayNumber } from './seeds/days.ts'
import type { Direction, SandboxCall } from './types.ts'

const PAGE_SIZE = 20

/** Days that are created in advance, so that a running sandbox keeps receiving calls. */
const DAYS_AHEAD = 3

export interface CallFilter {
  readonly direction: Direction
  readonly since?: number | undefined
  readonly before?: number | undefined
  readonly answered?: boolean | undefined
  readonly agentId?: string | undefined
}

export interface CallPage {
  /** Newest first. */
  readonly calls: readonly SandboxCall[]
  /** Number of matching calls on all pages. */
  readonly total: number
}

/** An account's calls in order of time. Future calls exist, but are hidden. */
export class CallLedger {
  readonly #source: CallSource
  readonly #now: () => Date
  readonly #byDirection: Record<Direction, SandboxCall[]> = { incoming: [], outgoing: [] }
  #nextDay: number

  constructor(source: CallSource, now: () => Date) {
    this.#source = source
    this.#now = now
    this.#nextDay = source.firstDay
    this.#add(source.others)
    this.#reach(getDayNumber(now()))
  }

  /** Returns all calls of a direction until now, newest first. */
  upToNow(direction: Direction): SandboxCall[] {
    const calls = this.#reach(getDayNumber(this.#now()))[direction]
    return calls.slice(0, this.#visible(calls)).reverse()
  }

  /** Adds calls. Future ones are hidden. */
  insert(calls: readonly SandboxCall[]): void {
    this.#add(calls)
  }

  /** Removes calls, including future ones. */
  removeWhere(direction: Direction, isGone: (call: SandboxCall) => boolean): void {
    const calls = this.#reach(getDayNumber(this.#now()))[direction]
    this.#byDirection[direction] = calls.filter((call) => !isGone(call))
  }

  /** @param page counts from zero; a page after the last one is empty */
  page(filter: CallFilter, page: number): CallPage {
    const calls = this.#reach(getDayNumber(this.#now()))[filter.direction]
    const end = Math.min(this.#visible(calls), position(calls, filter.before ?? Number.POSITIVE_INFINITY))
    const start = Math.min(end, position(calls, filter.since ?? Number.NEGATIVE_INFINITY))
    const { answered, agentId } = filter
    const skip = page * PAGE_SIZE
    if (answered === undefined && agentId === undefined) {
      const last = Math.max(start, end - skip)
      return { calls: calls.slice(Math.max(start, last - PAGE_SIZE), last).reverse(), total: end - start }
    }
    const found: SandboxCall[] = []
    let total = 0
    for (let index = end - 1; index >= start; index--) {
      const call = calls[index]
      if (call === undefined) break
      if (answered !== undefined && call.answered !== answered) continue
      if (agentId !== undefined && call.agentId !== agentId) continue
      if (total >= skip && found.length < PAGE_SIZE) found.push(call)
      total++
    }
    return { calls: found, total }
  }

  #visible(calls: readonly SandboxCall[]): number {
    return position(calls, this.#now().getTime() + 1)
  }

  #reach(today: number): Record<Direction, SandboxCall[]> {
    if (today + DAYS_AHEAD > this.#nextDay) {
      const until = today + DAYS_AHEAD
      const made: SandboxCall[] = []
      for (; this.#nextDay < until; this.#nextDay++) made.push(...this.#source.ofDay(this.#nextDay))
      this.#add(made)
    }
    return this.#byDirection
  }

  #add(made: readonly SandboxCall[]): void {
    for (const call of made) this.#byDirection[call.direction].push(call)
    for (const calls of Object.values(this.#byDirection)) calls.sort(byTime)
  }
}

function byTime(a: SandboxCall, b: SandboxCall): number {
  return a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1)
}

function position(calls: readonly SandboxCall[], instant: number): number {
  let low = 0
  let high = calls.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const call = calls[middle]
    if (call !== undefined && call.at.getTime() < instant) low = middle + 1
    else high = middle
  }
  return low
}
