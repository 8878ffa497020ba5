import { scheduleText } from '../../scheduler/schedule-text.ts'
import type { Notice } from '../../slack/answers/notices.ts'
import type { Schedule } from '../../store/schedules.ts'
import type { Zone } from '../../time/types.ts'

// What people are told whose schedule it is: what became of the post, why, and what to do.

/** The preview comes first. */
const postNow = (channel: string) => ({
  id: 'post',
  text: 'Post now…',
  command: `/billing post <#${channel}>`,
})
const manageSchedules = { id: 'schedules', text: 'Manage schedules', command: '/billing schedules' }

export const unconfirmedNotice = (channel: string, planned: string): Notice => ({
  text: `The billing post planned for ${planned} may be missing from <#${channel}>: Slack didn't confirm it, so it wasn't sent again. Look there first, and post it again if it's missing.`,
  command: postNow(channel),
})

export const missedNotice = (channel: string, planned: string): Notice => ({
  text: `The billing post planned for ${planned} in <#${channel}> was skipped: it would have been more than a day late. The next one comes as planned.`,
  command: postNow(channel),
})

export const pausedNotice = (schedule: Schedule, zone: Zone, why: string): Notice => ({
  text: `Billing posts are paused: ${scheduleText(schedule, zone)}. ${why} Resume them once that's fixed.`,
  command: manageSchedules,
})

/** What kept going wrong is no error that says why. */
export const givenUpWhy = 'Something kept going wrong on our side.'

export const givenUpNotice = (channel: string): Notice => ({
  text: `Billing posts in <#${channel}> are paused. ${givenUpWhy} Tell whoever runs Callboard, and resume them once it's fixed.`,
  command: manageSchedules,
})
