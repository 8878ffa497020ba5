import { countNoun, formatNumber } from '../util/text.ts'
import { dayMs, hourMs, type Milliseconds, minuteMs, type Seconds } from '../util/units.ts'
import { pad2 } from './days.ts'

export const MAX_LENGTH_SECONDS: Seconds = 24 * 60 * 60

const CLOCK = /^(?:(\d{1,2}):)?(\d{1,4}):([0-5]\d)$/
const WITH_UNITS =
  /^(?:(\d{1,2}) ?(?:h|hrs?|hours?))? ?(?:(\d{1,4}) ?(?:m|mins?|minutes?))? ?(?:(\d{1,5}) ?(?:s|secs?|seconds?))?$/

/** Reads `5m`, `90s`, `1h 30m`, `5 minutes`, `1:30` (minutes and seconds) and `1:02:30`, up to a day. */
export function parseLength(text: string): Seconds | undefined {
  const lower = text.trim().toLowerCase()
  const match = CLOCK.exec(lower) ?? WITH_UNITS.exec(lower)
  if (!match) return undefined
  const [, hours = '0', minutes = '0', seconds = '0'] = match
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  if (total === 0 || total > MAX_LENGTH_SECONDS) return undefined
  return total
}

function splitLength(length: Seconds, toText: (count: number, unit: string) => string): readonly string[] {
  const counts = {
    hour: Math.floor(length / 3600),
    minute: Math.floor(length / 60) % 60,
    second: length % 60,
  }
  const parts: string[] = []
  for (const [unit, count] of Object.entries(counts)) if (count > 0) parts.push(toText(count, unit))
  return parts
}

/** `1h30m`, `5m`; `parseLength` reads it. */
export const writeLength = (length: Seconds): string =>
  splitLength(length, (count, unit) => `${count}${unit.charAt(0)}`).join('')

/** `5 minutes`, `1 hour 30 minutes` */
export const formatLength = (length: Seconds): string => splitLength(length, countNoun).join(' ')

/** `less than a minute`, `18 min`, `3 h 12 min`, `2 d 4 h` */
export function durationText(ms: Milliseconds): string {
  const days = Math.floor(ms / dayMs)
  const hours = Math.floor(ms / hourMs) % 24
  const minutes = Math.floor(ms / minuteMs) % 60
  const parts: string[] = []
  if (days > 0) parts.push(`${days} d`)
  if (hours > 0) parts.push(`${hours} h`)
  if (minutes > 0 && days === 0) parts.push(`${minutes} min`)
  return parts.join(' ') || 'less than a minute'
}

/** `1:28`, `2:15:20`, `1,203:00:07` */
export function formatAsClock(seconds: Seconds): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = pad2(seconds % 60)
  if (hours > 0) return `${formatNumber(hours)}:${pad2(minutes)}:${rest}`
  return `${minutes}:${rest}`
}
