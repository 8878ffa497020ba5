import type { Milliseconds } from './units.ts'

/** As people say it, rounded: `less than a minute`, `4 min`, `1 h 20 min`, `3 days`. */
export function durationText(ms: Milliseconds): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.round(hours / 24)} days`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}
