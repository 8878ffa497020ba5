import { addDays, daysIn, shortDayLabel } from '../../time/days.ts'
import type { DayRange, LocalDay } from '../../time/types.ts'
import type { Group } from './aggregate.ts'

/** Slack takes as many categories in a chart. */
const mostBins = 20

/** A point of the chart: some days, or some hours of one. */
export interface Bin {
  readonly label: string
  readonly incoming: { readonly answered: number; readonly missed: number }
  readonly outgoing: { readonly answered: number; readonly missed: number }
}

export interface Bins {
  /** What one of them stands for: `day`, `2 hours`. */
  readonly unit: string
  readonly bins: readonly Bin[]
}

const two = (n: number) => String(n).padStart(2, '0')

function sumOf(groups: readonly (Group | undefined)[], label: string): Bin {
  const sum = (direction: 'incoming' | 'outgoing', status: 'answered' | 'missed') =>
    groups.reduce((total, group) => total + (group?.figures[direction][status] ?? 0), 0)
  const of = (direction: 'incoming' | 'outgoing') => ({
    answered: sum(direction, 'answered'),
    missed: sum(direction, 'missed'),
  })
  return { label, incoming: of('incoming'), outgoing: of('outgoing') }
}

/** From the first hour that has calls to the last one; where these are too many, two hours make one point. */
function hourBins(groups: readonly Group[]): Bins {
  const byHour = new Map(groups.map((group) => [Number(group.key), group]))
  const hours = [...byHour.keys()]
  if (hours.length === 0) return { unit: 'hour', bins: [] }
  const [first, last] = [Math.min(...hours), Math.max(...hours)]
  const size = last - first + 1 > mostBins ? 2 : 1
  const start = size === 1 ? first : 0
  const bins: Bin[] = []
  for (let hour = start; hour <= last; hour += size) {
    const own = Array.from({ length: size }, (_, index) => byHour.get(hour + index))
    bins.push(sumOf(own, `${two(hour)}:00`))
  }
  return { unit: size === 1 ? 'hour' : '2 hours', bins }
}

/** Each day of the range; where these are too many, as many days as it takes make one point, named by its first. */
function dayBins(groups: readonly Group[], { from, to }: DayRange, today: LocalDay): Bins {
  const byDay = new Map(groups.map((group) => [group.key, group]))
  const count = daysIn(from, to)
  const size = Math.ceil(count / mostBins)
  const bins: Bin[] = []
  for (let index = 0; index < count; index += size) {
    const days = Array.from({ length: Math.min(size, count - index) }, (_, n) => addDays(from, index + n))
    const label = shortDayLabel(days[0] ?? from, today)
    bins.push(
      sumOf(
        days.map((day) => byDay.get(day)),
        label,
      ),
    )
  }
  return { unit: size === 1 ? 'day' : `${size} days`, bins }
}

/** Per hour where the range is one day, per day otherwise. */
export const chartBins = (
  groups: { readonly hour: readonly Group[]; readonly day: readonly Group[] },
  range: DayRange,
  today: LocalDay,
): Bins => (range.from === range.to ? hourBins(groups.hour) : dayBins(groups.day, range, today))
