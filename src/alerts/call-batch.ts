import { type CallBatch, type MissedCall, MOST_ALERT_ROWS } from '../store/alerts.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

const hourMs: Milliseconds = 3_600_000

/** The newest first; of two at the same time, always the same one. */
const newestFirst = (one: MissedCall, other: MissedCall): number =>
  other.at - one.at || (one.id < other.id ? -1 : 1)

/** The latest of the calls, as many as a message lists. */
export const latestOf = (calls: readonly MissedCall[]): MissedCall[] =>
  [...calls].sort(newestFirst).slice(0, MOST_ALERT_ROWS)

/** The calls as a batch; `undefined` for none. */
export function batchOf(calls: readonly MissedCall[]): CallBatch | undefined {
  if (calls.length === 0) return undefined
  const byHour = Map.groupBy(calls, ({ at }) => Math.floor(at / hourMs) * hourMs)
  const hours = [...byHour].map(([hour, own]) => ({
    hour,
    count: own.length,
    firstAt: Math.min(...own.map(({ at }) => at)),
  }))
  return { calls: latestOf(calls), hours: hours.sort((one, other) => one.hour - other.hour) }
}

export function mergeBatches(one: CallBatch | undefined, other: CallBatch | undefined) {
  if (!one || !other) return one ?? other
  const hours = new Map(one.hours.map((hour) => [hour.hour, hour]))
  for (const { hour, count, firstAt } of other.hours) {
    const own = hours.get(hour)
    const merged = {
      hour,
      count: count + (own?.count ?? 0),
      firstAt: Math.min(firstAt, own?.firstAt ?? firstAt),
    }
    hours.set(hour, merged)
  }
  return {
    calls: latestOf([...one.calls, ...other.calls]),
    hours: [...hours.values()].sort((a, b) => a.hour - b.hour),
  }
}

export const countOf = ({ hours }: CallBatch): number => hours.reduce((sum, { count }) => sum + count, 0)

/** When the earliest of them was. */
export const firstOf = ({ hours }: CallBatch): EpochMs => Math.min(...hours.map(({ firstAt }) => firstAt))

/**
 * Without what was missed before an instant, to the hour: of an hour that is not over by then, all of it stays.
 * @returns what is left, and how many were left out
 */
export function without(
  batch: CallBatch,
  before: EpochMs,
): { readonly left: CallBatch | undefined; readonly tooOld: number } {
  const hours = batch.hours.filter(({ hour }) => hour + hourMs > before)
  const tooOld = countOf(batch) - countOf({ calls: [], hours })
  if (tooOld === 0) return { left: batch, tooOld }
  const calls = batch.calls.filter(({ at }) => hours.some(({ hour }) => at >= hour && at < hour + hourMs))
  return { left: hours.length === 0 ? undefined : { calls, hours }, tooOld }
}
