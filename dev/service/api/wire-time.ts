import { minuteMs } from '../../../src/util/units.ts'

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'))

function twoDigits(value: number): string {
  return TWO_DIGITS[value] ?? String(value)
}

/** Returns minutes east of UTC, or `undefined` if the text isn't exactly `±HH:MM`. */
export function parseOffset(text: string): number | undefined {
  const match = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (!match) return undefined
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return match[1] === '-' ? -minutes : minutes
}

/** Returns midnight in UTC of an existing day in the form `DD-MM-YYYY`, in milliseconds. */
export function parseDate(text: string): number | undefined {
  const match = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text)
  if (!match) return undefined
  const date = new Date(Date.UTC(Number(match[3]), Number(match[2]) - 1, Number(match[1])))
  // Date turns 31-02 into a day of March, so the result must equal the text.
  return date.toISOString().startsWith(`${match[3]}-${match[2]}-${match[1]}`) ? date.getTime() : undefined
}

export function startOfDayAt(midnightUtc: number, offsetMinutes: number): number {
  return midnightUtc - offsetMinutes * minuteMs
}

/** Returns `YYYY-MM-DD hh:mm:ss AM|PM` at an offset; midnight is 12 AM, noon 12 PM. */
export function formatTime(at: Date, offsetMinutes: number): string {
  const local = new Date(at.getTime() + offsetMinutes * minuteMs)
  const hours = local.getUTCHours()
  const day = `${local.getUTCFullYear()}-${twoDigits(local.getUTCMonth() + 1)}-${twoDigits(local.getUTCDate())}`
  const time = `${twoDigits(hours % 12 || 12)}:${twoDigits(local.getUTCMinutes())}:${twoDigits(local.getUTCSeconds())}`
  return `${day} ${time} ${hours < 12 ? 'AM' : 'PM'}`
}

export function formatDuration(seconds: number): string {
  return `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}
