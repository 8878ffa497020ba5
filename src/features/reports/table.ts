import type { Grouping } from '../../grammar/filters.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/table.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import type { Direction } from '../../telephony/types.ts'
import { shortDayLabel, weekdayNames, weekdayOf } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { capital } from '../../util/text.ts'
import type { CallFigures, Figures } from './aggregate.ts'
import type { Report } from './report.ts'
import { costText, countText, missedNames, missedRate, talkTimeText } from './words.ts'

export interface ReportTable {
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
      return `${weekdayNames[weekdayOf(key)]?.slice(0, 3)} ${shortDayLabel(key, today)}`
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

function columnsOf(by: Grouping, directions: readonly Direction[]): readonly Column<Row, unknown>[] {
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
          right(alone, 'Talk time', ({ seconds }) => talkTimeText(seconds)),
          right(alone, 'Cost', ({ cost }) => costText(cost)),
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

/** `undefined` where there is none to be made, or nothing is in it. */
export function reportTable(report: Report, setting: Setting): ReportTable | undefined {
  const { by } = report.plan.query
  // An outgoing record says nothing of the line.
  const directions = by === 'line' ? (['incoming'] as const) : report.plan.directions
  const rows = rowsOf(report, setting).toSorted(byMissed(directions[0] ?? 'incoming'))
  if (rows.length === 0) return undefined
  return {
    table: fillTable(columnsOf(by, directions), rows, undefined),
    lines: rows.map((row) => inWords(row, directions)),
  }
}
