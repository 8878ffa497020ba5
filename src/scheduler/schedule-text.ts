import { escapeText } from '../slack/blocks/blocks.ts'
import type { Schedule, ScheduleDay } from '../store/schedules.ts'
import { parseDay, weekdayNames } from '../time/days.ts'
import { dayTimeLabel, instantLabel } from '../time/instant-labels.ts'
import type { Zone } from '../time/types.ts'
import { localDay, wallTime } from '../time/zones.ts'

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

/** One schedule in a line of mrkdwn: `#finance, every Monday at 09:00 (Europe/Berlin)`. */
export const scheduleText = ({ channel, day, time }: Schedule, zone: Zone): string =>
  `<#${channel}>, ${dayText(day)} at ${time} (${escapeText(zone)})`

/** One schedule with when it is next posted, or that it is paused. */
export const scheduleLine = (
  { schedule, zone }: { readonly schedule: Schedule; readonly zone: Zone },
  now: Date,
): string =>
  `${scheduleText(schedule, zone)}: ${schedule.paused ? 'paused' : `next ${nextText(schedule, zone, now)}`}`

/** For the audit log. */
export const scheduleDetail = ({ channel, day, time }: Schedule): string =>
  `channel ${channel}, ${dayText(day)} at ${time}`
