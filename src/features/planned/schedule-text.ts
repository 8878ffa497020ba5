import { escapeText } from '../../slack/blocks/blocks.ts'
import type { ReportOptions, Schedule, ScheduleDay, ScheduleDraft } from '../../store/schedules.ts'
import { parseDay, weekdayNames, weekdaysText } from '../../time/days.ts'
import { dayTimeLabel, instantLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, wallTime } from '../../time/zones.ts'

/** A schedule with its channel's time zone. */
interface Placed {
  readonly schedule: Schedule
  readonly zone: Zone
}

export const ordinal = (number: number): string => {
  const suffix = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }
  return `${number}${suffix[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`
}

export function dayText(day: ScheduleDay): string {
  switch (day.kind) {
    case 'billing-date':
      return 'each billing date'
    case 'monthly':
      return `monthly on the ${day.day === 'last' ? 'last day' : ordinal(day.day)}`
    case 'weekly':
      return `every ${weekdayNames[day.weekday - 1]}`
    case 'daily':
      return weekdaysText(day.weekdays, 'every ')
  }
}

/** When the next post is expected: `15 Dec, 09:00`. A billing date that the service has not named yet has no day. */
export function nextText(schedule: Schedule, zone: Zone, now: Date): string {
  const { day, billingDay, time, due } = schedule
  if (day.kind !== 'billing-date') return instantLabel(zone, new Date(due), now)
  const known = parseDay(billingDay ?? '')
  const isAhead = known !== undefined && wallTime(zone, new Date(due)) <= `${known} ${time}:00`
  return isAhead ? dayTimeLabel(known, time, localDay(zone, now)) : `on the billing date, ${time}`
}

/** What a report is of: `the week before, by line`. */
export const reportText = ({ range, by }: ReportOptions): string => `the ${range} before, by ${by}`

/** What is posted, where its kind alone doesn't say. */
const whatText = ({ report }: ScheduleDraft): string => (report ? `, ${reportText(report)}` : '')

/**
 * One schedule in a line of mrkdwn: `#finance, every Monday at 09:00 (Europe/Berlin)`, and for a report what it is of:
 * `…, the week before, by line`.
 */
export const scheduleText = (schedule: ScheduleDraft, zone: Zone): string =>
  `<#${schedule.channel}>, ${dayText(schedule.day)} at ${schedule.time} (${escapeText(zone)})${whatText(schedule)}`

/** How a schedule is, in lines of mrkdwn: when it posts next and whose it is, and what stands in the way. */
export function scheduleState({ schedule, zone }: Placed, now: Date): readonly string[] {
  const { paused, report, owner } = schedule
  const state = paused ? 'Paused' : `Next: ${nextText(schedule, zone, now)}`
  return [
    `${state} · Scheduled by <@${owner}>`,
    ...(report?.onlyWithCalls ? ['Only when there were calls.'] : []),
    ...(paused?.why === undefined ? [] : [paused.why]),
  ]
}

/** One schedule with when it is next posted, or that it is paused. */
export const scheduleLine = ({ schedule, zone }: Placed, now: Date): string =>
  `${scheduleText(schedule, zone)}: ${schedule.paused ? 'paused' : `next ${nextText(schedule, zone, now)}`}`

/** For the audit log: with the rhythm at its end. */
export const scheduleDetail = (schedule: Schedule): string =>
  `channel ${schedule.channel}${whatText(schedule)}, ${dayText(schedule.day)} at ${schedule.time}`
