import type { Grouping } from '../../query/filters/filter.ts'
import { createSearchFilter } from '../../query/search.ts'
import type { AgentSummary } from '../../telephony/agent-list.ts'
import { toLineKey } from '../../telephony/lines.ts'
import { type Money, noMoney, parseMoney, toUnits } from '../../telephony/money.ts'
import { type Call, isRaw } from '../../telephony/types.ts'
import { getWeekday } from '../../time/days.ts'
import { localDay, localTime } from '../../time/zones.ts'
import { chooseDayUnit, getUnitDays, type Period, type ReportPlan } from './period.ts'

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

const noFigures: CallFigures = { calls: 0, answered: 0, missed: 0, seconds: 0, cost: noMoney }

/** @param sign -1 to subtract the right figures */
function addFigures(left: CallFigures, right: CallFigures, sign: 1 | -1 = 1): CallFigures {
  const scale = Math.max(left.cost.scale, right.cost.scale)
  const units = toUnits(left.cost, scale) + BigInt(sign) * toUnits(right.cost, scale)
  return {
    calls: left.calls + sign * right.calls,
    answered: left.answered + sign * right.answered,
    missed: left.missed + sign * right.missed,
    seconds: left.seconds + sign * right.seconds,
    cost: { ...noMoney, scale, units },
  }
}

export function sumFigures(all: readonly CallFigures[]): CallFigures {
  let sum = noFigures
  for (const figures of all) sum = addFigures(sum, figures)
  return sum
}

export const subtractFigures = (left: CallFigures, right: CallFigures) => addFigures(left, right, -1)

/** Counts the calls that were neither answered nor missed. */
export const countOther = ({ calls, answered, missed }: CallFigures): number => calls - answered - missed

/** A value that can't be read adds nothing. */
function toFigures({ status, seconds, cost }: Call): CallFigures {
  const figures = { ...noFigures, calls: 1 }
  if (!isRaw(status)) figures[status] = 1
  if (status === 'answered' && !isRaw(seconds)) figures.seconds = seconds
  if (!isRaw(cost)) figures.cost = parseMoney(cost) ?? noMoney
  return figures
}

/** Accepts a missing length or cost, but not a missing time. The length of a call that wasn't answered doesn't count. */
function isUnreadableCall({ status, seconds, cost, at }: Call): boolean {
  const hasUnreadableLength = status === 'answered' && isRaw(seconds) && seconds.raw !== ''
  const hasUnreadableCost = isRaw(cost) && cost.raw !== ''
  return hasUnreadableLength || hasUnreadableCost || isRaw(at)
}

export interface Group {
  /** `+493023125042`, `Anna Smith`, `14`, `0` for Monday, the first day of a week; empty if unknown. */
  readonly key: string
  readonly figures: CallFigures
}

/** The phone service doesn't know who takes missed calls. */
export type CallGrouping = Exclude<Grouping, 'person'>

export type ReportAgent = Pick<AgentSummary, 'id' | 'name'>

/** Adds up the calls of a period without keeping them. Days and hours are local. */
export class Aggregator {
  readonly #filter
  readonly #zone
  readonly #dayUnit
  #figures = noFigures
  #unreadableCalls = 0
  /** Keyed by id. If there are many days, they are grouped by week or month. */
  readonly #groups: Readonly<Record<CallGrouping, Map<string, Group>>> = {
    line: new Map(),
    agent: new Map(),
    hour: new Map(),
    weekday: new Map(),
    day: new Map(),
  }

  constructor({ query, zone }: Pick<ReportPlan, 'query' | 'zone'>, period: Period) {
    this.#filter = createSearchFilter(query, period, zone)
    this.#zone = zone
    this.#dayUnit = chooseDayUnit(period.days)
  }

  add(call: Call): void {
    if (!this.#filter.matches(call)) return
    const { number } = call
    if (isUnreadableCall(call)) this.#unreadableCalls += 1
    const figures = toFigures(call)
    const { hour, weekday, day } = this.#toTimeKeys(call)
    this.#figures = addFigures(this.#figures, figures)
    this.#addTo('line', figures, toLineKey(number), number)
    this.#addTo('hour', figures, hour)
    this.#addTo('weekday', figures, weekday)
    this.#addTo('day', figures, day)
  }

  /** Adds a call of an agent's own list to the groups by agent. `add` counts it, too, because the period's list has it. */
  addOfAgent({ id, name }: ReportAgent, call: Call): void {
    if (this.#filter.matches(call)) this.#addTo('agent', toFigures(call), id, name || id)
  }

  summarize() {
    const { line, agent, hour, weekday, day } = this.#groups
    const figures = this.#figures
    const agents = sortGroups(agent)
    // Calls that are in no agent's list.
    const withoutAgent = subtractFigures(figures, sumFigures(agents.map((group) => group.figures)))
    if (withoutAgent.calls > 0) agents.push({ key: '', figures: withoutAgent })
    return {
      figures,
      unreadableCalls: this.#unreadableCalls,
      groups: {
        line: sortGroups(line),
        agent: agents,
        hour: sortGroups(hour),
        weekday: sortGroups(weekday),
        day: sortGroups(day),
      },
    }
  }

  #toTimeKeys({ at }: Call) {
    if (isRaw(at)) return { hour: '', weekday: '', day: '' }
    const day = localDay(this.#zone, at)
    const hour = localTime(this.#zone, at).slice(0, 2)
    return { hour, weekday: String(getWeekday(day)), day: getUnitDays(day, this.#dayUnit).from }
  }

  /** @param key shown and sorted by: one line may be written differently, and agents may share a name, so `id` tells groups apart */
  #addTo(grouping: CallGrouping, figures: CallFigures, id: string, key = id): void {
    const groups = this.#groups[grouping]
    const group = groups.get(id) ?? { key, figures: noFigures }
    groups.set(id, { key: group.key, figures: addFigures(group.figures, figures) })
  }
}

const sortGroups = (groups: ReadonlyMap<string, Group>): Group[] =>
  [...groups.values()].sort((a, b) => (a.key < b.key ? -1 : 1))

export type Aggregate = ReturnType<Aggregator['summarize']>
