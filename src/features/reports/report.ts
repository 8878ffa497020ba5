import { toMatcher } from '../../query/filters/call-filters.ts'
import type { Grouping } from '../../query/filters/filter.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import { type LineNames, lineKey } from '../../telephony/lines.ts'
import { type Money, noMoney, parseMoney, unitsAt } from '../../telephony/money.ts'
import { type Call, isRaw, type Raw, type ReadQuery } from '../../telephony/types.ts'
import { toResultKey } from '../../telephony/wire.ts'
import {
  addDays,
  type DayRange,
  daysIn,
  endOfMonth,
  getWeekday,
  type LocalDay,
  startOfMonth,
} from '../../time/days.ts'
import { endsAt, isInRange, toRequestedDays } from '../../time/range-requests.ts'
import {
  endOfDay,
  localDay,
  offsetAt,
  offsetMinutes,
  startOfDay,
  wallTime,
  type Zone,
} from '../../time/zones.ts'
import { dayMs, type EpochMs, type Milliseconds, minuteMs } from '../../util/units.ts'
import type { ReportQuery } from './actions.ts'
import type { HandledCalls } from './handled.ts'

/** Days in a zone, cut off at the report's instant. */
interface Period {
  /** Without days after the instant. */
  readonly days: DayRange
  readonly start: EpochMs
  /** End of the last day, or just after the instant. */
  readonly end: EpochMs
  readonly isComplete: boolean
  /** Whole days in one offset, as the service reads them; may exceed the period. */
  readonly requested: Required<Pick<ReadQuery, 'offset' | 'from' | 'to'>>
  /** Whether the service's count of the requested days is the period's. */
  readonly isExact: boolean
}

export function toPeriod({ from, to }: DayRange, zone: Zone, instant: Date): Period {
  const today = localDay(zone, instant)
  const start = startOfDay(zone, from).getTime()
  const lastEnd = endOfDay(zone, to).getTime()
  const now = instant.getTime() + 1
  const end = Math.max(start, Math.min(lastEnd, now))
  const requested = toRequestedDays(from, start, end)
  const days = { from, to }
  // All days may be after the instant.
  if (to > today) days.to = today < from ? from : today
  return {
    days,
    start,
    end,
    isComplete: lastEnd <= now,
    requested,
    isExact: lastEnd > now || endsAt(requested, end),
  }
}

export function countWholeMonths({ from, to }: DayRange): number {
  if (from !== startOfMonth(from) || to !== endOfMonth(to)) return 0
  const toMonth = (day: LocalDay) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7))
  return toMonth(to) - toMonth(from) + 1
}

/** Moves whole months by their number, other days by `length` days. */
export function shiftDays(days: DayRange, by: 1 | -1, length = daysIn(days.from, days.to)): DayRange {
  const { from, to } = days
  const months = by * countWholeMonths(days)
  if (months === 0) return { from: addDays(from, length * by), to: addDays(to, length * by) }
  return { from: startOfMonth(from, months), to: endOfMonth(startOfMonth(to, months)) }
}

const offsetMs = (zone: Zone, time: EpochMs): Milliseconds =>
  offsetMinutes(offsetAt(zone, new Date(time))) * minuteMs

/**
 * Returns the period to compare with: as many months before, or the same weekdays in earlier weeks. If the period isn't over,
 * both end at the same time of day.
 */
export function toPeriodBefore(days: DayRange, zone: Zone, instant: Date, versus?: DayRange): Period {
  const shown = countWholeMonths(days) > 0 ? days : toPeriod(days, zone, instant).days
  const before = versus ?? shiftDays(shown, -1, 7 * Math.ceil(daysIn(shown.from, shown.to) / 7))
  const today = localDay(zone, instant)
  if (today < days.from || today > days.to) return toPeriod(before, zone, instant)
  const now = instant.getTime()
  const earlier = now - (daysIn(before.from, days.from) - 1) * dayMs
  // The offsets differ if the clocks changed in between.
  return toPeriod(before, zone, new Date(earlier + offsetMs(zone, now) - offsetMs(zone, earlier)))
}

export function planReport(query: ReportQuery, zone: Zone, now: Date) {
  const instant = query.at === undefined ? now : new Date(query.at)
  return {
    query: { ...query, at: instant.getTime() },
    zone,
    /** Later calls aren't included. */
    instant,
    today: localDay(zone, instant),
    period: toPeriod(query, zone, instant),
    before: toPeriodBefore(query, zone, instant, query.versus),
  }
}
export type ReportPlan = Readonly<ReturnType<typeof planReport>>

export interface CallFigures {
  readonly calls: number
  readonly answered: number
  /** Missed incoming or unanswered outgoing calls. */
  readonly missed: number
  /** Counts answered calls only. */
  readonly seconds: number
  /** With all decimals of every cost. */
  readonly cost: Money
}

export const noFigures: CallFigures = { calls: 0, answered: 0, missed: 0, seconds: 0, cost: noMoney }

function combine(one: CallFigures, other: CallFigures, sign: 1 | -1): CallFigures {
  const scale = Math.max(one.cost.scale, other.cost.scale)
  const units = unitsAt(one.cost, scale) + BigInt(sign) * unitsAt(other.cost, scale)
  return {
    calls: one.calls + sign * other.calls,
    answered: one.answered + sign * other.answered,
    missed: one.missed + sign * other.missed,
    seconds: one.seconds + sign * other.seconds,
    cost: { ...noMoney, scale, units },
  }
}

export function sumFigures(all: readonly CallFigures[]): CallFigures {
  let sum = noFigures
  for (const figures of all) sum = combine(sum, figures, 1)
  return sum
}

/** Neither answered nor missed. */
export const countOther = ({ calls, answered, missed }: CallFigures): number => calls - answered - missed

export const subtractFigures = (one: CallFigures, other: CallFigures): CallFigures => combine(one, other, -1)

/** Counts values that can't be read as 0. */
function toFigures({ status, seconds, cost }: Call): CallFigures {
  const figures = { ...noFigures, calls: 1 }
  if (!isRaw(status)) figures[status] = 1
  if (status === 'answered' && !isRaw(seconds)) figures.seconds = seconds
  if (!isRaw(cost)) figures.cost = parseMoney(cost) ?? noMoney
  return figures
}

/** A missing value is none, but a call has a time. The length of a call that wasn't answered doesn't count. */
function findUnreadable({ status, seconds, cost, at }: Call): Raw | undefined {
  if (status === 'answered' && isRaw(seconds) && seconds.raw !== '') return seconds
  if (isRaw(cost) && cost.raw !== '') return cost
  if (isRaw(at)) return at
  return undefined
}

interface OtherResult {
  /** The service's own text; may be empty. */
  readonly name: string
  readonly count: number
}

/** A faulty service could make each call's result a separate one. */
const MAX_RESULTS = 100

export interface Group {
  /** `+493023125042`, `Anna Smith`, `14`, `0` for Monday, `2026-11-05`; empty if unknown. */
  readonly key: string
  readonly figures: CallFigures
}

/** The phone service doesn't know who takes missed calls. */
export type CallGrouping = Exclude<Grouping, 'person'>

export type ReportAgent = Pick<AgentSummary, 'id' | 'name'>

/** Adds up the calls of a period without keeping them. Days and hours are local. */
export class Aggregator {
  readonly #matches
  readonly #zone
  readonly #period
  #figures = noFigures
  #unreadable = { count: 0, example: '' }
  /** By their keys. */
  readonly #otherResults = new Map<string, OtherResult>()
  readonly #groups: Readonly<Record<CallGrouping, Map<string, Group>>> = {
    line: new Map(),
    agent: new Map(),
    hour: new Map(),
    weekday: new Map(),
    day: new Map(),
  }

  constructor({ query, zone }: Pick<ReportPlan, 'query' | 'zone'>, period: Period) {
    this.#matches = toMatcher(query, zone)
    this.#zone = zone
    this.#period = period
  }

  add(call: Call): void {
    if (!this.#isInScope(call)) return
    const { number, at, status } = call
    const { count, example } = this.#unreadable
    const value = findUnreadable(call)
    if (value) this.#unreadable = { count: count + 1, example: example || value.raw }
    if (isRaw(status)) this.#addResult(status.raw)
    const figures = toFigures(call)
    const time = at instanceof Date ? wallTime(this.#zone, at) : ''
    const day = time.slice(0, 10)
    this.#figures = combine(this.#figures, figures, 1)
    this.#addTo('line', figures, lineKey(number), number)
    this.#addTo('hour', figures, time.slice(11, 13))
    this.#addTo('weekday', figures, day && String(getWeekday(day)))
    this.#addTo('day', figures, day)
  }

  /** Groups a call that `add` counts, too. Agents may share a name. */
  addOfAgent({ id, name }: ReportAgent, call: Call): void {
    if (this.#isInScope(call)) this.#addTo('agent', toFigures(call), id, name || id)
  }

  /** Groups are sorted by key, the empty key last. */
  get result() {
    const { line, agent, hour, weekday, day } = this.#groups
    const figures = this.#figures
    const agents = sortGroups(agent)
    const rest = subtractFigures(figures, sumFigures(agents.map((one) => one.figures)))
    if (rest.calls > 0) agents.push({ key: '', figures: rest })
    return {
      figures,
      /** Calls with an unreadable value, and an example. */
      unreadable: this.#unreadable,
      /** Results that are neither answered nor missed, the most frequent first. */
      otherResults: [...this.#otherResults.values()].sort((a, b) => b.count - a.count),
      groups: {
        line: sortGroups(line),
        agent: agents,
        hour: sortGroups(hour),
        weekday: sortGroups(weekday),
        day: sortGroups(day),
      },
    }
  }

  #isInScope(call: Call): boolean {
    return isInRange(this.#period, call.at) && this.#matches(call)
  }

  #addResult(text: string): void {
    const key = toResultKey(text)
    const { name, count } = this.#otherResults.get(key) ?? { name: text.trim(), count: 0 }
    if (count > 0 || this.#otherResults.size < MAX_RESULTS)
      this.#otherResults.set(key, { name, count: count + 1 })
  }

  #addTo(grouping: CallGrouping, figures: CallFigures, id: string, key = id): void {
    const groups = this.#groups[grouping]
    const group = groups.get(id) ?? { key, figures: noFigures }
    groups.set(id, { key: group.key, figures: combine(group.figures, figures, 1) })
  }
}

function compareKeys({ key: a }: Group, { key: b }: Group): number {
  if (a === '') return 1
  if (b === '') return -1
  return a < b ? -1 : 1
}

const sortGroups = (groups: ReadonlyMap<string, Group>): Group[] => [...groups.values()].sort(compareKeys)

export type Aggregate = Aggregator['result']

export interface FullReport {
  readonly plan: ReportPlan
  readonly aggregate: Aggregate
  readonly before: CallFigures
  /** Undefined if the filters exclude calls of alerts. */
  readonly handled?: HandledCalls | undefined
}

/** Each agent costs at least one request. */
export const MAX_REPORT_AGENTS = 50

/** Counts by the service, which can't count by line, number or length. */
export interface Totals {
  readonly plan: ReportPlan
  readonly reason: 'records' | 'time' | 'agents'
  readonly calls?: number | undefined
  readonly missed?: number | undefined
}

export type Report = FullReport | Totals

export const isEmptyReport = (report: Report): boolean =>
  !('reason' in report) && report.aggregate.figures.calls === 0

export interface ReportView {
  readonly report: Report
  readonly lines: LineNames
  readonly nonce: string
}
