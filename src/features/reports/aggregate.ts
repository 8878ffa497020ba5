import { isOfLine, lineKey } from '../../telephony/line-names.ts'
import type { Call, Direction } from '../../telephony/types.ts'
import { weekdayOf } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { isWithin, type Period } from './period.ts'
import { type CallFigures, Tally, type UnparsedField } from './tally.ts'

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
