import type { ScheduleInfo } from '../../planned/schedule-kind.ts'
import type { Notice } from '../../slack/deliver/notices.ts'
import type { Schedule } from '../../store/schedules.ts'
import type { Zone } from '../../time/types.ts'
import { capital } from '../../util/text.ts'
import { scheduleText } from './schedule-text.ts'

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
