import { Cron } from 'croner'
import type { AlertHours } from '../../store/alerts.ts'
import { getWeekday } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { wallTime } from '../../time/zones.ts'
import { dayMs, type EpochMs, hourMs } from '../../util/units.ts'

export function areOpen(hours: AlertHours | undefined, zone: Zone, now: EpochMs): boolean {
  if (!hours) return true
  const { weekdays, from, to } = hours
  const [day = '', time = ''] = wallTime(zone, new Date(now)).split(' ')
  const isToday = weekdays.includes(getWeekday(day) + 1) && time >= from
  if (to > from) return isToday && time < to
  // They end on the next day.
  return isToday || (weekdays.includes(getWeekday(day) || 7) && time < to)
}

/** Returns the first instant after a time that clocks skip, and the first one of a time that comes twice. */
export function nextOpening({ weekdays, from }: AlertHours, zone: Zone, now: EpochMs): EpochMs {
  const [hour, minute] = from.split(':').map(Number)
  const pattern = `${minute} ${hour} * * ${weekdays.join(',')}`
  const next = new Cron(pattern, { timezone: zone, mode: '5-part' }).nextRun(new Date(now))
  if (!next) throw new RangeError('hours that never begin')
  return next.getTime()
}

/** Returns when a call is too old to be posted: a day after the hours first allowed it. */
export function tooOldAt(hours: AlertHours | undefined, zone: Zone, at: EpochMs): EpochMs {
  const limit = at + dayMs
  if (!hours) return limit
  if (!areOpen(hours, zone, at)) return nextOpening(hours, zone, at) + dayMs
  return areOpen(hours, zone, limit) ? limit : nextOpening(hours, zone, limit) + hourMs
}
