import { countNoun } from '../util/text.ts'
import type { Seconds } from '../util/units.ts'

export const MAX_LENGTH_SECONDS: Seconds = 24 * 60 * 60

const CLOCK = /^(?:(\d{1,2}):)?(\d{1,4}):([0-5]\d)$/
const WITH_UNITS =
  /^(?:(\d{1,2}) ?(?:h|hrs?|hours?))? ?(?:(\d{1,4}) ?(?:m|mins?|minutes?))? ?(?:(\d{1,5}) ?(?:s|secs?|seconds?))?$/

/** Reads `5m`, `90s`, `1h 30m`, `5 minutes`, `1:30` (minutes and seconds) and `1:02:30`, up to a day. */
export function parseLength(text: string): Seconds | undefined {
  const lower = text.trim().toLowerCase()
  const match = CLOCK.exec(lower) ?? WITH_UNITS.exec(lower)
  const [, hours = '0', minutes = '0', seconds = '0'] = match ?? []
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return total > 0 && total <= MAX_LENGTH_SECONDS ? total : undefined
}

function splitLength(length: Seconds) {
  return { hours: Math.floor(length / 3600), minutes: Math.floor(length / 60) % 60, seconds: length % 60 }
}

/** `1h30m`, `5m`, `90s`; `parseLength` reads it. */
export function writeLength(length: Seconds): string {
  if (length < 120 && length % 60 > 0) return `${length}s`
  const { hours, minutes, seconds } = splitLength(length)
  const parts: string[] = []
  if (hours > 0) parts.push(`${hours}h`)
  if (minutes > 0) parts.push(`${minutes}m`)
  if (seconds > 0) parts.push(`${seconds}s`)
  return parts.join('')
}

/** `5 minutes`, `1 hour 30 minutes` */
export function formatLength(length: Seconds): string {
  const { hours, minutes, seconds } = splitLength(length)
  const parts: string[] = []
  if (hours > 0) parts.push(countNoun(hours, 'hour'))
  if (minutes > 0) parts.push(countNoun(minutes, 'minute'))
  if (seconds > 0) parts.push(countNoun(seconds, 'second'))
  return parts.join(' ')
}
