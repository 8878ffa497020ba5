import { filtersText } from '../../query/filters/call-filters.ts'
import { agent, line } from '../../query/filters/filters.ts'
import * as texts from '../../query/texts.ts'
import { MISSED_CALLS_KEPT_MS } from '../../store/alerts.ts'
import { formatMoney, type Money } from '../../telephony/money.ts'
import { dayLabel, weekdayLabel } from '../../time/days.ts'
import { durationText, formatAsClock } from '../../time/lengths.ts'
import { rangeZoneLabel } from '../../time/range-requests.ts'
import { localTime } from '../../time/zones.ts'
import { capitalize, countNoun, formatNumber } from '../../util/text.ts'
import { dayMs, type Milliseconds } from '../../util/units.ts'
import type { ReportQuery } from './actions.ts'
import { type CallFigures, countOther, subtractFigures } from './aggregate.ts'
import { findMedian, type HandledCalls } from './handled.ts'
import { findMonthLabel, type ReportPlan } from './period.ts'
import type { FullReport, Report, ReportView, Totals } from './report.ts'

// The texts in this file aren't escaped.

/** `November`, `October 2025`, `15–21 Nov`, `Fri 20 Nov` */
function nameDays({ query, period, today }: ReportPlan): string | undefined {
  if (query.from === query.to) return weekdayLabel(query.from, today)
  return findMonthLabel(query, today) ?? texts.daysText(period.days, today)
}

/** Names such calls in the middle of a sentence. */
export const nameMissed = (direction: ReportQuery['direction']): string =>
  direction === 'incoming' ? 'missed' : 'unanswered'

/** `November: 921 calls, 312 missed (34%)`, `Anna Smith, 15–21 Nov: 12 answered calls longer than 5 minutes` */
export function describeReport({ report, lines }: ReportView): string {
  const { query } = report.plan
  const lineLabel = query.line && lines.getLabel(query.line)
  const subject = [texts.getAgentText(query), lineLabel, nameDays(report.plan)].filter(Boolean).join(', ')
  // Totals have the same fields.
  const { calls, missed } = report.aggregate ? report.aggregate.figures : report
  if (calls === undefined) return `${subject}: call report`
  const { direction, status } = query
  // Calls are incoming, unless the title says otherwise.
  const noun = direction === 'incoming' && status === undefined ? 'call' : texts.callNoun(query)
  const title = `${subject}: ${countNoun(calls, noun)}${filtersText(query, [agent, line])}`
  if (status !== undefined || missed === undefined) return title
  if (missed === 0) return `${title}, none ${nameMissed(direction)}`
  return `${title}, ${formatNumber(missed)} ${nameMissed(direction)} (${formatMissedRate({ calls, missed })})`
}

/** `Incoming calls · by line · Europe/Berlin (UTC+01:00) · As of 21 Nov 15:00` */
export function describeScope({ report, lines }: ReportView): string {
  const { query, zone, instant, today } = report.plan
  const calls = `${texts.callsText(query)}${filtersText(texts.withLineName(query, lines), [agent])}`
  const asOf = `As of ${dayLabel(today, today)} ${localTime(zone, instant)}`
  return [capitalize(calls), `by ${query.by}`, rangeZoneLabel(zone, query, instant), asOf].join(' · ')
}

export function describeEmpty({ report, lines }: ReportView): string {
  const { query, period, today } = report.plan
  return texts.noCallsText({ ...query, ...period.days }, today, { lines })
}

/** With fewer calls, a change means nothing. */
const MIN_COMPARED_CALLS = 10

const isComparable = ({ aggregate, figuresBefore }: FullReport) =>
  Math.min(aggregate.figures.calls, figuresBefore.calls) >= MIN_COMPARED_CALLS

function describeComparison(report: FullReport): string {
  const { periodBefore, zone, today } = report.plan
  const days = texts.daysText(periodBefore.days, today)
  if (!isComparable(report)) return `Too few calls to compare with ${days}.`
  if (periodBefore.isComplete) return `Compared with ${days}.`
  return `Compared with ${days}, up to ${localTime(zone, new Date(periodBefore.end - 1))}.`
}

function describeTotals({ plan, calls }: Totals): string {
  const consequence = calls === undefined ? '' : ', so here are just the totals'
  const hint = plan.query.by === 'agent' ? 'Pick fewer days, one agent or another table.' : 'Pick fewer days.'
  return `This is too much to read at once${consequence}. ${hint}`
}

/** Says what the figures are about, and what they leave out. */
export function describeNotes(view: ReportView): readonly string[] {
  const { report } = view
  const scope = describeScope(view)
  if (!report.aggregate) return [scope, describeTotals(report)]
  const notes = [describeComparison(report), scope]
  const { unreadableCalls } = report.aggregate
  if (unreadableCalls > 0)
    notes.push(`Values of ${countNoun(unreadableCalls, 'call')} can't be read. They are left out.`)
  return notes
}

/** Empty for 0. */
export const formatTalkTime = (seconds: number): string => (seconds === 0 ? '' : formatAsClock(seconds))

/** Empty for 0. */
export const formatCost = (cost: Money): string => (cost.units === 0n ? '' : formatMoney(cost))

type Missed = Pick<CallFigures, 'calls' | 'missed'>

export const getMissedPercent = ({ calls, missed }: Missed): number => Math.round((missed * 100) / calls)

export const formatMissedRate = (figures: Missed): string => `${getMissedPercent(figures)}%`

/** @param size formatted without a sign */
function formatChange(difference: number | bigint, size: string): string {
  if (Number(difference) === 0) return ' (no change)'
  return difference > 0 ? ` (+${size})` : ` (−${size})`
}

/** Rounds the difference of exact rates: the difference of rounded rates may be one off. */
function formatRateChange(now: CallFigures, before: CallFigures): string {
  const change = now.missed / now.calls - before.missed / before.calls
  const points = Math.round(Math.abs(change) * 100)
  return formatChange(Math.sign(change) * points, countNoun(points, 'point'))
}

/** `133 (+12)` */
function formatFigure(value: number, change: number | undefined, format: (size: number) => string): string {
  if (change === undefined) return format(value)
  return `${format(value)}${formatChange(change, format(Math.abs(change)))}`
}

/** Title of a column or field that counts the report's calls. */
export const nameCalls = ({ direction, status }: Pick<ReportQuery, 'direction' | 'status'>): string =>
  status === undefined ? capitalize(direction) : texts.resultLabel(direction, status)

type Fact = readonly [name: string, value: string]

/** Leaves out figures that are 0 because of the calls' result. */
export function listFacts(report: Report): readonly Fact[] {
  // The title has all counts of the service.
  if (!report.aggregate) return []
  const { query } = report.plan
  const { aggregate, figuresBefore, handled } = report
  const now = aggregate.figures
  const facts: Fact[] = []
  const change = isComparable(report) ? subtractFigures(now, figuresBefore) : undefined
  facts.push([nameCalls(query), formatFigure(now.calls, change?.calls, formatNumber)])
  if (query.status === undefined) {
    let missed = `${formatFigure(now.missed, change?.missed, formatNumber)} · ${formatMissedRate(now)}`
    if (change) missed += formatRateChange(now, figuresBefore)
    facts.push([texts.resultLabel(query.direction, 'missed'), missed])
    facts.push(['Answered', formatFigure(now.answered, change?.answered, formatNumber)])
  }
  if (countOther(now) > 0) facts.push(['Other results', formatNumber(countOther(now))])
  if (now.seconds > 0) {
    facts.push(['Talk time', formatFigure(now.seconds, change?.seconds, formatAsClock)])
    facts.push(['Average length', formatAsClock(Math.round(now.seconds / now.answered))])
  }
  if (now.cost.units !== 0n) facts.push(['Cost', formatCostFact(now.cost, change?.cost)])
  if (handled && handled.missed > 0) facts.push(['Alerts', describeHandled(handled, report.plan)])
  return facts
}

/** `12.50 (−0.75)`: the service names no currency. */
function formatCostFact(cost: Money, change: Money | undefined): string {
  if (change === undefined) return formatCost(cost)
  const size = formatCost(change).replace('-', '')
  return `${formatCost(cost)}${formatChange(change.units, size)}`
}

/** Empty without waits. */
export function formatMedian(waits: readonly Milliseconds[]): string {
  const median = findMedian(waits)
  return median === undefined ? '' : durationText(median)
}

/** `58 missed · 46 taken · 40 done · 12 waiting, typically taken after 1 min` */
function describeHandled(handled: HandledCalls, { instant, period }: ReportPlan): string {
  const { missed, done, waiting, waits } = handled
  const taken = waits.length
  let text = `${formatNumber(missed)} missed`
  if (instant.getTime() - period.start > MISSED_CALLS_KEPT_MS)
    text += ` in the last ${MISSED_CALLS_KEPT_MS / dayMs} days`
  text += ` · ${formatNumber(taken)} taken · ${formatNumber(done)} done · ${formatNumber(waiting)} waiting`
  if (taken === 0) return text
  return `${text}, ${taken === 1 ? '' : 'typically '}taken after ${formatMedian(waits)}`
}

/** Empty if no call waits. */
export function describeWaitingCalls(report: Report): string {
  const waiting = report.aggregate ? (report.handled?.waiting ?? 0) : 0
  if (waiting === 0) return ''
  if (waiting === 1) return 'A missed call is waiting'
  return `${formatNumber(waiting)} missed calls are waiting`
}

/** Shown instead of an empty table by person. */
export function describeNoTakers({ plan, handled }: FullReport): string | undefined {
  if (plan.query.by !== 'person' || handled?.people.length) return undefined
  return 'Nobody has taken a missed call of these days.'
}
