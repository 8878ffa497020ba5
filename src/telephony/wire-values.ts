import { parseDay } from '../time/days.ts'
import { instantOf } from '../time/offsets.ts'
import type { LocalDay, UtcOffset } from '../time/types.ts'
import type { CallStatus, Raw } from './types.ts'

/**
 * The wire is lenient value by value: what can't be understood is kept as it came, so that one odd value never costs a
 * page. Every function here takes whatever JSON holds, and none throws.
 */
const maxLength = 200

/** The value itself, for what is used rather than displayed: cutting would break it. Empty for what is no text or number. */
export function exactText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function stringify(value: unknown): string {
  if (typeof value !== 'object' || value === null) return exactText(value)
  try {
    return JSON.stringify(value)
  } catch {
    // Nested deeper than the stack: nobody would read it anyway.
    return Array.isArray(value) ? '[…]' : '{…}'
  }
}

/** As text for people: cut to a sane length, whole characters only. */
export function displayText(value: unknown): string {
  const text = stringify(value)
  const short =
    text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…` : text
  return short.toWellFormed()
}

export const raw = (value: unknown): Raw => ({ raw: displayText(value) })

/** `YYYY-MM-DD hh:mm:ss AM|PM`, on a clock with the offset of the request's `timezone`. */
export function parseDateTime(value: unknown, offset: UtcOffset): Date | Raw {
  const match = /^(\d{4})-(\d\d)-(\d\d) (0[1-9]|1[0-2]):([0-5]\d):([0-5]\d) ([AP])M$/i.exec(exactText(value))
  if (!match) return raw(value)
  const [, year, month, day, hours, minute, second, half] = match
  // 12 AM is midnight, 12 PM noon.
  const hour = (Number(hours) % 12) + (half === 'P' || half === 'p' ? 12 : 0)
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour,
    minute: Number(minute),
    second: Number(second),
  }
  return instantOf(wall, offset) ?? raw(value)
}

/** Seconds from `HH:MM:SS`; hours may have more than two digits. */
export function parseDuration(value: unknown): number | Raw {
  const match = /^(\d{2,6}):([0-5]\d):([0-5]\d)$/.exec(exactText(value))
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : raw(value)
}

export function parseStatus(value: unknown): CallStatus | Raw {
  if (value === 'ANSWERED') return 'answered'
  return value === 'NOTANSWERED' ? 'missed' : raw(value)
}

/** Kept to the letter: a decimal that went through a float may come back as another. */
export function parseCost(value: unknown): string | Raw {
  const text = exactText(value)
  return /^-?\d{1,30}(\.\d{1,30})?$/.test(text) ? text : raw(value)
}

export function parseFlag(value: unknown): boolean | Raw {
  if (value === 'enabled') return true
  return value === 'disabled' ? false : raw(value)
}

/** `YYYY-MM-DD`. */
export const parseDate = (value: unknown): LocalDay | Raw => parseDay(exactText(value)) ?? raw(value)

/** `undefined` where the figure is no whole number. */
export function parseTotal(value: unknown): number | undefined {
  const text = exactText(value)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
