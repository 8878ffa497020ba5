import { agentOf, callsText, daysText, isOneDay, noCallsText } from '../../grammar/sentences.ts'
import { cut } from '../../slack/blocks/blocks.ts'
import type { ReportQuery } from '../../slack/blocks/report-query.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { shortDayLabel, weekdayLabel } from '../../time/days.ts'
import type { LocalDay } from '../../time/types.ts'
import { localDay, offsetAt, wallTime, zoneLabel } from '../../time/zones.ts'
import { capital, numberText } from '../../util/text.ts'
import type { UnparsedPart } from './aggregate.ts'
import { MOST_RECORDS, type Report, type ReportPlan } from './report.ts'
import { groupingNames } from './rows.ts'

// What a report says about itself, in words. Nothing here is escaped.

const reportCallsText = (query: ReportQuery) =>
  query.direction === undefined ? 'Incoming and outgoing calls' : capital(callsText(query))

/** Of whom or what it is, where it is not of all calls. */
const subjectsOf = (query: ReportQuery, lines: LineNames): readonly string[] => [
  ...(query.agentId === undefined ? [] : [agentOf(query) ?? '']),
  ...(query.line === undefined ? [] : [lines.nameOf(query.line) ?? query.line]),
]

/** `Call report: 15–21 Nov 2026`, `Anna Smith, call report: Fri 20 Nov 2026` */
export function titleOf(query: ReportQuery, lines: LineNames): string {
  const subjects = subjectsOf(query, lines)
  return subjects.length === 0
    ? `Call report: ${daysText(query)}`
    : `${subjects.join(', ')}, call report: ${daysText(query)}`
}

/** What was asked for: `Incoming and outgoing calls · by line · Europe/Berlin (UTC+01:00)` */
export function askedText({ query, zone, instant }: ReportPlan, lines: LineNames): string {
  const line = query.line === undefined ? [] : [`line ${lines.labelOf(query.line)}`]
  const agent = query.agentId === undefined ? [] : [`agent ${agentOf(query)}`]
  const by = `by ${query.by}`
  return [reportCallsText(query), ...agent, ...line, by, zoneLabel(zone, instant)].join(' · ')
}

/** What was asked for, in the middle of a sentence, where there is nothing to show of it: `the report for 15–21 Nov`. */
export const requestText = (query: ReportQuery, today: LocalDay): string =>
  `the call report for ${daysText(query, today)}`

/** For the audit log: `2026-11-15..2026-11-21` */
export const postDetail = ({ from, to }: ReportQuery): string => (from === to ? from : `${from}..${to}`)

/** When it was read: `As of 21 Nov 15:04:10`. What came later is not in it. */
export function instantText({ zone, instant }: ReportPlan, today: LocalDay): string {
  const time = wallTime(zone, instant)
  return `As of ${shortDayLabel(time, today)} ${time.slice(11)}`
}

/** What the changes are against: `Changes are against 8–14 Nov 2026, up to 15:04.` */
export function comparisonText({ plan, beforeAggregate }: Report): string {
  const { before, zone, period } = plan
  const days = daysText(before.days)
  const isCut = !before.isWhole && !period.isWhole
  if (!isCut) return `Changes are against ${days}.`
  // The service's own totals are of whole days.
  if (beforeAggregate === undefined) return `Changes are against ${days}, the last day whole.`
  const until = wallTime(zone, new Date(before.end - 1))
  const day = isOneDay(before.days)
    ? ''
    : `${weekdayLabel(localDay(zone, new Date(before.end - 1))).slice(0, 3)} `
  return `Changes are against ${days}, up to ${day}${until.slice(11, 16)}.`
}

const calls = (count: number) => (count === 1 ? '1 call' : `${numberText(count)} calls`)

const oddTexts: Readonly<Record<UnparsedPart, readonly [what: string, consequence: string]>> = {
  status: ['result', 'neither as answered nor as missed'],
  length: ['length', 'not towards the talk time'],
  cost: ['cost', 'not towards the cost'],
  time: ['time', 'not for a day or an hour'],
}

/** What was not understood in the records, and what that leaves out. */
export function oddTextsOf({ aggregate, plan }: Report): readonly string[] {
  return plan.directions.flatMap((direction) =>
    (aggregate?.unparsed[direction] ?? []).map(({ part, count, example }) => {
      const [what, consequence] = oddTexts[part]
      const shown = example === '' ? 'empty' : `"${cut(example, 40)}"`
      const [has, counts] =
        count === 1
          ? [`1 ${direction} call has`, 'It counts as a call']
          : [`${numberText(count)} ${direction} calls have`, 'They count as calls']
      return `${has} a ${what} that I don't recognise (${shown}). ${counts}, but ${consequence}.`
    }),
  )
}

/** Why the records themselves were not read. */
export function totalsText({ totals, count, plan }: Report): string | undefined {
  if (totals === undefined) return undefined
  const many = count === undefined ? 'these calls' : calls(count)
  const shorter = 'Choose fewer days for talk time, cost, the chart and the table.'
  const isOfLine = plan.query.line !== undefined
  const instead = isOfLine
    ? "The phone service can't count one line by itself."
    : "These are the phone service's own totals."
  return totals === 'records'
    ? `There are ${many}, and a report reads ${numberText(MOST_RECORDS)} at most. ${instead} ${shorter}`
    : `Reading ${many} takes longer than I can keep you waiting. ${instead} ${shorter}`
}

/** What the days of the service's totals are, where they aren't quite those of the time zone. */
export function totalsDaysText({ plan, aggregate, agents }: Report): string | undefined {
  const isOfTotals = aggregate === undefined || agents !== undefined
  if (!isOfTotals || plan.window.isExact || !plan.period.isWhole) return undefined
  const offset = offsetAt(plan.zone, new Date(plan.period.start))
  const what = aggregate === undefined ? 'These totals' : 'The totals by agent'
  return `${what} are of days at UTC${offset} throughout: the clocks change in these days, so calls within an hour of their end may be counted differently.`
}

export const notes = (report: Report): readonly string[] => {
  const { agents, plan } = report
  const { by, direction } = plan.query
  return [
    totalsText(report),
    agents === 'late'
      ? 'There was no time to count the calls of all agents. Choose fewer days, or one agent.'
      : undefined,
    by === 'agent' && agents !== 'late' ? 'By agent, the phone service gives totals alone.' : undefined,
    by === 'line' && direction === undefined
      ? "Outgoing calls don't say their line, so they aren't in the table."
      : undefined,
    totalsDaysText(report),
    ...oddTextsOf(report),
  ].filter((one) => one !== undefined)
}

/** For a report without a call. */
export const emptyText = (query: ReportQuery, lines: LineNames): string =>
  noCallsText({ ...query, lineName: query.line === undefined ? undefined : lines.nameOf(query.line) })

/** `… and 12 more lines` */
export const moreRowsText = (count: number, by: ReportQuery['by']): string =>
  `… and ${numberText(count)} more ${count === 1 ? by : groupingNames[by].plural}`
