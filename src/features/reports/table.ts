import type { Grouping } from '../../grammar/filters.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/table.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { addMoney, negateMoney } from '../../telephony/money.ts'
import type { Direction } from '../../telephony/types.ts'
import { getWeekday, shortDayLabel, weekdayNames } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { capital } from '../../util/text.ts'
import type { CallFigures, Figures } from './aggregate.ts'
import { type Report, shownDirections } from './report.ts'
import { costText, countedTime, countText, missedNames, missedRate } from './words.ts'

interface ReportTable {
  readonly table: Table
  /** Each row in words by itself: `Sales Berlin · +493023125042: 12 missed of 133 (9.0%)`. */
  readonly lines: readonly string[]
}

interface Setting {
  readonly lines: LineNames
  readonly today: LocalDay
}

interface Row {
  readonly label: string
  readonly figures: Figures
}

function labelOf(by: Grouping, key: string, { lines, today }: Setting): string {
  switch (by) {
    case 'line':
      return key === '' ? 'No number' : lines.labelOf(key)
    case 'hour':
      return `${key}:00`
    case 'weekday':
      return weekdayNames[Number(key)] ?? key
    case 'day':
      return `${weekdayNames[getWeekday(key)]?.slice(0, 3)} ${shortDayLabel(key, today)}`
    case 'agent':
      return key
  }
}

function rowsOf({ plan, agents, aggregate }: Report, setting: Setting): readonly Row[] {
  const { by } = plan.query
  if (by !== 'agent')
    return (aggregate?.groups[by] ?? []).map(({ key, figures }) => ({
      label: labelOf(by, key, setting),
      figures,
    }))
  if (agents === undefined || agents === 'late') return []
  return agents.map(({ id, name, figures }) => ({ label: name === '' ? id : name, figures }))
}

/** Of the report's own direction: those with the most missed calls first, then those with the most calls. */
const byMissed = (direction: Direction) => (a: Row, b: Row) => {
  const [one, other] = [a.figures[direction], b.figures[direction]]
  return (other.missed ?? 0) - (one.missed ?? 0) || (other.calls ?? 0) - (one.calls ?? 0)
}

/** What is told of several together; a figure that one of them doesn't have isn't known. */
function sumOf(all: readonly CallFigures[]): CallFigures {
  const sum = (name: 'calls' | 'answered' | 'missed' | 'seconds') =>
    all.reduce<number | undefined>((total, { [name]: own }) => {
      return total === undefined || own === undefined ? undefined : total + own
    }, 0)
  const costs = all.flatMap(({ cost }) => cost ?? [])
  return {
    calls: sum('calls'),
    answered: sum('answered'),
    missed: sum('missed'),
    seconds: sum('seconds'),
    cost: costs.length === all.length ? addMoney(costs) : undefined,
  }
}

const sumRow = (label: string, rows: readonly Row[]): Row => ({
  label,
  figures: {
    incoming: sumOf(rows.map(({ figures }) => figures.incoming)),
    outgoing: sumOf(rows.map(({ figures }) => figures.outgoing)),
  },
})

/** What is in none of the others. Below zero are those of agents whose calls came while they were counted. */
function restOf(whole: CallFigures, rows: CallFigures): CallFigures {
  const rest = (all: number | undefined, own: number | undefined) =>
    all === undefined || own === undefined ? undefined : Math.max(0, all - own)
  const [answered, missed] = [rest(whole.answered, rows.answered), rest(whole.missed, rows.missed)]
  const calls = rest(whole.calls, rows.calls)
  return {
    calls: calls === undefined ? undefined : Math.max(calls, (answered ?? 0) + (missed ?? 0)),
    answered,
    missed,
    seconds: rest(whole.seconds, rows.seconds),
    cost: whole.cost && rows.cost && addMoney([whole.cost, negateMoney(rows.cost)]),
  }
}

/** The rest of the report that none of its rows has: calls of no agent, or without a time that can be read. */
function restRow({ plan, figures }: Report, rows: readonly Row[]): Row {
  const { incoming, outgoing } = sumRow('', rows).figures
  return {
    label: plan.query.by === 'agent' ? 'No agent' : 'No time',
    figures: {
      incoming: restOf(figures.incoming, incoming),
      outgoing: restOf(figures.outgoing, outgoing),
    },
  }
}

function columnsOf(
  { plan: { query } }: Report,
  directions: readonly Direction[],
): readonly Column<Row, undefined>[] {
  const { by, details } = query
  const right = (direction: Direction, title: string, text: (figures: CallFigures) => string) =>
    ({ title, align: 'right', text: ({ figures }: Row) => text(figures[direction]) }) as const
  const counts = directions.flatMap((direction) => [
    right(direction, capital(direction), ({ calls }) => countText(calls)),
    right(direction, missedNames[direction], ({ missed }) => countText(missed)),
    ...(direction === 'incoming' ? [right(direction, 'Missed rate', missedRate)] : []),
  ])
  // In a table of one direction alone: for both, and a phone, it would be too wide.
  const [alone, ...others] = by === 'agent' ? [] : directions
  const more =
    alone && others.length === 0
      ? [
          right(alone, 'Talk time (m:ss)', ({ seconds }) => countedTime(seconds)),
          ...(details ? [right(alone, 'Cost', ({ cost }) => costText(cost))] : []),
        ]
      : []
  return [{ title: capital(by), align: 'left', text: ({ label }) => label }, ...counts, ...more]
}

function inWords({ label, figures }: Row, directions: readonly Direction[]): string {
  const parts = directions.map((direction) => {
    const { calls, missed } = figures[direction]
    const rate = direction === 'incoming' ? ` (${missedRate(figures[direction])})` : ''
    return `${countText(missed)} ${missedNames[direction].toLowerCase()} of ${countText(calls)}${rate}`
  })
  return `${label}: ${parts.join(', outgoing ')}`
}

/** As many as there is room for, and what the others come to. Of days, the latest are shown. */
function shownOf(rows: readonly Row[], by: Grouping, most: number): readonly Row[] {
  const left = rows.length - most
  if (left <= 0) return rows
  const many = left === 1 ? by : `${by}s`
  return by === 'day'
    ? [sumRow(`${left} earlier ${many}`, rows.slice(0, left)), ...rows.slice(left)]
    : [...rows.slice(0, most), sumRow(`${left} more ${many}`, rows.slice(most))]
}

/**
 * Its rows add up to its last one. `undefined` where there is none to be made, or nothing is in it.
 * @param most rows of their own
 */
export function reportTable(report: Report, setting: Setting, most: number): ReportTable | undefined {
  const { by } = report.plan.query
  // An outgoing record says nothing of the line.
  const directions = by === 'line' ? (['incoming'] as const) : shownDirections(report)
  const hasCalls = ({ figures }: Row) => directions.some((direction) => figures[direction].calls !== 0)
  const isKnown = ({ figures }: Row) =>
    directions.every((direction) => figures[direction].calls !== undefined)
  const all = rowsOf(report, setting)
  const listed = all.filter(hasCalls)
  // Days, weekdays and hours are in the order of time, as in the chart.
  const rows =
    by === 'line' || by === 'agent' ? listed.toSorted(byMissed(directions[0] ?? 'incoming')) : listed
  const rest = all.length === 0 ? [] : [restRow(report, all)].filter((row) => isKnown(row) && hasCalls(row))
  const parts = [...shownOf(rows, by, most), ...rest]
  if (parts.length === 0) return undefined
  const shown = [...parts, sumRow('Total', parts)]
  return {
    table: fillTable(columnsOf(report, directions), shown, undefined),
    lines: shown.map((row) => inWords(row, directions)),
  }
}
