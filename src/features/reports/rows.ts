import { callsText, resultLabel } from '../../query/texts.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/tables.ts'
import type { Money } from '../../telephony/money.ts'
import { parseDay } from '../../time/days.ts'
import { durationText } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import type { ReportQuery } from './actions.ts'
import { findMedian, type PersonFigures } from './handled.ts'
import {
  type CallFigures,
  type FullReport,
  type Group,
  noFigures,
  type ReportPlan,
  type ReportView,
  sumFigures,
} from './report.ts'
import {
  type CallUnit,
  type DayUnit,
  getUnit,
  getUnitDays,
  isDayUnit,
  isRanked,
  labelGroup,
} from './units.ts'
import * as words from './words.ts'

/** Adds up days to the weeks or months that they are in. */
function mergeDays(groups: readonly Group[], unit: DayUnit): readonly Group[] {
  const merged = new Map<string, Group>()
  for (const group of groups) {
    const day = parseDay(group.key)
    const key = day === undefined ? '' : getUnitDays(day, unit).from
    const sum = merged.get(key)?.figures ?? noFigures
    merged.set(key, { key, figures: sumFigures([sum, group.figures]) })
  }
  return [...merged.values()]
}

export function listGroups({ aggregate }: FullReport, unit: CallUnit): readonly Group[] {
  if (isDayUnit(unit)) return mergeDays(aggregate.groups.day, unit)
  return aggregate.groups[unit]
}

export interface ReportRow extends CallFigures {
  readonly label: string
}

const byMissed = ({ figures: a }: Group, { figures: b }: Group) => b.missed - a.missed || b.calls - a.calls

/** Returns one row, or none for no groups. */
function addUpRows(groups: readonly Group[], noun: string): readonly ReportRow[] {
  if (groups.length === 0) return []
  return [{ ...sumFigures(groups.map(({ figures }) => figures)), label: countNoun(groups.length, noun) }]
}

/** Adds up the rows that don't fit: those with the fewest missed calls, or the earliest days. */
export function listRows(
  view: ReportView,
  report: FullReport,
  unit: CallUnit,
  maxRows: number,
): readonly ReportRow[] {
  const toRow = ({ key, figures }: Group) => ({ ...figures, label: labelGroup(key, unit, view) })
  const groups = listGroups(report, unit)
  const known = groups.filter(({ key }) => key !== '')
  const unknownRows = groups.filter(({ key }) => key === '').map(toRow)
  if (!isRanked(unit)) {
    const earlier = addUpRows(known.slice(0, -maxRows), `earlier ${unit}`)
    return [...earlier, ...known.slice(-maxRows).map(toRow), ...unknownRows]
  }
  const ranked = known.toSorted(byMissed)
  const others = addUpRows(ranked.slice(maxRows), `more ${unit}`)
  return [...ranked.slice(0, maxRows).map(toRow), ...unknownRows, ...others]
}

const toNumber = ({ units, scale }: Money): number => Number(units) / 10 ** scale

function numberColumn<Row>(
  title: string,
  number: (row: Row) => number,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  const text = (row: Row) => formatNumber(number(row))
  return { title, align: 'right', number, text, lineText: (shown) => `${title}: ${shown}`, ...more }
}

function buildColumns({ direction, status }: ReportQuery, unit: CallUnit): readonly Column<ReportRow>[] {
  const isEssential = true
  const columns: Column<ReportRow>[] = [
    { title: capitalize(unit), text: ({ label }) => label, isEssential },
    numberColumn(words.nameCalls({ direction, status }), ({ calls }) => calls, { isEssential }),
  ]
  if (status === undefined) {
    const rate = direction === 'incoming' ? 'Missed rate' : 'No answer rate'
    columns.push(numberColumn(resultLabel(direction, 'missed'), ({ missed }) => missed, { isEssential }))
    columns.push(numberColumn(rate, words.getMissedRate, { text: words.formatMissedRate }))
  }
  const talkTime = ({ seconds }: ReportRow) => words.formatTalkTime(seconds)
  columns.push(numberColumn('Talk time', ({ seconds }) => seconds, { text: talkTime }))
  const cost = (row: ReportRow) => words.formatCost(row.cost)
  if (isRanked(unit)) columns.push(numberColumn('Cost', (row) => toNumber(row.cost), { text: cost }))
  return columns
}

const takerColumns: readonly Column<PersonFigures>[] = [
  { title: 'Person', text: ({ name }) => name, isEssential: true },
  numberColumn('Taken', ({ waits }) => waits.length, { isEssential: true }),
  numberColumn('Typical wait', ({ waits }) => findMedian(waits) ?? 0, {
    text: ({ waits }) => words.formatMedian(waits),
  }),
  numberColumn('Longest wait', ({ longestMs }) => longestMs, {
    text: ({ waits, longestMs }) => (waits.length === 0 ? '' : durationText(longestMs)),
  }),
  numberColumn('Done', ({ done }) => done, { isEssential: true }),
]

/** Lists those who took the most calls first. */
export function listTakers({ handled }: FullReport, max: number): readonly PersonFigures[] {
  const people = [...(handled?.people.values() ?? [])]
  return people.sort((a, b) => b.waits.length - a.waits.length || b.done - a.done).slice(0, max)
}

/** Returns undefined if only the totals are known, or nobody took a call. */
export function buildReportTable(view: ReportView, maxRows: number): Table | undefined {
  const { report } = view
  if ('reason' in report) return undefined
  const unit = getUnit(report.plan)
  if (unit !== 'person') {
    const rows = listRows(view, report, unit, maxRows)
    return fillTable(buildColumns(report.plan.query, unit), rows, undefined)
  }
  const people = listTakers(report, maxRows)
  if (people.length === 0) return undefined
  return fillTable(takerColumns, people, undefined)
}

/** `Incoming calls by line` */
export const captionTable = (plan: ReportPlan): string =>
  `${capitalize(callsText(plan.query))} by ${getUnit(plan)}`
