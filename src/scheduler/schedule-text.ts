import { escapeText } from '../slack/blocks/blocks.ts'
import type { Schedule, ScheduleDay } from '../store/schedules.ts'
import { dayLabel, parseDay } from '../time/days.ts'
import type { LocalDay, Zone } from '../time/types.ts'
import { wallTime } from '../time/zones.ts'

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

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
      return `every ${weekdays[day.weekday - 1]}`
  }
}

/** `5 Dec 2026 09:00` */
export function instantText(zone: Zone, instant: Date): string {
  const [day = '', time = ''] = wallTime(zone, instant).split(' ')
  const parsed = parseDay(day)
  return `${parsed ? dayLabel(parsed) : day} ${time.slice(0, 5)}`
}

/** A day and the schedule's time on it, as `instantText` writes an instant. */
export const slotText = ({ time }: Pick<Schedule, 'time'>, day: LocalDay): string =>
  `${dayLabel(day)} ${time}`

/** When the next post is expected; a billing date that the service has not named yet is looked for every day. */
export function nextText(schedule: Schedule, zone: Zone): string {
  const { day, billingDay, time, due } = schedule
  if (day.kind !== 'billing-date') return instantText(zone, new Date(due))
  const known = parseDay(billingDay ?? '')
  const isAhead = known !== undefined && wallTime(zone, new Date(due)) <= `${known} ${time}:00`
  return isAhead ? `${dayLabel(known)} ${time}` : `the service is asked every day at ${time}`
}

/** One schedule in a line of mrkdwn: `#finance, every Monday at 09:00 (Europe/Berlin)`. */
export const scheduleText = ({ channel, day, time }: Schedule, zone: Zone): string =>
  `<#${channel}>, ${dayText(day)} at ${time} (${escapeText(zone)})`

/** One schedule with when it is next posted, or that it is paused. */
export const scheduleLine = ({ schedule, zone }: { schedule: Schedule; zone: Zone }): string =>
  `${scheduleText(schedule, zone)}: ${schedule.paused ? 'paused' : `next ${nextText(schedule, zone)}`}`

/** For the audit log. */
export const scheduleDetail = ({ channel, day, time }: Schedule): string =>
  `channel ${channel}, ${dayText(day)} at ${time}`
