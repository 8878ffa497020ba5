import { escapeText, placeText } from '../../slack/blocks/blocks.ts'
import type { ReportOptions, Schedule, ScheduleDay, ScheduleDraft } from '../../store/schedules.ts'
import { parseDay, weekdayNames, weekdaysText } from '../../time/days.ts'
import { dayTimeLabel, instantLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, wallTime } from '../../time/zones.ts'
import { capital } from '../../util/text.ts'

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

/** What a report is of. */
const reportText = ({ range, by }: ReportOptions): string =>
  `${range === 'since' ? 'since the last report' : `the ${range} before`}, by ${by}`

/**
 * One schedule in a line of mrkdwn: `#finance, every Monday at 09:00 (Europe/Berlin)`, and for a report what it is of:
 * `…, the week before, by line`.
 */
export function scheduleText({ channel, day, time, report }: ScheduleDraft, zone: Zone): string {
  const what = report ? `, ${reportText(report)}` : ''
  return `${capital(placeText(channel))}, ${dayText(day)} at ${time} (${escapeText(zone)})${what}`
}

/**
 * How a schedule is, in lines of mrkdwn: when it posts next and whose it is, and what stands in the way.
 * @param trouble why it would not post by now
 */
export function scheduleState(
  schedule: Schedule,
  zone: Zone,
  now: Date,
  trouble?: string,
): readonly string[] {
  const { paused, report, owner } = schedule
  const why = paused ? paused.why : trouble && `⚠ Not posting. ${trouble}`
  const next = trouble === undefined ? [`Next: ${nextText(schedule, zone, now)}`] : []
  return [
    [...(paused ? ['Paused'] : next), `Scheduled by <@${owner}>`].join(' · '),
    ...(report?.onlyWithCalls ? ['Only when there were calls.'] : []),
    ...(why === undefined ? [] : [why]),
  ]
}

/** For the audit log. */
export const scheduleDetail = ({ report, day, time }: ScheduleDraft): string =>
  `${report ? `${reportText(report)}, ` : ''}${dayText(day)} at ${time}`

// What people are told whose schedule it is: what became of the post, why, and what to do.

export const unconfirmedText = (post: string, channel: string, planned: string): string =>
  `The ${post} scheduled for ${planned} may be missing from ${placeText(channel)}: Slack didn't confirm it, so it wasn't sent again. Look there first, and post it again if it's missing.`

export const missedText = (post: string, channel: string, planned: string): string =>
  `The ${post} scheduled for ${planned} in ${placeText(channel)} was skipped: it would have been more than a day late. The next one comes on schedule.`

export const pausedText = (posts: string, schedule: Schedule, zone: Zone, why: string): string =>
  `${capital(posts)} are paused: ${scheduleText(schedule, zone)}. ${why} Resume them once that's fixed.`

/** What kept going wrong is no error that says why. */
export const givenUpWhy = 'Something kept going wrong in Callboard.'

export const givenUpText = (posts: string, channel: string): string =>
  `${capital(posts)} in ${placeText(channel)} are paused. ${givenUpWhy} Tell whoever runs Callboard, and resume them once it's fixed.`
