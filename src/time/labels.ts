import { formatNumber } from '../util/text.ts'
import { type Milliseconds, minuteMs } from '../util/units.ts'
import { type LocalDay, pad2, shortDayLabel } from './days.ts'
import { localDay, wallTime, type Zone } from './zones.ts'

/** `15 Dec, 09:00`, with the year if it isn't that of `today`. @param time `HH:MM` */
export const dayTimeLabel = (day: LocalDay, time: string, today: LocalDay): string =>
  `${shortDayLabel(day, today)}, ${time}`

const timeIn = (zone: Zone, instant: Date) => wallTime(zone, instant).slice(11, 16)

/** Formats an instant in the zone like `dayTimeLabel`. */
export const instantLabel = (zone: Zone, instant: Date, now: Date): string =>
  dayTimeLabel(localDay(zone, instant), timeIn(zone, instant), localDay(zone, now))

/** `09:00` today; otherwise like `instantLabel`. */
export const recentLabel = (zone: Zone, instant: Date, now: Date): string =>
  localDay(zone, instant) === localDay(zone, now) ? timeIn(zone, instant) : instantLabel(zone, instant, now)

/** Formats a duration to the minute: `less than a minute`, `18 min`, `3 h 12 min`, `2 d 4 h`. */
export function durationText(ms: Milliseconds): string {
  const minutes = Math.floor(ms / minuteMs)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (minutes < 1) return 'less than a minute'
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`
  return `${rest} min`
}

/** Formats the length of calls: `1:28`, `2:15:20`, `1,203:00:07`. */
export function lengthText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return hours > 0 ? `${formatNumber(hours)}:${pad2(minutes)}:${pad2(rest)}` : `${minutes}:${pad2(rest)}`
}
