import { Cron } from 'croner'
import { type LocalDay, utcDay } from '../../time/days.ts'
import { localDay, startOfDay, type Zone } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import { allRhythms, type Schedule, type Slot } from './schedule.ts'

type Times = Pick<Schedule, 'rhythm' | 'time'>

function nextRun(time: string, dayFields: string, timezone: Zone | 'UTC', after: Date): Date {
  const [hour, minute] = time.split(':').map(Number)
  const next = new Cron(`${minute} ${hour} ${dayFields}`, { timezone, mode: '5-part' }).nextRun(after)
  if (!next) throw new RangeError('a rhythm has no next time')
  return next
}

/**
 * If a clock change skips the time, the slot is when the clocks change; if the time comes twice, the first one counts.
 * @param postedDay the slot is on a later day
 */
export function slotAfter(times: Times, zone: Zone, after: EpochMs, postedDay?: LocalDay): Slot {
  const at = nextRun(times.time, allRhythms[times.rhythm].days, zone, new Date(after))
  const day = localDay(zone, at)
  if (postedDay !== undefined && day <= postedDay) return nextSlot(times, zone, postedDay, after)
  return { day, at: at.getTime() }
}

/** Returns the slot on the first day of the rhythm after `day`. */
export function nextSlot(times: Times, zone: Zone, day: LocalDay, earliest: EpochMs): Slot {
  // In UTC, every day begins at midnight.
  const nextDay = nextRun('00:00', allRhythms[times.rhythm].days, 'UTC', new Date(day))
  return slotOn(times, zone, utcDay(nextDay), earliest)
}

/** Moves earlier times to `earliest`, so that a change of zone leaves no day out. */
export function slotOn({ time }: Pick<Times, 'time'>, zone: Zone, day: LocalDay, earliest: EpochMs): Slot {
  const before = new Date(startOfDay(zone, day).getTime() - 1)
  const at = nextRun(time, allRhythms.daily.days, zone, before).getTime()
  return { day, at: Math.max(earliest, at) }
}

/** Returns undefined while nothing is to be posted. */
export function planNext(schedule: Schedule, zone: Zone, now: EpochMs): Slot | undefined {
  const { muted, stopped, postedDay } = schedule
  if (stopped || (muted && muted.until === undefined)) return undefined
  return slotAfter(schedule, zone, Math.max(now, muted?.until ?? now), postedDay)
}

/** Returns the latest slot that is due: after downtime there may be several. */
export function latestSlot(times: Times, planned: Slot, zone: Zone, now: EpochMs): Slot {
  let latest = planned
  let next = nextSlot(times, zone, planned.day, planned.at)
  while (next.at <= now) {
    latest = next
    next = nextSlot(times, zone, latest.day, latest.at)
  }
  return latest
}
