import { cut } from '../../slack/blocks/blocks.ts'
import { ALERT_MESSAGES_KEPT_MS } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { formatMoney, type Money } from '../../telephony/money.ts'
import type { Direction } from '../../telephony/types.ts'
import { shortDayLabel } from '../../time/days.ts'
import { durationText, offsetAt, wallTime, zoneLabel } from '../../time/zones.ts'
import { capitalize, formatNumber } from '../../util/text.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'
import { callCount, callsText, daysText, getAgentText, noCallsText } from '../calls/words.ts'
import type { ReportQuery } from './query.ts'
import {
  type CallFigures,
  type FullReport,
  MAX_REPORT_AGENTS,
  type Report,
  type ReportAlert,
  type ReportPlan,
  subtractFigures,
  type Totals,
} from './report.ts'

// Texts of reports. None is escaped.

/** `Call report: 15–21 Nov 2026`, `Anna Smith, call report: Fri 20 Nov 2026` */
export function describeReport({ query, period }: ReportPlan, lines: LineNames): string {
  const line = query.line && lines.getLabel(query.line)
  const subjects = [getAgentText(query), line].filter((one) => one !== undefined)
  const title = subjects.length === 0 ? 'Call report' : `${subjects.join(', ')}, call report`
  return `${title}: ${daysText(period.days)}`
}

/** `Incoming calls · line Sales Berlin · by hour · Europe/Berlin (UTC+01:00) · As of 21 Nov 15:00` */
export function describeScope({ query, zone, instant, today }: ReportPlan, lines: LineNames): string {
  const time = wallTime(zone, instant)
  return [
    capitalize(callsText(query)),
    ...(query.line === undefined ? [] : [`line ${lines.getDetail(query.line)}`]),
    ...(query.number === undefined ? [] : [`numbers with ${query.number}`]),
    `by ${query.by}`,
    zoneLabel(zone, instant),
    `As of ${shortDayLabel(time, today)} ${time.slice(11, 16)}`,
  ].join(' · ')
}

export const describeEmpty = ({ query, period }: ReportPlan, lines: LineNames): string =>
  noCallsText({ ...query, ...period.days, lineName: query.line && lines.getLabel(query.line) })

/** Changes from fewer calls are chance. */
const MIN_COMPARED_CALLS = 10

const isComparable = ({ aggregate, before }: FullReport) =>
  Math.min(aggregate.figures.calls, before.calls) >= MIN_COMPARED_CALLS

/** `Compared with 8–14 Nov, up to 15:00.` */
export function describeComparison(report: FullReport): string {
  const { before, zone, today } = report.plan
  const days = daysText(before.days, today)
  if (!isComparable(report)) return `Too few calls to compare with ${days}.`
  const until = wallTime(zone, new Date(before.end - 1)).slice(11, 16)
  return `Compared with ${days}${before.isComplete ? '' : `, up to ${until}`}.`
}

const totalsReasons: Readonly<Record<Totals['reason'], readonly [why: string, hint: string]>> = {
  records: ['There are too many calls for a full report', 'Pick fewer days to see the rest.'],
  time: ['This took too long', 'Pick fewer days to see the rest.'],
  agents: [`A table by agent has up to ${MAX_REPORT_AGENTS} agents`, 'Pick one agent or another table.'],
}

function describeTotals({ plan, reason, calls }: Totals): readonly string[] {
  const [why, hint] = totalsReasons[reason]
  if (calls === undefined) return [`${why}. ${hint}`]
  const { requested, end } = plan.period
  const note = `${why}, so here are just the totals. ${hint}`
  if (requested.offset === offsetAt(plan.zone, new Date(end))) return [note]
  return [note, 'The clocks changed during this period, so calls around midnight may fall on the next day.']
}

export function describeNotes(report: Report): readonly string[] {
  if ('reason' in report) return describeTotals(report)
  const { count, example } = report.aggregate.unreadable
  const such = example === '' ? '' : `, such as "${cut(example, 40)}"`
  return count === 0 ? [] : [`Values of ${callCount(count)} can't be read${such}. They are left out.`]
}

export const NONE = '–'

/** `5 h 42 min`, `16 min`, `3 min 12 s`, `48 s` */
export function formatTalkTime(seconds: number): string {
  const isShort = seconds < 600
  const minutes = isShort ? Math.floor(seconds / 60) : Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const parts = [
    hours > 0 && `${formatNumber(hours)} h`,
    minutes % 60 > 0 && `${minutes % 60} min`,
    isShort && seconds % 60 > 0 && `${seconds % 60} s`,
  ]
  return parts.filter(Boolean).join(' ') || NONE
}

export const formatCost = (cost: Money): string => (cost.units === 0n ? NONE : formatMoney(cost))

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

export const missedNames: Readonly<Record<Direction, string>> = { incoming: 'Missed', outgoing: 'No answer' }

/** `Incoming`, or `Missed` if only these are counted */
export function nameCalls({ direction, status }: Pick<ReportQuery, 'direction' | 'status'>): string {
  if (status === undefined) return capitalize(direction)
  return status === 'missed' ? missedNames[direction] : 'Answered'
}

/** Returns the names and values at the top of a report, with their changes if there are enough calls to compare. */
export function listFacts(report: Report): readonly (readonly [name: string, value: string])[] {
  const { query } = report.plan
  const [callsName, missedName] = [nameCalls(query), missedNames[query.direction]]
  if ('reason' in report) {
    const counts = [[callsName, report.calls] as const, [missedName, report.missed] as const]
    return counts.flatMap(([name, count]) => (count === undefined ? [] : [[name, formatNumber(count)]]))
  }
  const { aggregate, before, alerts = [] } = report
  const now = aggregate.figures
  const difference = isComparable(report) ? subtractFigures(now, before) : undefined
  const withChange = (name: 'calls' | 'answered' | 'missed' | 'seconds', format: (size: number) => string) =>
    `${format(now[name])}${difference ? formatChange(difference[name], format(Math.abs(difference[name]))) : ''}`
  const rate = `${formatMissedRate(now)}${difference ? formatRateChange(now, before) : ''}`
  const costChange =
    difference && now.cost.units !== 0n
      ? formatChange(difference.cost.units, formatCost(difference.cost).replace('-', ''))
      : ''
  const average = now.answered === 0 ? 0 : Math.round(now.seconds / now.answered)
  return [
    [callsName, withChange('calls', formatNumber)],
    ...(query.status === undefined
      ? [
          [missedName, `${withChange('missed', formatNumber)} · ${rate}`] as const,
          ['Answered', withChange('answered', formatNumber)] as const,
        ]
      : []),
    ['Talk time', now.seconds === 0 ? NONE : withChange('seconds', formatTalkTime)],
    ['Average length', formatTalkTime(average)],
    ['Cost', `${formatCost(now.cost)}${costChange}`],
    ...(alerts.length === 0 ? [] : [['Alerts taken', describeTaken(alerts, report.plan)] as const]),
  ]
}

/** Returns the times until alerts were taken, from their first call, shortest first. */
export const listWaits = (alerts: readonly ReportAlert[]): readonly Milliseconds[] =>
  alerts
    .flatMap(({ firstAt, taken }) => (taken ? Math.max(0, taken.at - firstAt) : []))
    .toSorted((a, b) => a - b)

/** Formats the median of sorted values. */
export function formatMedian(waits: readonly Milliseconds[]): string {
  const [low, high] = [waits[(waits.length - 1) >> 1], waits[waits.length >> 1]]
  return low === undefined || high === undefined ? NONE : durationText((low + high) / 2)
}

/** `12 of 15 · after 4 min (median)` */
function describeTaken(alerts: readonly ReportAlert[], { instant, period }: ReportPlan): string {
  const waits = listWaits(alerts)
  const isPartial = instant.getTime() - period.start > ALERT_MESSAGES_KEPT_MS
  const range = isPartial ? ` in the last ${ALERT_MESSAGES_KEPT_MS / dayMs} days` : ''
  const median = waits.length === 0 ? '' : ` · after ${formatMedian(waits)}`
  const taken = `${formatNumber(waits.length)} of ${formatNumber(alerts.length)}${range}`
  return `${taken}${median}${waits.length > 1 ? ' (median)' : ''}`
}

/** `2 alerts not taken`; undefined if there are none. */
export function describeNotTaken(report: Report): string | undefined {
  const alerts = ('alerts' in report && report.alerts) || []
  const count = alerts.filter(({ taken }) => !taken).length
  if (count === 0) return undefined
  return `${formatNumber(count)} ${count === 1 ? 'alert' : 'alerts'} not taken`
}
