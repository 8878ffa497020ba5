import { scheduleText } from '../../scheduler/schedule-text.ts'
import type { Schedule } from '../../store/schedules.ts'
import type { Zone } from '../../time/types.ts'

// What people are told whose schedule it is: what became of the post, why, and what to do.

export const unconfirmedText = (channel: string, planned: string) =>
  `The billing post planned for ${planned} may be missing from <#${channel}>: Slack didn't confirm it, so it wasn't sent again. Look there first. If it's missing, post it with \`/billing post\`.`
export const missedText = (channel: string, planned: string) =>
  `The billing post planned for ${planned} in <#${channel}> was skipped: it would have been more than a day late. The next one comes as planned. To post now, use \`/billing post\`.`
export const pausedText = (schedule: Schedule, zone: Zone, why: string) =>
  `Billing posts are paused for ${scheduleText(schedule, zone)}. ${why} Once that's fixed, resume them in \`/billing schedules\`.`
