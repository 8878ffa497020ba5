import type { AlertHours } from '../store/alerts.ts'
import { addDays, weekdayOf } from '../time/days.ts'
import type { LocalDay, Zone } from '../time/types.ts'
import { localDay, offsetAt, startOfDay, wallTime } from '../time/zones.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

const minuteMs: Milliseconds = 60_000

/**
 * The instant at which clocks in the zone show a time on a day; where they skip it, the first one after; where they show it
 * twice, the first one.
 */
function instantOn(zone: Zone, day: LocalDay, time: string): EpochMs {
  const start = startOfDay(zone, day).getTime()
  const wanted = `${day} ${time}:00`
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const guess = start + (hours * 60 + minutes) * minuteMs
  const isPlain = offsetAt(zone, new Date(start)) === offsetAt(zone, new Date(guess))
  if (isPlain && wallTime(zone, new Date(guess)) === wanted) return guess
  // A change of the clocks moves it by three hours at most.
  let at = Math.max(start, guess - 180 * minuteMs)
  while (wallTime(zone, new Date(at)) < wanted) at += minuteMs
  return at
}

/** The stretches that begin on the days around an instant, in order. */
function stretches({ weekdays, from, to }: AlertHours, zone: Zone, now: EpochMs) {
  const today = localDay(zone, new Date(now))
  return Array.from({ length: 10 }, (_, index) => addDays(today, index - 1))
    .filter((day) => weekdays.includes(weekdayOf(day) + 1))
    .map((day) => {
      const lastDay = to > from ? day : addDays(day, 1)
      return { from: instantOn(zone, day, from), to: instantOn(zone, lastDay, to) }
    })
}

export const areOpen = (hours: AlertHours | undefined, zone: Zone, now: EpochMs): boolean =>
  hours === undefined || stretches(hours, zone, now).some(({ from, to }) => from <= now && now < to)

export function nextOpening(hours: AlertHours, zone: Zone, now: EpochMs): EpochMs {
  const next = stretches(hours, zone, now).find(({ from }) => from > now)
  if (!next) throw new RangeError('hours that never begin')
  return next.from
}

const dayMs: Milliseconds = 24 * 60 * minuteMs

/**
 * When a call is too old to be posted: a day after it could have been, and not as long as it waits for the hours to begin.
 */
export function tooOldAt(hours: AlertHours | undefined, zone: Zone, at: EpochMs): EpochMs {
  const limit = at + dayMs
  if (!hours) return limit
  if (!areOpen(hours, zone, at)) return nextOpening(hours, zone, at) + dayMs
  return areOpen(hours, zone, limit) ? limit : nextOpening(hours, zone, limit) + 60 * minuteMs
}
