import { scheduleText } from '../../scheduler/schedule-text.ts'
import type { Schedule } from '../../store/schedules.ts'
import type { Zone } from '../../time/types.ts'

// What people are told whose schedule it is.

export const unconfirmedText = (channel: string, planned: string) =>
  `The billing post planned for ${planned} may be in <#${channel}>, or not: Callboard was cut off while it was sent. Look there, and write \`/billing post\` if it is missing.`
export const missedText = (channel: string, planned: string) =>
  `The billing post planned for ${planned} in <#${channel}> is more than a day late and was left out. \`/billing post\` posts it by hand; the next one comes as planned.`
export const pausedText = (schedule: Schedule, zone: Zone, why: string) =>
  `The scheduled billing post for ${scheduleText(schedule, zone)} could not be posted and is paused. ${why} When that is mended, \`/billing schedules\` resumes it.`
