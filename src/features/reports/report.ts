import type { Grouping } from '../../grammar/filters.ts'
import type { AgentSummary } from '../../telephony/account-cache.ts'
import { hasDigits, isOfLine, type LineNames, lineKey } from '../../telephony/lines.ts'
import { addDecimal, type Money, noMoney } from '../../telephony/money.ts'
import { type Call, isRaw } from '../../telephony/types.ts'
import { getWeekday } from '../../time/days.ts'
import { wallTime, type Zone } from '../../time/zones.ts'
import type { Milliseconds } from '../../util/units.ts'
import { type Period, toPeriod, toPeriodBefore } from './period.ts'
import type { ReportQuery } from './query.ts'

/** Groupings of calls. People are those who take alerts. */
export type CallGrouping = Exclude<Grouping, 'person'>

export interface CallFigures {
  readonly calls: number
  readonly answered: number
  /** Missed incoming or unanswered outgoing calls. */
  readonly missed: number
  readonly seconds: number
  /** Has as many decimals as the longest of the costs. */
  readonly cost: Money
}

const noFigures: CallFigures = { calls: 0, answered: 0, missed: 0, seconds: 0, cost: noMoney }

export const rescale = (money: Money, scale: number): Money =>
  scale === money.scale ? money : { ...money, scale, units: money.units * 10n ** BigInt(scale - money.scale) }

/** Adds `sign` times the other figures. */
function combine(one: CallFigures, other: CallFigures, sign: 1 | -1): CallFigures {
  const scale = Math.max(one.cost.scale, other.cost.scale)
  const [cost, otherCost] = [rescale(one.cost, scale), rescale(other.cost, scale)]
  return {
    calls: one.calls + sign * other.calls,
    answered: one.answered + sign * other.answered,
    missed: one.missed + sign * other.missed,
    seconds: one.seconds + sign * other.seconds,
    cost: { ...cost, units: cost.units + BigInt(sign) * otherCost.units },
  }
}

export const sumFigures = (all: readonly CallFigures[]): CallFigures =>
  all.reduce((sum, figures) => combine(sum, figures, 1), noFigures)

export const subtractFigures = (one: CallFigures, other: CallFigures): CallFigures => combine(one, other, -1)

/** Counts one call; values that can't be read are left out. */
const toFigures = ({ status, seconds, cost }: Call): CallFigures => ({
  calls: 1,
  answered: status === 'answered' ? 1 : 0,
  missed: status === 'missed' ? 1 : 0,
  seconds: isRaw(seconds) ? 0 : seconds,
  cost: isRaw(cost) ? noMoney : addDecimal(noMoney, cost),
})

export interface Group {
  /** `+493023125042`, `1001`, `14`, `0` for Monday, `2026-11-05`; empty for calls without a number, an agent or a time. */
  readonly key: string
  readonly figures: CallFigures
}

/** Sums of a period's calls, all from one reading. */
export interface Aggregate {
  readonly figures: CallFigures
  /** Calls with a value that can't be read, and the first such value. */
  readonly unreadable: { readonly count: number; readonly example: string }
  /** Only groups that have calls, ordered by key, the empty key last. */
  readonly groups: Readonly<Record<CallGrouping, readonly Group[]>>
}

interface Scope extends Pick<ReportQuery, 'line' | 'number'> {
  readonly period: Period
  readonly zone: Zone
}

/** Adds up the calls of a period one by one and keeps none of them. Days and hours are those of the zone at each call. */
export class Aggregator {
  readonly #scope
  #figures = noFigures
  readonly #unreadable = { count: 0, example: '' }
  readonly #groups: Readonly<Record<CallGrouping, Map<string, Group>>> = {
    line: new Map(),
    agent: new Map(),
    hour: new Map(),
    weekday: new Map(),
    day: new Map(),
  }

  constructor(scope: Scope) {
    this.#scope = scope
  }

  add(call: Call): void {
    if (!this.#isInScope(call)) return
    this.#countUnreadable(call)
    const { number, at } = call
    const figures = toFigures(call)
    const time = at instanceof Date ? wallTime(this.#scope.zone, at) : ''
    const day = time.slice(0, 10)
    this.#figures = combine(this.#figures, figures, 1)
    this.#addTo('line', figures, lineKey(number), number)
    this.#addTo('hour', figures, time.slice(11, 13))
    this.#addTo('weekday', figures, day && String(getWeekday(day)))
    this.#addTo('day', figures, day)
  }

  /** Adds a call of an agent's own list, which repeats a call of the whole list. */
  addOfAgent(agentId: string, call: Call): void {
    if (this.#isInScope(call)) this.#addTo('agent', toFigures(call), agentId)
  }

  get result(): Aggregate {
    const { line, agent, hour, weekday, day } = this.#groups
    const figures = this.#figures
    const agents = sortGroups(agent)
    const rest = subtractFigures(figures, sumFigures(agents.map((one) => one.figures)))
    return {
      figures,
      unreadable: this.#unreadable,
      groups: {
        line: sortGroups(line),
        agent: rest.calls > 0 ? [...agents, { key: '', figures: rest }] : agents,
        hour: sortGroups(hour),
        weekday: sortGroups(weekday),
        day: sortGroups(day),
      },
    }
  }

  /** A call whose time can't be read is included, because the service lists it for these days. */
  #isInScope({ at, number }: Call): boolean {
    const { period, line, number: digits } = this.#scope
    if (at instanceof Date && (at.getTime() < period.start || at.getTime() >= period.end)) return false
    return (
      (line === undefined || isOfLine(number, line)) && (digits === undefined || hasDigits(number, digits))
    )
  }

  #countUnreadable({ status, seconds, cost, at }: Call): void {
    const value = [status, seconds, cost, at].find(isRaw)
    if (value === undefined) return
    if (this.#unreadable.count === 0) this.#unreadable.example = value.raw
    this.#unreadable.count += 1
  }

  #addTo(grouping: CallGrouping, figures: CallFigures, id: string, key = id): void {
    const groups = this.#groups[grouping]
    const group = groups.get(id) ?? { key, figures: noFigures }
    groups.set(id, { key: group.key, figures: combine(group.figures, figures, 1) })
  }
}

const sortGroups = (groups: ReadonlyMap<string, Group>): readonly Group[] =>
  [...groups.values()].sort((a, b) => Number(a.key === '') - Number(b.key === '') || (a.key < b.key ? -1 : 1))

/** Returns the mean of the two middle values of an even number. */
export function findMedian(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.length === 0 ? undefined : middle.reduce((sum, one) => sum + one, 0) / middle.length
}

/** Missed-call alerts that a person took and finished. */
export interface PersonFigures {
  readonly person: string
  readonly name: string
  /** Times until the person took each alert, from its first call. */
  readonly waits: readonly Milliseconds[]
  readonly done: number
}

export interface AlertFigures {
  readonly sent: number
  /** Taken, or closed at once. */
  readonly taken: number
  /** Time until alerts were taken; undefined if none was. */
  readonly medianMs: Milliseconds | undefined
  readonly people: readonly PersonFigures[]
  /** True if the report goes back further than alert messages are stored. */
  readonly isPartial: boolean
}

/** Each agent costs at least one request. */
export const MAX_REPORT_AGENTS = 50

export interface ReportPlan {
  readonly query: ReportQuery
  readonly zone: Zone
  /** Later calls aren't included. */
  readonly instant: Date
  readonly period: Period
  readonly before: Period
}

/** @param now used if the query has no instant */
export function planReport(query: ReportQuery, zone: Zone, now: Date): ReportPlan {
  const instant = query.at === undefined ? now : new Date(query.at)
  return {
    query: { ...query, at: instant.getTime() },
    zone,
    instant,
    period: toPeriod(query, zone, instant),
    before: toPeriodBefore(query, zone, instant),
  }
}

export type AgentName = Pick<AgentSummary, 'id' | 'name'>

export interface FullReport {
  readonly plan: ReportPlan
  readonly aggregate: Aggregate
  readonly before: CallFigures
  /** Empty unless the calls are grouped by agent. */
  readonly agents: readonly AgentName[]
  readonly alerts?: AlertFigures | undefined
}

/** The service's own counts, if the calls can't be read. Absent for one line or number, which the service can't count. */
export interface Totals {
  readonly plan: ReportPlan
  readonly reason: 'records' | 'time' | 'agents'
  readonly calls?: number | undefined
  readonly missed?: number | undefined
}

export type Report = FullReport | Totals

export interface ReportView {
  readonly report: Report
  readonly lines: LineNames
  readonly now: Date
  readonly nonce: string
  /** Undefined if the report can't be shared. */
  readonly sharePlace: string | undefined
}
