import { Cron } from 'croner'
import type { Schedule, ScheduleDay } from '../store/schedules.ts'
import type { Zone } from '../time/types.ts'

/** The billing date is known to the service alone: it is asked every day. croner counts Sunday as 0 or 7. */
function pattern(day: ScheduleDay): string {
  switch (day.kind) {
    case 'billing-date':
      return '* * *'
    case 'monthly':
      return `${day.day === 'last' ? 'L' : day.day} * *`
    case 'weekly':
      return `* * ${day.weekday}`
  }
}

/**
 * The first instant after `after` at which clocks in the zone show the schedule's time on its day. A time that a clock
 * change skips is the first one after it, and one that comes twice is the first of the two.
 */
export function nextDue({ day, time }: Pick<Schedule, 'day' | 'time'>, zone: Zone, after: Date): Date {
  const [hour, minute] = time.split(':').map(Number)
  const cron = new Cron(`${minute} ${hour} ${pattern(day)}`, { timezone: zone, mode: '5-part' })
  const next = cron.nextRun(after)
  if (!next) throw new RangeError('a schedule without an end has no next time')
  return next
}

/** The latest instant that is due at `now`, from `due` on: after a time down there may have been several. */
export function latestSlot(schedule: Schedule, zone: Zone, now: Date): Date {
  let slot = new Date(schedule.due)
  for (let next = slot; next <= now; next = nextDue(schedule, zone, next)) slot = next
  return slot
}
