import { tzOffset } from '@date-fns/tz/tzOffset'
// The one that needs nothing of date-fns: formatInTimeZone loads 300 of its modules, 16 MB.
import { toZonedTime } from 'date-fns-tz/toZonedTime'
import { BoundedMap } from '../util/bounded-map.ts'
import { dayMs, type EpochMs, type Milliseconds } from '../util/units.ts'
import { two } from './days.ts'
import type { UtcOffset, Zone } from './types.ts'

export function offsetMinutes(offset: UtcOffset): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return offset.startsWith('-') ? -minutes : minutes
}

export const MINUTE: Milliseconds = 60_000

export const isUtcOffset = (text: string): text is UtcOffset => /^[+-]\d\d:[0-5]\d$/.test(text)

/** `±HH:MM` as it stands. @throws {RangeError} for anything else */
export function utcOffset(text: string): UtcOffset {
  if (!isUtcOffset(text)) throw new RangeError('not an offset of the form ±HH:MM')
  return text
}

/** Minutes east of UTC to `±HH:MM`; seconds, which offsets had before standard time, are cut off. */
export function toUtcOffset(minutes: number): UtcOffset {
  const whole = Math.trunc(Math.abs(minutes))
  return utcOffset(`${minutes < 0 && whole > 0 ? '-' : '+'}${two(Math.trunc(whole / 60))}:${two(whole % 60)}`)
}

/** `undefined` for a time that no clock shows (30 February, 25:00). @param wall `2026-11-05T14:03:22` */
export function instantOf(wall: string, offset: UtcOffset): Date | undefined {
  const ms = Date.parse(`${wall}Z`)
  // `Date` rolls 31 April over to 1 May.
  const isReal = new Date(ms).getUTCDate() === Number(wall.slice(8, 10))
  return isReal ? new Date(ms - offsetMinutes(offset) * MINUTE) : undefined
}

/** A stretch of time through which a zone keeps one offset: from `start` up to the start of the next span. */
interface Span {
  readonly start: EpochMs
  readonly offset: UtcOffset
  readonly offsetMs: Milliseconds
}

const SECOND: Milliseconds = 1000
// No zone has changed its offset twice within 6.9 days since 1950, and no rule for the years to
// come does so (Gaza, October 2040), so probes 6 days apart see every change.
const STEP = 6 * dayMs
const BLOCK = 16 * STEP

// Spans never change while the process lives, so they are kept by zone and block of 96 days. A
// lookup is then 0.3 µs rather than the 25 µs of asking the library. About 300 bytes each.
type Block = readonly [Span, ...Span[]]
const blocks = new BoundedMap<Block>({ max: 2048 })
// Most lookups are for the block that the one before was for.
let latest: { readonly zone: Zone; readonly index: number; readonly spans: Block } | undefined

export function spanAt(zone: Zone, instant: EpochMs): Span {
  if (Number.isNaN(instant)) throw new RangeError('an invalid date has no offset')
  const name: string = zone
  if (isUtcOffset(name)) return spanOf(-Infinity, name)
  const spans = block(zone, Math.floor(instant / BLOCK))
  return spans.findLast((span) => span.start <= instant) ?? spans[0]
}

/** In order: the span that `from` lies in, then each that starts in `(from, to]` with another offset than before. */
export function spansBetween(zone: Zone, from: EpochMs, to: EpochMs): readonly [Span, ...Span[]] {
  const spans: [Span, ...Span[]] = [spanAt(zone, from)]
  if (isUtcOffset(zone)) return spans
  for (let index = Math.floor(from / BLOCK); index * BLOCK <= to; index++) {
    for (const span of block(zone, index)) {
      const isChange = span.offset !== spans.at(-1)?.offset
      if (isChange && span.start > from && span.start <= to) spans.push(span)
    }
  }
  return spans
}

function block(zone: Zone, index: number): Block {
  if (latest?.zone === zone && latest.index === index) return latest.spans
  const key = `${zone} ${index}`
  let spans = blocks.get(key)
  if (!spans) {
    spans = readBlock(zone, index * BLOCK)
    blocks.set(key, spans)
  }
  latest = { zone, index, spans }
  return spans
}

function readBlock(zone: Zone, start: EpochMs): Block {
  const spans: [Span, ...Span[]] = [spanOf(start, offsetText(zone, start))]
  let before = minutesAt(zone, start)
  for (let probe = start + STEP; probe <= start + BLOCK; probe += STEP) {
    const after = minutesAt(zone, probe)
    if (after === before) continue
    before = after
    const change = firstSecond(probe - STEP, probe, (instant) => minutesAt(zone, instant) === after)
    spans.push(spanOf(change, offsetText(zone, change)))
  }
  return spans
}

/** The first whole second in `(from, to]` at which `holds`, which it does from there to `to`. */
function firstSecond(from: EpochMs, to: EpochMs, holds: (instant: EpochMs) => boolean): EpochMs {
  let [no, yes] = [from / SECOND, to / SECOND]
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2)
    if (holds(middle * SECOND)) yes = middle
    else no = middle
  }
  return yes * SECOND
}

const minutesAt = (zone: Zone, instant: EpochMs): number => tzOffset(zone, new Date(instant))

/** Offsets that hold seconds, all of them before 1972, lose these: the service knows `±HH:MM` alone. */
function offsetText(zone: Zone, instant: EpochMs): UtcOffset {
  // What a clock in the zone shows is what this date's own getters answer: not those for UTC, whose answers are the host's.
  const local = toZonedTime(new Date(instant), zone)
  const date = [local.getFullYear(), local.getMonth(), local.getDate()] as const
  const shown = Date.UTC(...date, local.getHours(), local.getMinutes(), local.getSeconds())
  if (Number.isNaN(shown)) throw new RangeError(`no offset in the time zone ${zone}`)
  return toUtcOffset((shown - Math.floor(instant / SECOND) * SECOND) / MINUTE)
}

const spanOf = (start: EpochMs, offset: UtcOffset): Span => ({
  start,
  offset,
  offsetMs: offsetMinutes(offset) * MINUTE,
})
