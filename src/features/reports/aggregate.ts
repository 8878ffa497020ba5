import { isOfLine, lineKey } from '../../telephony/lines.ts'
import { addDecimal, type Money, noMoney } from '../../telephony/money.ts'
import type { Call, CallStatus, Direction, Raw } from '../../telephony/types.ts'
import { getWeekday } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import type { Period } from './period.ts'

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
  readonly cost?: Money | undefined
}

class Tally {
  #calls = 0
  readonly #statuses: Record<CallStatus, number> = { answered: 0, missed: 0 }
  #seconds = 0
  #answeredWithLength = 0
  #answeredSeconds = 0
  #cost = noMoney
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
    if (typeof cost === 'string') this.#cost = addDecimal(this.#cost, cost)
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
      cost: this.#cost,
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

type PerDirection<Value> = Readonly<Record<Direction, Value>>
export type Figures = PerDirection<CallFigures>
type Tallies = PerDirection<Tally>

const newTallies = (): Tallies => ({ incoming: new Tally(), outgoing: new Tally() })

const figuresOf = ({ incoming, outgoing }: Tallies): Figures => ({
  incoming: incoming.figures,
  outgoing: outgoing.figures,
})

/** What the table groups calls by; which agent had a call a record doesn't say. */
type Part = 'line' | 'hour' | 'weekday' | 'day'

export interface Group {
  /** `+493023125042`, `14`, `0` for Monday, `2026-11-05`. */
  readonly key: string
  readonly figures: Figures
}

/** What a period's calls come to, all of it from one reading. */
export interface Aggregate {
  readonly figures: Figures
  readonly unparsed: PerDirection<readonly UnparsedField[]>
  /** Those that have calls, in the order of their keys. */
  readonly groups: Readonly<Record<Part, readonly Group[]>>
}

type Groups = Map<string, { readonly key: string; readonly tallies: Tallies }>

/**
 * Adds up the calls of a period, one after the other: nothing of a call is kept. Days, weekdays and hours are those that the
 * zone's clocks show at the call's own instant.
 */
export class Aggregator {
  readonly #scope
  readonly #all = newTallies()
  readonly #groups: Readonly<Record<Part, Groups>> = {
    line: new Map(),
    hour: new Map(),
    weekday: new Map(),
    day: new Map(),
  }

  /** @param scope.line only calls to that one, of which outgoing records say nothing */
  constructor(scope: { period: Period; zone: Zone; line?: string | undefined }) {
    this.#scope = scope
  }

  /** A call that is not of the period is left out; one whose time can't be read is not, since the service says that it is. */
  add(call: Call): void {
    const { period, zone, line } = this.#scope
    const { at, number, direction } = call
    if (at instanceof Date && (at.getTime() < period.start || at.getTime() >= period.end)) return
    if (line !== undefined && (direction !== 'incoming' || !isOfLine(number, line))) return
    this.#all[direction].add(call)
    // Named by its number as it was written first.
    if (direction === 'incoming') this.#addTo('line', call, lineKey(number), number)
    if (!(at instanceof Date)) return
    const time = wallTime(zone, at)
    const day = time.slice(0, 10)
    this.#addTo('hour', call, time.slice(11, 13))
    this.#addTo('weekday', call, String(getWeekday(day)))
    this.#addTo('day', call, day)
  }

  get result(): Aggregate {
    const { incoming, outgoing } = this.#all
    const { line, hour, weekday, day } = this.#groups
    return {
      figures: figuresOf(this.#all),
      unparsed: { incoming: incoming.unparsed, outgoing: outgoing.unparsed },
      groups: { line: listOf(line), hour: listOf(hour), weekday: listOf(weekday), day: listOf(day) },
    }
  }

  #addTo(part: Part, call: Call, id: string, key = id): void {
    const groups = this.#groups[part]
    const group = groups.get(id) ?? { key, tallies: newTallies() }
    groups.set(id, group)
    group.tallies[call.direction].add(call)
  }
}

const listOf = (groups: Groups): readonly Group[] =>
  [...groups.values()]
    .map(({ key, tallies }) => ({ key, figures: figuresOf(tallies) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
