import { callsText, resultLabel } from '../../query/texts.ts'
import { type Column, fillTable, type Table } from '../../slack/blocks/blocks.ts'
import type { Money } from '../../telephony/money.ts'
import { parseDay } from '../../time/days.ts'
import { durationText } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import type { ReportQuery } from './actions.ts'
import { findMedian, type HandledCalls, type PersonFigures } from './handled.ts'
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
  isDayUnit,
  isRanked,
  labelGroup,
  startOfUnit,
} from './units.ts'
import * as words from './words.ts'

/** Adds up days to the weeks or months that they are in. */
function mergeDays(groups: readonly Group[], unit: DayUnit): readonly Group[] {
  const merged = new Map<string, Group>()
  for (const group of groups) {
    const day = parseDay(group.key)
    const key = day === undefined ? '' : startOfUnit(day, unit)
    const sum = merged.get(key)?.figures ?? noFigures
    merged.set(key, { key, figures: sumFigures([sum, group.figures]) })
  }
  return [...merged.values()]
}

export function listGroups({ aggregate }: FullReport, unit: CallUnit): readonly Group[] {
  return isDayUnit(unit) ? mergeDays(aggregate.groups.day, unit) : aggregate.groups[unit]
}

export interface ReportRow {
  readonly label: string
  readonly figures: CallFigures
}

const byMissed = ({ figures: a }: Group, { figures: b }: Group) => b.missed - a.missed || b.calls - a.calls

/** Adds up the rows that don't fit: those with the fewest missed calls, or the earliest days. */
export function listRows(
  view: ReportView,
  report: FullReport,
  unit: CallUnit,
  maxRows: number,
): readonly ReportRow[] {
  const groups = listGroups(report, unit)
  const known = groups.filter(({ key }) => key !== '')
  const unknown = groups.filter(({ key }) => key === '')
  const shown = isRanked(unit) ? known.toSorted(byMissed).slice(0, maxRows) : known.slice(-maxRows)
  const rows: ReportRow[] = []
  for (const { key, figures } of [...shown, ...unknown])
    rows.push({ label: labelGroup(key, unit, view), figures })
  const others = known.filter((group) => !shown.includes(group))
  if (others.length === 0) return rows
  const label = countNoun(others.length, `${isRanked(unit) ? 'more' : 'earlier'} ${unit}`)
  const sum = { label, figures: sumFigures(others.map(({ figures }) => figures)) }
  return isRanked(unit) ? [...rows, sum] : [sum, ...rows]
}

const toNumber = ({ units, scale }: Money): number => Number(units) / 10 ** scale

function numberColumn(
  title: string,
  number: (figures: CallFigures) => number,
  format: (figures: CallFigures) => string = (figures) => formatNumber(number(figures)),
): Column<ReportRow> {
  return {
    title,
    align: 'right',
    text: ({ figures }) => format(figures),
    number: ({ figures }) => number(figures),
    lineText: (text) => `${title}: ${text}`,
  }
}

function buildColumns({ direction, status }: ReportQuery, unit: CallUnit): readonly Column<ReportRow>[] {
  const columns: Column<ReportRow>[] = [
    { title: capitalize(unit), text: ({ label }) => label, isEssential: true },
  ]
  columns.push({
    ...numberColumn(words.nameCalls({ direction, status }), ({ calls }) => calls),
    isEssential: true,
  })
  if (status === undefined) {
    const rate = direction === 'incoming' ? 'Missed rate' : 'No answer rate'
    columns.push({
      ...numberColumn(resultLabel(direction, 'missed'), ({ missed }) => missed),
      isEssential: true,
    })
    columns.push(numberColumn(rate, words.getMissedRate, words.formatMissedRate))
  }
  columns.push(
    numberColumn(
      'Talk time',
      ({ seconds }) => seconds,
      ({ seconds }) => words.formatTalkTime(seconds),
    ),
  )
  if (isRanked(unit))
    columns.push(
      numberColumn(
        'Cost',
        ({ cost }) => toNumber(cost),
        ({ cost }) => words.formatCost(cost),
      ),
    )
  return columns
}

const personColumn = (
  title: string,
  number: (person: PersonFigures) => number,
  text: (person: PersonFigures) => string = (person) => formatNumber(number(person)),
): Column<PersonFigures> => ({
  title,
  align: 'right',
  number,
  text,
  lineText: (shown) => `${title}: ${shown}`,
})

const takerColumns: readonly Column<PersonFigures>[] = [
  { title: 'Person', text: ({ name }) => name, isEssential: true },
  { ...personColumn('Taken', ({ waits }) => waits.length), isEssential: true },
  personColumn(
    'Typical wait',
    ({ waits }) => findMedian(waits) ?? 0,
    ({ waits }) => words.formatMedian(waits),
  ),
  personColumn(
    'Longest wait',
    ({ longestMs }) => longestMs,
    ({ waits, longestMs }) => (waits.length === 0 ? '' : durationText(longestMs)),
  ),
  { ...personColumn('Done', ({ done }) => done), isEssential: true },
]

export const listTakers = ({ people }: HandledCalls): readonly PersonFigures[] =>
  [...people.values()].sort((a, b) => b.waits.length - a.waits.length || b.done - a.done)

/** Returns undefined if only the totals are known, or nobody took a call. */
export function buildReportTable(view: ReportView, maxRows: number): Table | undefined {
  const { report } = view
  if ('reason' in report) return undefined
  const { query } = report.plan
  const unit = getUnit(report.plan)
  if (unit !== 'person')
    return fillTable(buildColumns(query, unit), listRows(view, report, unit, maxRows), undefined)
  const people = report.handled ? listTakers(report.handled) : []
  if (people.length === 0) return undefined
  return fillTable(takerColumns, people.slice(0, maxRows), undefined)
}

/** `Incoming calls by line` */
export const captionTable = (plan: ReportPlan): string =>
  `${capitalize(callsText(plan.query))} by ${getUnit(plan)}`
