import { tzOffset } from '@date-fns/tz/tzOffset'
// formatInTimeZone would load 300 modules of date-fns and 16 MB.
import { toZonedTime } from 'date-fns-tz/toZonedTime'
import { createCache } from '../util/cache.ts'
import { dayMs, type EpochMs, type Milliseconds, minuteMs } from '../util/units.ts'
import { pad2 } from './days.ts'
import type { UtcOffset, Zone } from './types.ts'

const SECOND: Milliseconds = 1000
// No zone has changed its offset twice within 6.9 days since 1950, and no rule for the years to come does so (Gaza,
// October 2040), so probes 6 days apart see every change.
const PROBE_INTERVAL = 6 * dayMs

export function offsetMinutes(offset: UtcOffset): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}

export const isUtcOffset = (text: string): text is UtcOffset => /^[+-]\d\d:[0-5]\d$/.test(text)

/** @throws {RangeError} unless the text is `±HH:MM` */
export function utcOffset(text: string): UtcOffset {
  if (!isUtcOffset(text)) throw new RangeError('not an offset of the form ±HH:MM')
  return text
}

/** Formats minutes east of UTC as `±HH:MM`. Cuts off seconds, which offsets had before standard time. */
export function toUtcOffset(minutes: number): UtcOffset {
  const whole = Math.trunc(Math.abs(minutes))
  return utcOffset(
    `${minutes < 0 && whole > 0 ? '-' : '+'}${pad2(Math.trunc(whole / 60))}:${pad2(whole % 60)}`,
  )
}

/** Returns `undefined` for a time that no clock shows (30 February, 25:00). @param wall `2026-11-05T14:03:22` */
export function toInstant(wall: string, offset: UtcOffset): Date | undefined {
  const ms = Date.parse(`${wall}Z`)
  // `Date` turns 31 April into 1 May.
  const isReal = new Date(ms).getUTCDate() === Number(wall.slice(8, 10))
  return isReal ? new Date(ms - offsetMinutes(offset) * minuteMs) : undefined
}

interface Offset {
  readonly minutes: number
  readonly text: UtcOffset
}

// Offsets of whole probe intervals in which a zone's clocks don't change. A command is 15 % slower without them.
const intervals = createCache<Offset>({ max: 2000 })
/** The interval of the last call: most calls of a list lie in the same one. */
let latest: { readonly zone: Zone; readonly index: number; readonly offset: Offset } | undefined

/** Returns the zone's offset, without its seconds. @throws {RangeError} for an invalid date */
export function getOffset(zone: Zone, instant: EpochMs): Offset {
  if (Number.isNaN(instant)) throw new RangeError('an invalid date has no offset')
  if (isUtcOffset(zone)) return { minutes: offsetMinutes(zone), text: zone }
  const index = Math.floor(instant / PROBE_INTERVAL)
  if (latest?.index === index && latest.zone === zone) return latest.offset
  const key = `${zone} ${index}`
  const cached = intervals.get(key)
  const offset = cached ?? readOffset(zone, instant)
  const [start, end] = [index * PROBE_INTERVAL, (index + 1) * PROBE_INTERVAL]
  if (!cached && readMinutes(zone, start) !== readMinutes(zone, end)) return offset
  intervals.set(key, offset)
  latest = { zone, index, offset }
  return offset
}

const readMinutes = (zone: Zone, instant: EpochMs) => Math.trunc(tzOffset(zone, new Date(instant)))

function readOffset(zone: Zone, instant: EpochMs): Offset {
  // These getters return the wall time in the zone; the getters for UTC depend on the host's zone.
  const local = toZonedTime(new Date(instant), zone)
  const day = [local.getFullYear(), local.getMonth(), local.getDate()] as const
  const wall = Date.UTC(...day, local.getHours(), local.getMinutes(), local.getSeconds())
  const text = toUtcOffset((wall - Math.floor(instant / SECOND) * SECOND) / minuteMs)
  return { minutes: readMinutes(zone, instant), text }
}

/** Returns the zone's offset in whole minutes. @throws {RangeError} for an invalid date */
export const minutesAt = (zone: Zone, instant: EpochMs): number => getOffset(zone, instant).minutes

/** Returns the instants in `(from, to]` at which the zone's offset changes, in order. */
export function findChanges(zone: Zone, from: EpochMs, to: EpochMs): readonly EpochMs[] {
  if (isUtcOffset(zone)) return []
  const changes: EpochMs[] = []
  for (let low = from; low < to; low += PROBE_INTERVAL) {
    const high = Math.min(low + PROBE_INTERVAL, to)
    const after = minutesAt(zone, high)
    if (after !== minutesAt(zone, low)) changes.push(firstSecond(zone, after, low, high))
  }
  return changes
}

/** Finds the first whole second in `(low, high]` with this offset, by bisection. */
function firstSecond(zone: Zone, minutes: number, low: EpochMs, high: EpochMs): EpochMs {
  let [before, after] = [Math.floor(low / SECOND), Math.ceil(high / SECOND)]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (minutesAt(zone, middle * SECOND) === minutes) after = middle
    else before = middle
  }
  return after * SECOND
}
