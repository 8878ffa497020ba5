import type { ScheduleInfo } from '../../planned/schedule-kind.ts'
import { escapeText } from '../../slack/blocks/blocks.ts'
import type { Notice } from '../../slack/deliver/notices.ts'
import type { ReportOptions, Schedule, ScheduleDay, ScheduleDraft } from '../../store/schedules.ts'
import { parseDay, weekdayNames, weekdaysText } from '../../time/days.ts'
import { dayTimeLabel, instantLabel } from '../../time/labels.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, wallTime } from '../../time/zones.ts'
import { capital } from '../../util/text.ts'

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

/** For the audit log. */
export const scheduleDetail = (schedule: Schedule): string =>
  `${schedule.report ? `${reportText(schedule.report)}, ` : ''}${dayText(schedule.day)} at ${schedule.time}`

// What people are told whose schedule it is: what became of the post, why, and what to do.

type Words = Pick<ScheduleInfo, 'post' | 'posts' | 'command'>

const manageSchedules = ({ command }: Words) => ({
  id: 'schedules',
  text: 'Manage schedules',
  command: `/${command} schedules`,
})

export const unconfirmedNotice = (
  { post }: Words,
  channel: string,
  planned: string,
  makeUp: NonNullable<Notice['command']>,
): Notice => ({
  text: `The ${post} planned for ${planned} may be missing from <#${channel}>: Slack didn't confirm it, so it wasn't sent again. Look there first, and post it again if it's missing.`,
  command: makeUp,
})

export const missedNotice = (
  { post }: Words,
  channel: string,
  planned: string,
  makeUp: NonNullable<Notice['command']>,
): Notice => ({
  text: `The ${post} planned for ${planned} in <#${channel}> was skipped: it would have been more than a day late. The next one comes as planned.`,
  command: makeUp,
})

export const pausedNotice = (words: Words, schedule: Schedule, zone: Zone, why: string): Notice => ({
  text: `${capital(words.posts)} are paused: ${scheduleText(schedule, zone)}. ${why} Resume them once that's fixed.`,
  command: manageSchedules(words),
})

/** What kept going wrong is no error that says why. */
export const givenUpWhy = 'Something kept going wrong on our side.'

export const givenUpNotice = (words: Words, channel: string): Notice => ({
  text: `${capital(words.posts)} in <#${channel}> are paused. ${givenUpWhy} Tell whoever runs Callboard, and resume them once it's fixed.`,
  command: manageSchedules(words),
})
