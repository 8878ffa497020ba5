import type { Grouping } from '../../grammar/filters.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/table.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import type { Direction } from '../../telephony/types.ts'
import { parseDay, shortDayLabel, weekdayLabel, weekdayNames } from '../../time/days.ts'
import { lengthText } from '../../time/labels.ts'
import type { LocalDay } from '../../time/types.ts'
import { numberText } from '../../util/text.ts'
import type { CallFigures, Figures, Group } from './aggregate.ts'
import type { Report } from './report.ts'
import { costText, groupingNames, missedNames, missedRate } from './words.ts'

/** The report's table. */
export interface ReportTable {
  readonly table: Table
  /** Each row in words by itself: `Sales Berlin · +493023125042: 12 missed of 133 (9.0%)`. */
  readonly lines: readonly string[]
}

interface Setting {
  readonly lines: LineNames
  readonly today: LocalDay
}

function labelOf(by: Grouping, key: string, { lines, today }: Setting): string {
  switch (by) {
    case 'line':
      return key === '' ? 'No number' : lines.labelOf(key)
    case 'hour':
      return `${key}:00`
    case 'weekday':
      return weekdayNames[Number(key)] ?? key
    case 'day': {
      const day = parseDay(key)
      return day ? `${weekdayLabel(day).slice(0, 3)} ${shortDayLabel(day, today)}` : key
    }
    case 'agent':
      return key
  }
}

const counted = (count: number | undefined) => (count === undefined ? '–' : numberText(count))

type Labelled = Pick<Group, 'figures'> & { readonly label: string }

const right = (
  title: string,
  direction: Direction,
  text: (figures: CallFigures) => string,
): Column<Labelled, unknown> => ({
  title,
  align: 'right',
  text: ({ figures }) => text(figures[direction]),
})

const figureColumns = (direction: Direction): readonly Column<Labelled, unknown>[] => [
  right(direction === 'incoming' ? 'Incoming' : 'Outgoing', direction, ({ calls }) => counted(calls)),
  right(missedNames[direction], direction, ({ missed }) => counted(missed)),
  ...(direction === 'incoming' ? [right('Missed rate', direction, missedRate)] : []),
]

/** Talk time and cost stand in a table of one direction alone: for both, and a phone, it would be too wide. */
const aloneColumns = (direction: Direction): readonly Column<Labelled, unknown>[] => [
  right('Talk time', direction, ({ seconds }) => (seconds === undefined ? '–' : lengthText(seconds))),
  right('Cost', direction, ({ cost }) => costText(cost)),
]

const inWords = (label: string, directions: readonly Direction[], figures: Figures) => {
  const parts = directions.map((direction) => {
    const { calls, missed } = figures[direction]
    const rate = direction === 'incoming' ? ` (${missedRate(figures[direction])})` : ''
    return `${counted(missed)} ${missedNames[direction].toLowerCase()} of ${counted(calls)}${rate}`
  })
  return `${label}: ${parts.join(', outgoing ')}`
}

/** Of the report's own direction: those with the most missed calls first, then those with the most calls. */
const byMissed =
  (direction: Direction) =>
  (a: { figures: Figures }, b: { figures: Figures }): number => {
    const [one, other] = [a.figures[direction], b.figures[direction]]
    return (other.missed ?? 0) - (one.missed ?? 0) || (other.calls ?? 0) - (one.calls ?? 0)
  }

function labelled({ plan, agents, aggregate }: Report, setting: Setting): readonly Labelled[] | undefined {
  const { by } = plan.query
  if (by === 'agent') {
    if (agents === undefined || agents === 'late') return undefined
    return agents.map(({ id, name, figures }) => ({ label: name === '' ? id : name, figures }))
  }
  return aggregate?.groups[by].map(({ key, figures }) => ({ label: labelOf(by, key, setting), figures }))
}

/** `undefined` where there is none to be made, or nothing is in it. Those with the most missed calls come first. */
export function reportTable(report: Report, setting: Setting): ReportTable | undefined {
  const { by } = report.plan.query
  // An outgoing record says nothing of the line.
  const directions = by === 'line' ? (['incoming'] as const) : report.plan.directions
  const [first = 'incoming'] = directions
  const groups = labelled(report, setting)?.toSorted(byMissed(first)) ?? []
  if (groups.length === 0) return undefined
  const columns: readonly Column<Labelled, unknown>[] = [
    { title: groupingNames[by].title, align: 'left', text: ({ label }) => label },
    ...directions.flatMap(figureColumns),
    ...(directions.length === 1 && by !== 'agent' ? aloneColumns(first) : []),
  ]
  return {
    table: fillTable(columns, groups, undefined),
    lines: groups.map(({ label, figures }) => inWords(label, directions, figures)),
  }
}
