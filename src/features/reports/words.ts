import { agentOf, callCount, callsText, daysText, isOneDay, noCallsText } from '../../grammar/sentences.ts'
import { cut } from '../../slack/blocks/blocks.ts'
import type { ReportQuery } from '../../slack/blocks/links.ts'
import { ALERT_MESSAGES_KEPT_MS } from '../../store/alerts.ts'
import type { LineNames } from '../../telephony/lines.ts'
import { addMoney, formatMoney, type Money, negateMoney } from '../../telephony/money.ts'
import type { Direction } from '../../telephony/types.ts'
import { pad2, shortDayLabel, weekdayLabel } from '../../time/days.ts'
import { durationText } from '../../time/labels.ts'
import type { LocalDay } from '../../time/types.ts'
import { localDay, offsetAt, wallTime, zoneLabel } from '../../time/zones.ts'
import { capital, numberText } from '../../util/text.ts'
import type { CallFigures, UnparsedPart } from './aggregate.ts'
import { type AlertFigures, MOST_RECORDS, type Report, type ReportPlan, shownDirections } from './report.ts'

// What a report says, in words. Nothing here is escaped.

/** `Call report: 15–21 Nov 2026`, `Anna Smith, call report: Fri 20 Nov 2026` */
export function titleOf(query: ReportQuery, lines: LineNames): string {
  const line = query.line && lines.labelOf(query.line)
  const subjects = [agentOf(query), line].filter((one) => one !== undefined)
  const report = subjects.length === 0 ? 'Call report' : 'call report'
  return `${[...subjects, report].join(', ')}: ${daysText(query)}`
}

/** What was asked for, and when it was read: what came later is not in it. `… · by line · Europe/Berlin (UTC+01:00) · As of …` */
export function aboutText(
  { query, zone, instant, directions }: ReportPlan,
  lines: LineNames,
  today: LocalDay,
  [direction, ...more] = directions,
): string {
  const time = wallTime(zone, instant)
  return [
    more.length > 0 ? 'Incoming and outgoing calls' : capital(callsText({ direction })),
    ...(query.agentId === undefined ? [] : [`agent ${agentOf(query)}`]),
    ...(query.line === undefined ? [] : [`line ${lines.detailOf(query.line)}`]),
    `by ${query.by}`,
    zoneLabel(zone, instant),
    `As of ${shortDayLabel(time, today)} ${time.slice(11)}`,
  ].join(' · ')
}

/** What was asked for, in the middle of a sentence, where there is nothing to show of it: `the report for 15–21 Nov`. */
export const requestText = (query: ReportQuery, today: LocalDay): string =>
  `the call report for ${daysText(query, today)}`

/** For the audit log: `2026-11-15..2026-11-21` */
export const postDetail = ({ from, to }: ReportQuery): string => (from === to ? from : `${from}..${to}`)

/** As many calls, of both periods, as make a change worth telling. */
const LEAST_COMPARED = 10

const isCompared = ({ calls: now = 0 }: CallFigures, { calls: before = 0 }: CallFigures) =>
  Math.min(now, before) >= LEAST_COMPARED

/** Nothing where no change is shown. */
export function comparisonText(report: Report, today: LocalDay): string | undefined {
  const { plan, isBeforeOfTotals, figures, before: figuresBefore } = report
  if (!shownDirections(report).some((one) => isCompared(figures[one], figuresBefore[one]))) return undefined
  const { before, zone, period } = plan
  const days = daysText(before.days, today)
  if (before.isWhole || period.isWhole) return `Compared with ${days}.`
  if (isBeforeOfTotals) return `Compared with ${days}, including the whole last day.`
  const last = new Date(before.end - 1)
  const day = isOneDay(before.days) ? '' : `${weekdayLabel(localDay(zone, last)).slice(0, 3)} `
  return `Compared with ${days}, up to ${day}${wallTime(zone, last).slice(11, 16)}.`
}

const unparsedWords: Readonly<Record<UnparsedPart, readonly [what: string, consequence: string]>> = {
  status: ['result', 'neither as answered nor as missed'],
  length: ['length', 'not towards the talk time'],
  cost: ['cost', 'not towards the cost'],
  time: ['time', 'not towards a day or an hour'],
}

export function unparsedTexts({ aggregate, plan }: Report): readonly string[] {
  return plan.directions.flatMap((direction) =>
    (aggregate?.unparsed[direction] ?? []).map(({ part, count, example }) => {
      const [what, consequence] = unparsedWords[part]
      const shown = example === '' ? 'empty' : `"${cut(example, 40)}"`
      const [has, counts] =
        count === 1
          ? [`1 ${direction} call has`, 'It counts as a call']
          : [`${numberText(count)} ${direction} calls have`, 'They count as calls']
      return `${has} a ${what} that can't be read (${shown}). ${counts}, but ${consequence}.`
    }),
  )
}

function totalsText({ totals, count, plan }: Report): string | undefined {
  if (totals === undefined) return undefined
  const many = count === undefined ? 'these calls' : callCount(count)
  const shorter = 'Choose fewer days for talk time, cost, the chart and the table.'
  const isOfLine = plan.query.line !== undefined
  const instead = isOfLine
    ? "The phone service can't count one line by itself."
    : "These are the phone service's own totals."
  const why =
    totals === 'records'
      ? `Reports read up to ${numberText(MOST_RECORDS)} calls${count === undefined ? '' : `; this range has ${numberText(count)}`}.`
      : `Reading ${many} takes too long.`
  return `${why} ${instead} ${shorter}`
}

/** What the days of the service's totals are, where they aren't quite those of the time zone. */
export function totalsDaysText({ plan, aggregate, agents }: Report): string | undefined {
  const isOfTotals = aggregate === undefined || agents !== undefined
  if (!isOfTotals || plan.period.isAskedExactly || !plan.period.isWhole) return undefined
  const offset = offsetAt(plan.zone, new Date(plan.period.start))
  const what = aggregate === undefined ? 'These totals' : 'The totals by agent'
  return `${what} are of days at UTC${offset} throughout: the clocks change in these days, so calls within an hour of their end may be counted differently.`
}

export const notes = (report: Report): readonly string[] => {
  const { agents, aggregate, plan } = report
  const { by, direction } = plan.query
  return [
    totalsText(report),
    agents === 'late'
      ? 'Time ran out before all agents were counted. Choose fewer days, or one agent.'
      : undefined,
    by === 'agent' && agents !== 'late' ? "Talk time and cost aren't available by agent." : undefined,
    by === 'line' && direction === undefined && aggregate
      ? 'Incoming calls only: outgoing calls have no line.'
      : undefined,
    totalsDaysText(report),
    ...unparsedTexts(report),
  ].filter((one) => one !== undefined)
}

export const emptyText = (query: ReportQuery, lines: LineNames): string =>
  noCallsText({ ...query, lineName: query.line && lines.labelOf(query.line) })

const unknown = '–'
const noFigures: CallFigures = { calls: undefined, answered: undefined, missed: undefined }

export const countText = (count: number | undefined): string =>
  count === undefined ? unknown : numberText(count)

/** `16:07`, `1,203:07`, below a head that says so: of minutes and seconds each, so that its column can be added up. */
export const countedTime = (seconds: number | undefined): string =>
  seconds === undefined ? unknown : `${numberText(Math.floor(seconds / 60))}:${pad2(seconds % 60)}`

/** `5 h 42 min`, `16 min`, `3 min 12 s`, `48 s` */
function timeText(seconds: number): string {
  const minutes = seconds < 600 ? Math.floor(seconds / 60) : Math.round(seconds / 60)
  const parts = [
    [Math.floor(minutes / 60), 'h'],
    [minutes % 60, 'min'],
    [seconds < 600 ? seconds % 60 : 0, 's'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${numberText(count)} ${unit}`)
  return shown.join(' ') || '0 min'
}

export const costText = (cost: Money | undefined): string =>
  cost === undefined ? unknown : formatMoney(cost)

const tenthsText = (tenths: number) => `${Math.floor(tenths / 10)}.${tenths % 10}`

/** `21.8%`: of all calls, those that nobody took. */
export const missedRate = ({ calls, missed }: CallFigures): string =>
  !calls || missed === undefined ? unknown : `${tenthsText(Math.round((missed * 1000) / calls))}%`

/** ` (+12)`, ` (−3)`, ` (no change)`. @param difference whose sign is what counts */
const changeText = (difference: number | bigint, size: string) =>
  Number(difference) === 0 ? ' (no change)' : ` (${difference > 0 ? '+' : '−'}${size})`

/** Nothing where one of both isn't known, as everywhere below. */
function change(now: number | undefined, before: number | undefined, text: (size: number) => string): string {
  if (now === undefined || before === undefined) return ''
  return changeText(now - before, text(Math.abs(now - before)))
}

/** From the exact rates: the difference of rounded ones may be one off. */
function rateChange(now: CallFigures, before: CallFigures): string {
  if (!now.calls || !before.calls || now.missed === undefined || before.missed === undefined) return ''
  const share = (now.missed * before.calls - before.missed * now.calls) / (now.calls * before.calls)
  const tenths = Math.round(Math.abs(share) * 1000)
  return changeText(Math.sign(share) * tenths, `${tenthsText(tenths)} points`)
}

function costChange(now: Money | undefined, before: Money | undefined): string {
  const difference = now && before && addMoney([now, negateMoney(before)])
  if (!difference) return ''
  const { units } = difference
  return changeText(units, formatMoney(units < 0n ? negateMoney(difference) : difference))
}

interface Fact {
  readonly name: string
  readonly value: string
}

/** What nobody took, by the glossary. */
export const missedNames: Readonly<Record<Direction, string>> = { incoming: 'Missed', outgoing: 'No answer' }

/** What a report says first, of each direction that is shown. */
export function factsFor(report: Report): readonly (readonly Fact[])[] {
  const directions = shownDirections(report)
  return directions.map((direction, index) => {
    const [now, earlier] = [report.figures[direction], report.before[direction]]
    const before = isCompared(now, earlier) ? earlier : noFigures
    const counted = (count: number | undefined, other: number | undefined) =>
      `${countText(count)}${change(count, other, numberText)}`
    const long = (seconds: number | undefined, other: number | undefined) =>
      `${seconds === undefined ? unknown : timeText(seconds)}${change(seconds, other, timeText)}`
    const of = directions.length === 1 ? '' : `, ${direction}`
    const missed = `${counted(now.missed, before.missed)} · ${missedRate(now)}${rateChange(now, before)}`
    const first = [
      { name: capital(direction), value: counted(now.calls, before.calls) },
      { name: missedNames[direction], value: missed },
      { name: `Talk time${of}`, value: long(now.seconds, before.seconds) },
      ...(index === 0 && report.alerts ? [{ name: 'Alerts taken', value: takenText(report.alerts) }] : []),
    ]
    if (!report.plan.query.details) return first
    return [
      ...first,
      { name: `Answered${of}`, value: counted(now.answered, before.answered) },
      { name: `Average length${of}`, value: long(now.averageSeconds, before.averageSeconds) },
      { name: `Cost${of}`, value: `${costText(now.cost)}${costChange(now.cost, before.cost)}` },
    ]
  })
}

const keptDays = ALERT_MESSAGES_KEPT_MS / (24 * 60 * 60_000)

/** `12 of 15 · after 4 min (median)` */
function takenText({ sent, taken, medianMs, isPartial }: AlertFigures): string {
  const median = medianMs === undefined ? '' : ` · after ${durationText(medianMs)}`
  return [
    `${numberText(taken)} of ${numberText(sent)}${isPartial ? ` in the last ${keptDays} days` : ''}`,
    `${median}${taken > 1 ? ' (median)' : ''}`,
  ].join('')
}

/** What is to be done comes first: `2 alerts not taken` */
export function notTakenText({ alerts }: Report): string | undefined {
  const count = alerts ? alerts.sent - alerts.taken : 0
  if (count === 0) return undefined
  return `${numberText(count)} ${count === 1 ? 'alert' : 'alerts'} not taken`
}
