import { dayMs } from '../../src/util/units.ts'

export interface OracleChange {
  /** First instant with the new offset, in milliseconds. */
  readonly at: number
  readonly before: string
  readonly after: string
}

/** Computes a zone's offsets from `Intl` alone, slower than and independent of src/time. */
export interface Oracle {
  offset(instant: number): string
  wall(instant: number): string
  changes(from: number, to: number): readonly OracleChange[]
}

export function createOracle(name: string): Oracle {
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const clocks = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' })
  const offset = (instant: number) => offsets.format(instant).split('GMT')[1] || '+00:00'
  return { offset, wall: (instant) => clocks.format(instant), changes: (from, to) => scan(offset, from, to) }
}

// Six days: see PROBE_INTERVAL_MS in src/time/zones.ts.
function scan(offset: Oracle['offset'], from: number, to: number): readonly OracleChange[] {
  const changes: OracleChange[] = []
  let before = offset(from)
  for (let low = from; low < to; low += 6 * dayMs) {
    const high = Math.min(low + 6 * dayMs, to)
    const after = offset(high)
    if (after === before) continue
    changes.push({ at: bisect((instant) => offset(instant) === after, low, high), before, after })
    before = after
  }
  return changes
}

/** Returns the first whole second in `(low, high]` for which `isOver` is true. */
function bisect(isOver: (instant: number) => boolean, low: number, high: number): number {
  let [no, yes] = [low / 1000, high / 1000]
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2)
    if (isOver(middle * 1000)) yes = middle
    else no = middle
  }
  return yes * 1000
}
