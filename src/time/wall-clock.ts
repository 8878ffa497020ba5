import type { Milliseconds } from '../util/units.ts'
import type { UtcOffset } from './types.ts'

/** Minutes east of UTC. */
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
  const two = (n: number) => String(n).padStart(2, '0')
  return utcOffset(`${minutes < 0 && whole > 0 ? '-' : '+'}${two(Math.trunc(whole / 60))}:${two(whole % 60)}`)
}

export interface WallClockTime {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** The instant at which a clock with this offset shows this time; `undefined` for a time that no clock shows (30 February, 25:00). */
export function instantOf(wall: WallClockTime, offset: UtcOffset): Date | undefined {
  const ms = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second)
  const back = new Date(ms)
  const isReal =
    back.getUTCFullYear() === wall.year &&
    back.getUTCMonth() === wall.month - 1 &&
    back.getUTCDate() === wall.day &&
    back.getUTCHours() === wall.hour &&
    back.getUTCMinutes() === wall.minute &&
    back.getUTCSeconds() === wall.second
  return isReal ? new Date(ms - offsetMinutes(offset) * MINUTE) : undefined
}
