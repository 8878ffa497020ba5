import { Cron } from 'croner'
import { type LocalDay, utcDay } from '../../time/days.ts'
import { localDay, startOfDay, type Zone } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import { allRhythms, type Schedule, type Slot } from './schedule.ts'

type Timing = Pick<Schedule, 'rhythm' | 'time'>

function findCronTime(time: string, dayFields: string, timezone: Zone | 'UTC', after: Date): Date {
  const [hour, minute] = time.split(':').map(Number)
  const next = new Cron(`${minute} ${hour} ${dayFields}`, { timezone, mode: '5-part' }).nextRun(after)
  if (!next) throw new RangeError('a rhythm has no next time')
  return next
}

/**
 * Returns the first slot after the instant. If a clock change skips the time, the slot is when the clocks change; if the
 * time comes twice, the first one counts. @param postedDay slots of this and earlier days don't count
 */
export function findNextSlot(timing: Timing, zone: Zone, after: EpochMs, postedDay?: LocalDay): Slot {
  const at = findCronTime(timing.time, allRhythms[timing.rhythm].dayFields, zone, new Date(after))
  const day = localDay(zone, at)
  if (postedDay !== undefined && day <= postedDay) return findSlotAfterDay(timing, zone, postedDay, after)
  return { day, at: at.getTime() }
}

/** Returns the slot on the first day of the rhythm after `day`. @param earliest as for `findSlotOnDay` */
export function findSlotAfterDay(timing: Timing, zone: Zone, day: LocalDay, earliest: EpochMs): Slot {
  // Days are counted in UTC, where each begins at midnight.
  const nextDay = findCronTime('00:00', allRhythms[timing.rhythm].dayFields, 'UTC', new Date(day))
  return findSlotOnDay(timing, zone, utcDay(nextDay), earliest)
}

/** @param earliest counts if the time is already over on that day, as after a change of zone: no day is left out */
export function findSlotOnDay({ time }: Timing, zone: Zone, day: LocalDay, earliest: EpochMs): Slot {
  // Cron finds only later times, and the slot may be the day's first instant.
  const justBefore = new Date(startOfDay(zone, day).getTime() - 1)
  const at = findCronTime(time, allRhythms.daily.dayFields, zone, justBefore)
  return { day, at: Math.max(earliest, at.getTime()) }
}

/** Returns undefined while nothing is to be posted. */
export function planSlot(schedule: Schedule, zone: Zone, now: EpochMs): Slot | undefined {
  const { muted, stopped, postedDay } = schedule
  const isMutedForever = muted !== undefined && muted.until === undefined
  if (stopped || isMutedForever) return undefined
  const mutedUntil = muted?.until ?? now
  return findNextSlot(schedule, zone, Math.max(now, mutedUntil), postedDay)
}

/** Returns the latest slot that is due: after downtime there may be several. @param planned the first of them */
export function findLatestDueSlot(timing: Timing, planned: Slot, zone: Zone, now: EpochMs): Slot {
  let latest = planned
  let next = findSlotAfterDay(timing, zone, planned.day, planned.at)
  while (next.at <= now) {
    latest = next
    next = findSlotAfterDay(timing, zone, latest.day, latest.at)
  }
  return latest
}
