import { Cron } from 'croner'
import { isMuted } from '../../store/alerts.ts'
import { type LocalDay, utcDay } from '../../time/days.ts'
import { localDay, startOfDay, type Zone } from '../../time/zones.ts'
import type { EpochMs } from '../../util/units.ts'
import type { Rhythm, Schedule, Slot } from './schedule.ts'

type Times = Pick<Schedule, 'rhythm' | 'time'>

/** Only the service knows billing dates, so it is asked every day. */
const EVERY_DAY_PATTERN = '* * *'

/** The part of a cron pattern that chooses days; croner counts Sunday as 0 or 7. */
function dayPattern(rhythm: Rhythm): string {
  const [kind, which] = rhythm.split(' ')
  switch (kind) {
    case 'weekdays':
      return '* * 1-5'
    case 'weekly':
      return `* * ${which}`
    case 'monthly':
      return which === 'last' ? 'L * *' : '1 * *'
    default:
      return EVERY_DAY_PATTERN
  }
}

function nextRun(time: string, days: string, timezone: Zone | 'UTC', after: Date): Date {
  const [hour, minute] = time.split(':').map(Number)
  const next = new Cron(`${minute} ${hour} ${days}`, { timezone, mode: '5-part' }).nextRun(after)
  if (!next) throw new RangeError('a rhythm without an end has no next time')
  return next
}

/**
 * Returns the first slot after an instant. A time that a clock change skips is the first one after it, and one that comes
 * twice is the first of the two.
 * @param posted no day up to this one is planned again
 */
export function slotAfter(times: Times, zone: Zone, after: EpochMs, posted?: LocalDay): Slot {
  const at = nextRun(times.time, dayPattern(times.rhythm), zone, new Date(after))
  const day = localDay(zone, at)
  return posted === undefined || day > posted
    ? { day, at: at.getTime() }
    : nextSlot(times, zone, posted, after)
}

/** Returns the slot on the first day of the rhythm after `day`. */
export function nextSlot(times: Times, zone: Zone, day: LocalDay, now: EpochMs): Slot {
  const next = nextRun('00:00', dayPattern(times.rhythm), 'UTC', new Date(day))
  return slotOn(times, zone, utcDay(next), now)
}

/** Returns the slot on a day. If its time has passed it is due at once: a change of zone leaves no day out. */
export function slotOn({ time }: Pick<Times, 'time'>, zone: Zone, day: LocalDay, now: EpochMs): Slot {
  const before = new Date(startOfDay(zone, day).getTime() - 1)
  return { day, at: Math.max(now, nextRun(time, EVERY_DAY_PATTERN, zone, before).getTime()) }
}

/** Returns the next slot of a schedule that someone changed; undefined while nothing is to be posted. */
export function planNext(schedule: Schedule, zone: Zone, now: EpochMs): Slot | undefined {
  const { muted, stopped, postedDay } = schedule
  if (stopped || (muted && muted.until === undefined)) return undefined
  const after = isMuted(schedule, now) ? (muted?.until ?? now) : now
  return slotAfter(schedule, zone, after, postedDay)
}

/** Returns the latest slot that is due at `now`, from the planned one on: after downtime there may be several. */
export function latestSlot(times: Times, planned: Slot, zone: Zone, now: EpochMs): Slot {
  let slot = planned
  for (let next = slot; next.at <= now; next = nextSlot(times, zone, next.day, next.at)) slot = next
  return slot
}
