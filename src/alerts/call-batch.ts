import { MOST_ALERT_ROWS } from '../store/alerts.ts'
import type { CallBatch, CallHour, MissedCall } from '../store/missed-calls.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

const hourMs: Milliseconds = 3_600_000

/** The newest first; of two at the same time, always the same one. */
const newestFirst = (one: MissedCall, other: MissedCall): number =>
  other.at - one.at || (one.id < other.id ? -1 : 1)

/** The latest of the calls, as many as a message lists. */
export const latestOf = (calls: readonly MissedCall[]): MissedCall[] =>
  [...calls].sort(newestFirst).slice(0, MOST_ALERT_ROWS)

const hoursInOrder = (one: CallHour, other: CallHour) =>
  one.hour - other.hour || Number(one.isOutside ?? false) - Number(other.isOutside ?? false)

const keyOf = ({ hour, isOutside = false }: CallHour) => `${hour} ${isOutside}`

function mergeHours(all: readonly CallHour[]): CallHour[] {
  const merged = new Map<string, CallHour>()
  for (const one of all) {
    const own = merged.get(keyOf(one))
    const count = one.count + (own?.count ?? 0)
    merged.set(keyOf(one), { ...one, count, firstAt: Math.min(one.firstAt, own?.firstAt ?? one.firstAt) })
  }
  return [...merged.values()].sort(hoursInOrder)
}

/**
 * The calls as a batch; `undefined` for none.
 * @param isOutside whether that instant is outside of the alert's hours
 */
export function batchOf(
  calls: readonly MissedCall[],
  isOutside: (at: EpochMs) => boolean = () => false,
): CallBatch | undefined {
  if (calls.length === 0) return undefined
  const each = calls.map(({ at }): CallHour => {
    const hour = Math.floor(at / hourMs) * hourMs
    return { hour, count: 1, firstAt: at, ...(isOutside(at) ? { isOutside: true } : {}) }
  })
  return { calls: latestOf(calls), hours: mergeHours(each) }
}

export function mergeBatches(one: CallBatch | undefined, other: CallBatch | undefined) {
  if (!one || !other) return one ?? other
  return {
    calls: latestOf([...one.calls, ...other.calls]),
    hours: mergeHours([...one.hours, ...other.hours]),
  }
}

export const countOf = ({ hours }: CallBatch): number => hours.reduce((sum, { count }) => sum + count, 0)

/** When the earliest of them was. */
export const firstOf = ({ hours }: CallBatch): EpochMs => Math.min(...hours.map(({ firstAt }) => firstAt))

/**
 * Without what is too old, by whole hours: of an hour of which some is not, all of it stays.
 * @returns what is left, and how many were left out
 */
export function without(
  batch: CallBatch,
  isTooOld: (hour: CallHour) => boolean,
): { readonly left: CallBatch | undefined; readonly tooOld: number } {
  const kept = new Set(batch.hours.filter((hour) => !isTooOld(hour)).map(({ hour }) => hour))
  const hours = batch.hours.filter(({ hour }) => kept.has(hour))
  const tooOld = countOf(batch) - countOf({ calls: [], hours })
  if (tooOld === 0) return { left: batch, tooOld }
  const calls = batch.calls.filter(({ at }) => hours.some(({ hour }) => at >= hour && at < hour + hourMs))
  return { left: hours.length === 0 ? undefined : { calls, hours }, tooOld }
}
