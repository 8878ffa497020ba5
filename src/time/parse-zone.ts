import { tzOffset } from '@date-fns/tz/tzOffset'
import type { Zone } from './types.ts'
import { isUtcOffset, toUtcOffset } from './wall-clock.ts'
import { usualSpelling } from './zone-names.ts'

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu)$/i
// '+05:30', '+0530', '-3', 'UTC+2', 'GMT -11:00'; the minus sign may be the typographic one.
const FIXED = /^(?:UTC|GMT)?\s*([+\-−])(\d{1,2})(?::?([0-5]\d))?$/i
const EAST_LIMIT = 14 * 60
const WEST_LIMIT = 12 * 60

/**
 * An IANA name in any case, in its usual spelling (`utc` -> `UTC`, `us/eastern` -> `US/Eastern`; former
 * names are kept), or a fixed offset from -12:00 to +14:00 as `±HH:MM`. Abbreviations that are no IANA
 * names are `undefined`: the runtime takes `BST` for the time of Dhaka, where most people mean London's.
 */
export function parseZone(text: string): Zone | undefined {
  const trimmed = text.trim()
  const zone = UTC.test(trimmed) ? 'UTC' : (fixedOffset(trimmed) ?? usualSpelling(trimmed))
  return zone !== undefined && isZone(zone) ? zone : undefined
}

function fixedOffset(text: string): string | undefined {
  const [, sign, hours, minutes = '0'] = FIXED.exec(text) ?? []
  if (hours === undefined) return undefined
  const total = Number(hours) * 60 + Number(minutes)
  if (sign === '+') return total <= EAST_LIMIT ? toUtcOffset(total) : undefined
  return total <= WEST_LIMIT ? toUtcOffset(-total) : undefined
}

// By name; the table of names bounds it.
const inRuntime = new Map<string, boolean>()

// A runtime may carry older zone data than the table of names.
function isZone(text: string): text is Zone {
  if (isUtcOffset(text)) return true
  const isInRuntime = inRuntime.get(text) ?? !Number.isNaN(tzOffset(text, new Date(0)))
  inRuntime.set(text, isInRuntime)
  return isInRuntime
}
