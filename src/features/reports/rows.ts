import type { Grouping } from '../../grammar/filters.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import type { Direction } from '../../telephony/types.ts'
import { parseDay, shortDayLabel, weekdayLabel, weekdayNames } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { numberText } from '../../util/text.ts'
import type { Figures, Group } from './aggregate.ts'
import { costText, lengthText, missedNames, missedRate } from './figure-texts.ts'
import type { Report } from './report.ts'
import type { CallFigures } from './tally.ts'

/** A row of the report's table: its texts stand under the columns. */
export interface Row {
  readonly texts: readonly string[]
  /** In words by itself: `Sales Berlin · +493023125042: 12 missed of 133 (9.0%)`. */
  readonly line: string
}

export interface Rows {
  /** What each of them is: `lines`, in the middle of a sentence. */
  readonly noun: string
  readonly head: readonly string[]
  /** Those with the most missed calls first. */
  readonly rows: readonly Row[]
}

export const groupingNames: Readonly<Record<Grouping, { title: string; plural: string }>> = {
  line: { title: 'Line', plural: 'lines' },
  agent: { title: 'Agent', plural: 'agents' },
  hour: { title: 'Hour', plural: 'hours' },
  weekday: { title: 'Weekday', plural: 'weekdays' },
  day: { title: 'Day', plural: 'days' },
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

/** Talk time and cost stand in a table of one direction alone: for both, and a phone, it would be too wide. */
const alone = ({ seconds, cost }: CallFigures): readonly string[] => [
  seconds === undefined ? '–' : lengthText(seconds),
  costText(cost),
]

const columnsOf = (direction: Direction, figures: CallFigures): readonly string[] => [
  counted(figures.calls),
  counted(figures.missed),
  ...(direction === 'incoming' ? [missedRate(figures)] : []),
]

const titlesOf = (direction: Direction): readonly string[] =>
  direction === 'incoming' ? ['Incoming', 'Missed', 'Missed rate'] : ['Outgoing', 'No answer']

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

type Labelled = Pick<Group, 'figures'> & { readonly label: string }

function labelled({ plan, agents, aggregate }: Report, setting: Setting): readonly Labelled[] | undefined {
  const { by } = plan.query
  if (by === 'agent') {
    if (agents === undefined || agents === 'late') return undefined
    return agents.map(({ id, name, figures }) => ({ label: name === '' ? id : name, figures }))
  }
  return aggregate?.groups[by].map(({ key, figures }) => ({ label: labelOf(by, key, setting), figures }))
}

/** The report's table; `undefined` where there is none to be made, or nothing is in it. */
export function rowsOf(report: Report, setting: Setting): Rows | undefined {
  const { by } = report.plan.query
  // An outgoing record says nothing of the line.
  const directions = by === 'line' ? (['incoming'] as const) : report.plan.directions
  const [first = 'incoming'] = directions
  const groups = labelled(report, setting)?.toSorted(byMissed(first)) ?? []
  if (groups.length === 0) return undefined
  const isAlone = directions.length === 1 && by !== 'agent'
  const head = [
    groupingNames[by].title,
    ...directions.flatMap(titlesOf),
    ...(isAlone ? ['Talk time', 'Cost'] : []),
  ]
  const rows = groups.map(({ label, figures }): Row => {
    const cells = directions.flatMap((direction) => columnsOf(direction, figures[direction]))
    const more = isAlone ? alone(figures[first]) : []
    return { texts: [label, ...cells, ...more], line: inWords(label, directions, figures) }
  })
  return { noun: groupingNames[by].plural, head, rows }
}
