import { Cron } from 'croner'
import { type LocalDay, utcDay } from '../../time/days.ts'
import { localDay, startOfDay, type Zone } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import { allRhythms, type Schedule, type Slot } from './schedule.ts'

type Times = Pick<Schedule, 'rhythm' | 'time'>

function findCronTime(time: string, dayFields: string, timezone: Zone | 'UTC', after: Date): Date {
  const [hour, minute] = time.split(':').map(Number)
  const next = new Cron(`${minute} ${hour} ${dayFields}`, { timezone, mode: '5-part' }).nextRun(after)
  if (!next) throw new RangeError('a rhythm has no next time')
  return next
}

/**
 * If a clock change skips the time, the slot is when the clocks change; if the time comes twice, the first one counts.
 * @param postedDay slots of this and earlier days don't count
 */
export function findSlotAfter(times: Times, zone: Zone, after: EpochMs, postedDay?: LocalDay): Slot {
  const at = findCronTime(times.time, allRhythms[times.rhythm].days, zone, new Date(after))
  const day = localDay(zone, at)
  if (postedDay !== undefined && day <= postedDay) return findSlotAfterDay(times, zone, postedDay, after)
  return { day, at: at.getTime() }
}

/** Returns the slot on the first day of the rhythm after `day`. */
export function findSlotAfterDay(times: Times, zone: Zone, day: LocalDay, earliest: EpochMs): Slot {
  // Days are counted in UTC, where each begins at midnight.
  const nextDay = findCronTime('00:00', allRhythms[times.rhythm].days, 'UTC', new Date(day))
  return findSlotOn(times, zone, utcDay(nextDay), earliest)
}

/** Moves earlier times to `earliest`, so that a change of zone leaves no day out. */
export function findSlotOn({ time }: Times, zone: Zone, day: LocalDay, earliest: EpochMs): Slot {
  // The day's first instant may be the time, and only later times than the given one are found.
  const justBefore = new Date(startOfDay(zone, day).getTime() - 1)
  const at = findCronTime(time, allRhythms.daily.days, zone, justBefore)
  return { day, at: Math.max(earliest, at.getTime()) }
}

/** Returns undefined while nothing is to be posted. */
export function planSlot(schedule: Schedule, zone: Zone, now: EpochMs): Slot | undefined {
  const { muted, stopped, postedDay } = schedule
  const isMutedForever = muted !== undefined && muted.until === undefined
  if (stopped || isMutedForever) return undefined
  return findSlotAfter(schedule, zone, Math.max(now, muted?.until ?? now), postedDay)
}

/** Returns the latest slot that is due: after downtime there may be several. */
export function findLatestDueSlot(times: Times, planned: Slot, zone: Zone, now: EpochMs): Slot {
  let latest = planned
  let next = findSlotAfterDay(times, zone, planned.day, planned.at)
  while (next.at <= now) {
    latest = next
    next = findSlotAfterDay(times, zone, latest.day, latest.at)
  }
  return latest
}
