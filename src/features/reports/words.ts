import { cut } from '../../slack/blocks/blocks.ts'
import { ALERT_MESSAGES_KEPT_MS } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatMoney, type Money } from '../../telephony/money.ts'
import type { Direction } from '../../telephony/types.ts'
import { type LocalDay, shortDayLabel } from '../../time/days.ts'
import { durationText, offsetAt, wallTime, zoneLabel } from '../../time/zones.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import { dayMs } from '../../util/units.ts'
import { callsText, daysText, getAgentText, noCallsText } from '../calls/words.ts'
import type { ReportQuery } from './query.ts'
import {
  type AlertFigures,
  type CallFigures,
  type FullReport,
  MAX_REPORT_AGENTS,
  type Report,
  type ReportPlan,
  rescale,
  subtractFigures,
  type Totals,
} from './report.ts'

// Texts of reports. None is escaped.

/** `Call report: 15–21 Nov 2026`, `Anna Smith, call report: Fri 20 Nov 2026` */
export function describeReport({ query, period }: ReportPlan, lines: LineNames): string {
  const line = query.line && lines.getLabel(query.line)
  const subjects = [getAgentText(query), line].filter((one) => one !== undefined)
  const report = subjects.length === 0 ? 'Call report' : 'call report'
  return `${[...subjects, report].join(', ')}: ${daysText(period.days)}`
}

/** `Incoming calls · line Sales Berlin · by hour · Europe/Berlin (UTC+01:00) · As of 21 Nov 15:00` */
export function describeScope(
  { query, zone, instant }: ReportPlan,
  lines: LineNames,
  today: LocalDay,
): string {
  const time = wallTime(zone, instant)
  return [
    capitalize(callsText(query)),
    ...(query.agentId === undefined ? [] : [`agent ${getAgentText(query)}`]),
    ...(query.line === undefined ? [] : [`line ${lines.getDetail(query.line)}`]),
    ...(query.number === undefined ? [] : [`numbers with ${query.number}`]),
    `by ${query.by}`,
    zoneLabel(zone, instant),
    `As of ${shortDayLabel(time, today)} ${time.slice(11, 16)}`,
  ].join(' · ')
}

/** `the call report for 15–21 Nov 2026` */
export const describeRequest = (query: ReportQuery): string => `the call report for ${daysText(query)}`

/** `2026-11-15..2026-11-21` */
export const writeDays = ({ from, to }: Pick<ReportQuery, 'from' | 'to'>): string =>
  from === to ? from : `${from}..${to}`

export const describeEmpty = ({ query, period }: ReportPlan, lines: LineNames): string =>
  noCallsText({ ...query, ...period.days, lineName: query.line && lines.getLabel(query.line) })

/** Changes from fewer calls are chance. */
const MIN_COMPARED_CALLS = 10

const isComparable = ({ aggregate, before }: FullReport) =>
  Math.min(aggregate.figures.calls, before.calls) >= MIN_COMPARED_CALLS

/** `Compared with 8–14 Nov, up to 15:00.` Empty for totals. */
export function describeComparison(report: Report, today: LocalDay): readonly string[] {
  if ('reason' in report) return []
  const { before, zone } = report.plan
  const days = daysText(before.days, today)
  if (!isComparable(report)) return [`Too few calls to compare with ${days}.`]
  const until = wallTime(zone, new Date(before.end - 1)).slice(11, 16)
  return [`Compared with ${days}${before.isComplete ? '' : `, up to ${until}`}.`]
}

const totalsReasons: Readonly<Record<Totals['reason'], readonly [why: string, hint: string]>> = {
  records: ['There are too many calls for a full report', 'Pick fewer days to see the rest.'],
  time: ['This took too long', 'Pick fewer days to see the rest.'],
  agents: [`A table by agent has up to ${MAX_REPORT_AGENTS} agents`, 'Pick one agent or another table.'],
}

function describeTotals({ plan, reason, calls }: Totals): readonly string[] {
  const [why, hint] = totalsReasons[reason]
  if (calls === undefined) return [`${why}. ${hint}`]
  const { start, end } = plan.period
  const offsets = [start, end].map((time) => offsetAt(plan.zone, new Date(time)))
  const clockNote =
    'The clocks changed during this period, so calls around midnight may fall on the next day.'
  return [`${why}, so here are just the totals. ${hint}`, ...(offsets[0] === offsets[1] ? [] : [clockNote])]
}

function describeUnreadable({ count, example }: FullReport['aggregate']['unreadable']): string {
  const shown = example === '' ? 'an empty value' : `"${cut(example, 40)}"`
  return count === 1
    ? `1 call has a value that can't be read (${shown}). The call is counted, but not that value.`
    : `${formatNumber(count)} calls have values that can't be read (such as ${shown}). The calls are counted, but not those values.`
}

export function describeNotes(report: Report): readonly string[] {
  if ('reason' in report) return describeTotals(report)
  const { unreadable } = report.aggregate
  return unreadable.count === 0 ? [] : [describeUnreadable(unreadable)]
}

const NONE = '–'

/** `5 h 42 min`, `16 min`, `3 min 12 s`, `48 s` */
export function formatTalkTime(seconds: number): string {
  const minutes = seconds < 600 ? Math.floor(seconds / 60) : Math.round(seconds / 60)
  const parts = [
    [Math.floor(minutes / 60), 'h'],
    [minutes % 60, 'min'],
    [seconds < 600 ? seconds % 60 : 0, 's'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${formatNumber(count)} ${unit}`)
  return shown.join(' ') || NONE
}

/** Formats all costs of a report with the same number of decimals. */
export const formatCost = (cost: Money, scale: number): string =>
  cost.units === 0n ? NONE : formatMoney(rescale(cost, scale))

/** The most decimals of any cost in the report. */
export const getCostScale = ({ aggregate, before }: FullReport): number =>
  Math.max(aggregate.figures.cost.scale, before.cost.scale)

/** `22%` */
export const formatMissedRate = ({ calls, missed }: Pick<CallFigures, 'calls' | 'missed'>): string =>
  calls === 0 ? NONE : `${Math.round((missed * 100) / calls)}%`

/** ` (+12)`, ` (−3)`, ` (no change)` @param difference decides the sign */
const formatChange = (difference: number | bigint, size: string) =>
  Number(difference) === 0 ? ' (no change)' : ` (${difference > 0 ? '+' : '−'}${size})`

/** Rounds the difference of exact rates: the difference of rounded rates may be one off. */
function formatRateChange(now: CallFigures, before: CallFigures): string {
  const share = now.missed / now.calls - before.missed / before.calls
  const points = Math.round(Math.abs(share) * 100)
  return formatChange(Math.sign(share) * points, points === 1 ? '1 point' : `${points} points`)
}

interface Fact {
  readonly name: string
  readonly value: string
}

export const missedNames: Readonly<Record<Direction, string>> = { incoming: 'Missed', outgoing: 'No answer' }

/** `Incoming`, or `Missed` if only these are counted */
export function nameCalls({ direction, status }: Pick<ReportQuery, 'direction' | 'status'>): string {
  if (status === undefined) return capitalize(direction)
  return status === 'missed' ? missedNames[direction] : 'Answered'
}

function listTotals({ plan, calls, missed }: Totals): readonly Fact[] {
  const facts = [
    [nameCalls(plan.query), calls],
    [missedNames[plan.query.direction], missed],
  ] as const
  return facts.flatMap(([name, count]) => (count === undefined ? [] : [{ name, value: formatNumber(count) }]))
}

/** Returns the figures at the top of a report, with their changes if there are enough calls to compare. */
export function listFacts(report: Report): readonly Fact[] {
  if ('reason' in report) return listTotals(report)
  const { plan, aggregate, before, alerts } = report
  const now = aggregate.figures
  const difference = isComparable(report) ? subtractFigures(now, before) : undefined
  const withChange = (name: 'calls' | 'answered' | 'missed' | 'seconds', format: (size: number) => string) =>
    `${format(now[name])}${difference ? formatChange(difference[name], format(Math.abs(difference[name]))) : ''}`
  const rate = `${formatMissedRate(now)}${difference ? formatRateChange(now, before) : ''}`
  const results = [
    { name: missedNames[plan.query.direction], value: `${withChange('missed', formatNumber)} · ${rate}` },
    { name: 'Answered', value: withChange('answered', formatNumber) },
  ]
  const average = now.answered === 0 ? 0 : Math.round(now.seconds / now.answered)
  return [
    { name: nameCalls(plan.query), value: withChange('calls', formatNumber) },
    ...(plan.query.status === undefined ? results : []),
    { name: 'Talk time', value: now.seconds === 0 ? NONE : withChange('seconds', formatTalkTime) },
    { name: 'Average length', value: formatTalkTime(average) },
    { name: 'Cost', value: formatCostWithChange(now.cost, difference?.cost, getCostScale(report)) },
    ...(alerts ? [{ name: 'Alerts taken', value: describeTaken(alerts) }] : []),
  ]
}

function formatCostWithChange(cost: Money, difference: Money | undefined, scale: number): string {
  if (cost.units === 0n || difference === undefined) return formatCost(cost, scale)
  const { units } = difference
  const size = formatCost({ ...difference, units: units < 0n ? -units : units }, scale)
  return `${formatCost(cost, scale)}${formatChange(units, size)}`
}

/** `12 of 15 · after 4 min (median)` */
function describeTaken({ sent, taken, medianMs, isPartial }: AlertFigures): string {
  const median = medianMs === undefined ? '' : ` · after ${durationText(medianMs)}`
  return [
    `${formatNumber(taken)} of ${formatNumber(sent)}`,
    isPartial ? ` in the last ${ALERT_MESSAGES_KEPT_MS / dayMs} days` : '',
    median,
    taken > 1 ? ' (median)' : '',
  ].join('')
}

/** `2 alerts not taken`; empty if there are none. */
export function describeNotTaken(report: Report): readonly string[] {
  const { sent, taken } = ('alerts' in report && report.alerts) || { sent: 0, taken: 0 }
  const count = sent - taken
  return count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? 'alert' : 'alerts'} not taken`]
}
