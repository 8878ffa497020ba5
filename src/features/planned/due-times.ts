import { Cron } from 'croner'
import type { Slot } from '../../planned/schedule-kind.ts'
import type { Schedule, ScheduleDay } from '../../store/schedules.ts'
import { parseDay, utcDay } from '../../time/days.ts'
import type { LocalDay, Zone } from '../../time/types.ts'
import { localDay, startOfDay } from '../../time/zones.ts'

type When = Pick<Schedule, 'day' | 'time'>
const everyDay = { kind: 'billing-date' } as const

/** The billing date is known to the service alone: it is asked every day. croner counts Sunday as 0 or 7. */
function pattern(day: ScheduleDay): string {
  switch (day.kind) {
    case 'billing-date':
      return '* * *'
    case 'monthly':
      return `${day.day === 'last' ? 'L' : day.day} * *`
    case 'weekly':
      return `* * ${day.weekday}`
    case 'daily':
      return `* * ${day.weekdays.join(',')}`
  }
}

/**
 * The first instant after `after` at which clocks in the time zone show the schedule's time on its day. A time that a clock
 * change skips is the first one after it, and one that comes twice is the first of the two.
 */
export function nextDue({ day, time }: When, zone: Zone, after: Date): Date {
  const [hour, minute] = time.split(':').map(Number)
  const cron = new Cron(`${minute} ${hour} ${pattern(day)}`, { timezone: zone, mode: '5-part' })
  const next = cron.nextRun(after)
  if (!next) throw new RangeError('a schedule without an end has no next time')
  return next
}

/** The first slot after an instant. @param posted no day up to this one is planned again */
export function slotAfter(when: When, zone: Zone, after: Date, posted?: LocalDay): Slot {
  const at = nextDue(when, zone, after)
  const day = localDay(zone, at)
  return posted === undefined || day > posted ? { day, at } : nextSlot(when, zone, posted, after)
}

/** The slot on the first of the schedule's days after `day`. */
export function nextSlot(when: When, zone: Zone, day: LocalDay, now: Date): Slot {
  const next = new Cron(`0 0 ${pattern(when.day)}`, { timezone: 'UTC', mode: '5-part' }).nextRun(
    new Date(day),
  )
  if (!next) throw new RangeError('a schedule without an end has no next day')
  return slotOn(when, zone, utcDay(next), now)
}

/** The slot on a day. Where that is over in the zone already it is due at once: no day is left out for a change of zone. */
export function slotOn({ time }: When, zone: Zone, day: LocalDay, now: Date): Slot {
  const before = new Date(startOfDay(zone, day).getTime() - 1)
  const at = nextDue({ day: everyDay, time }, zone, before)
  return { day, at: at > now ? at : now }
}

/**
 * When the next post is expected. For billing dates: on the one that the service named last, where that is ahead; otherwise
 * when the schedule is due, to ask for it.
 */
export function expectedAt(schedule: When & Pick<Schedule, 'billingDay' | 'due'>, zone: Zone): Date {
  const { day, billingDay, due } = schedule
  const known = day.kind === 'billing-date' ? parseDay(billingDay ?? '') : undefined
  return known === undefined ? new Date(due) : slotOn(schedule, zone, known, new Date(due)).at
}

/** The latest slot that is due at `now`, from the planned one on: after a time down there may have been several. */
export function latestSlot(schedule: Schedule, zone: Zone, now: Date): Slot {
  let slot: Slot = { day: schedule.dueDay, at: new Date(schedule.due) }
  for (let next = slot; next.at <= now; next = slotAfter(schedule, zone, next.at, next.day)) slot = next
  return slot
}
