import type { Milliseconds } from '../util/units.ts'

const minuteMs: Milliseconds = 60_000

/** How long something took, to the minute: `less than a minute`, `18 min`, `3 h 12 min`, `2 d 4 h`. */
export function durationText(ms: Milliseconds): string {
  const minutes = Math.floor(ms / minuteMs)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (minutes < 1) return 'less than a minute'
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`
  return `${rest} min`
}
