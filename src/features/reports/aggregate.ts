import { isOfLine, lineKey } from '../../telephony/line-names.ts'
import { DecimalSum, type Money } from '../../telephony/money.ts'
import type { Call, CallStatus, Direction, Raw } from '../../telephony/types.ts'
import { weekdayOf } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { isWithin, type Period } from './period.ts'

/** What of a record was not understood. */
export type UnparsedPart = 'status' | 'length' | 'cost' | 'time'

/** Of how many records a part was not understood, and what stood there first. */
interface UnparsedField {
  readonly part: UnparsedPart
  readonly count: number
  readonly example: string
}

/** The figures of some calls of one direction. What there is no telling of is `undefined`, as where only totals are known. */
export interface CallFigures {
  readonly calls: number | undefined
  readonly answered: number | undefined
  /** Nobody took them, or nobody answered. */
  readonly missed: number | undefined
  readonly seconds?: number | undefined
  /** Of an answered call whose length is known; `undefined` where there is none. */
  readonly averageSeconds?: number | undefined
  /** The sum of the service's decimals. */
  readonly cost?: Money | undefined
}

/** Adds up calls of one direction. */
class Tally {
  #calls = 0
  readonly #statuses: Record<CallStatus, number> = { answered: 0, missed: 0 }
  #seconds = 0
  #answeredWithLength = 0
  #answeredSeconds = 0
  readonly #cost = new DecimalSum()
  readonly #unparsed = new Map<UnparsedPart, UnparsedField>()

  /** Whatever can't be understood of it is counted as such; the rest counts. */
  add({ status, seconds, cost, at }: Call): void {
    this.#calls += 1
    if (typeof status === 'string') this.#statuses[status] += 1
    else this.#addUnparsed('status', status)
    if (typeof seconds !== 'number') this.#addUnparsed('length', seconds)
    else {
      this.#seconds += seconds
      if (status === 'answered') {
        this.#answeredWithLength += 1
        this.#answeredSeconds += seconds
      }
    }
    if (typeof cost === 'string') this.#cost.add(cost)
    else this.#addUnparsed('cost', cost)
    if (!(at instanceof Date)) this.#addUnparsed('time', at)
  }

  get figures(): CallFigures {
    const count = this.#answeredWithLength
    return {
      calls: this.#calls,
      ...this.#statuses,
      seconds: this.#seconds,
      averageSeconds: count === 0 ? undefined : Math.round(this.#answeredSeconds / count),
      cost: this.#cost.money,
    }
  }

  get unparsed(): readonly UnparsedField[] {
    return [...this.#unparsed.values()]
  }

  #addUnparsed(part: UnparsedPart, { raw }: Raw): void {
    const { count, example } = this.#unparsed.get(part) ?? { count: 0, example: raw }
    this.#unparsed.set(part, { part, count: count + 1, example })
  }
}

export type Figures = Readonly<Record<Direction, CallFigures>>

/** Calls in both directions. */
class Tallies {
  readonly #of = { incoming: new Tally(), outgoing: new Tally() }

  add(call: Call): void {
    this.#of[call.direction].add(call)
  }

  get figures(): Figures {
    return { incoming: this.#of.incoming.figures, outgoing: this.#of.outgoing.figures }
  }

  get unparsed(): Readonly<Record<Direction, readonly UnparsedField[]>> {
    return { incoming: this.#of.incoming.unparsed, outgoing: this.#of.outgoing.unparsed }
  }
}

/** What the calls are told apart by; which agent had a call a record doesn't say. */
export type Part = 'line' | 'hour' | 'weekday' | 'day'

/** A line, an hour, … */
export interface Group {
  /** `+493023125042`, `14`, `0` for Monday, `2026-11-05`. */
  readonly key: string
  readonly figures: Figures
}

/** What a period's calls come to, all of it from one reading. */
export interface Aggregate {
  readonly figures: Figures
  readonly unparsed: Readonly<Record<Direction, readonly UnparsedField[]>>
  /** Those that have calls, in the order of their keys. */
  readonly groups: Readonly<Record<Part, readonly Group[]>>
}

/**
 * Adds up the calls of a period, one after the other: nothing of a call is kept. Days, weekdays and hours are those that the
 * zone's clocks show at the call's own instant.
 */
export class Aggregator {
  readonly #period
  readonly #zone
  readonly #line
  readonly #all = new Tallies()
  readonly #groups: Record<Part, Map<string, Tallies>> = {
    line: new Map(),
    hour: new Map(),
    weekday: new Map(),
    day: new Map(),
  }
  /** Each as it was written first. */
  readonly #numbers = new Map<string, string>()

  /** @param options.line only calls to that one, of which outgoing records say nothing */
  constructor(options: { period: Period; zone: Zone; line?: string | undefined }) {
    this.#period = options.period
    this.#zone = options.zone
    this.#line = options.line
  }

  /** Nothing, for a call that is not of the period; one whose time can't be read is, since the service says so. */
  add(call: Call): void {
    const { at, number, direction } = call
    if (at instanceof Date && !isWithin(this.#period, at)) return
    if (this.#line !== undefined && (direction !== 'incoming' || !isOfLine(number, this.#line))) return
    this.#all.add(call)
    if (direction === 'incoming') this.#add('line', this.#keyOf(number), call)
    if (!(at instanceof Date)) return
    const time = wallTime(this.#zone, at)
    const day = time.slice(0, 10)
    this.#add('hour', time.slice(11, 13), call)
    this.#add('weekday', String(weekdayOf(day)), call)
    this.#add('day', day, call)
  }

  get result(): Aggregate {
    const { line, hour, weekday, day } = this.#groups
    const groups = { line: listOf(line), hour: listOf(hour), weekday: listOf(weekday), day: listOf(day) }
    return { figures: this.#all.figures, unparsed: this.#all.unparsed, groups }
  }

  #keyOf(number: string): string {
    const key = lineKey(number)
    const known = this.#numbers.get(key)
    if (known === undefined) this.#numbers.set(key, number)
    return known ?? number
  }

  #add(part: Part, key: string, call: Call): void {
    const groups = this.#groups[part]
    const group = groups.get(key) ?? new Tallies()
    groups.set(key, group)
    group.add(call)
  }
}

const listOf = (groups: ReadonlyMap<string, Tallies>): readonly Group[] =>
  [...groups]
    .map(([key, { figures }]) => ({ key, figures }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
