export type EpochMs = number
export type Milliseconds = number
export type Seconds = number

export const minuteMs: Milliseconds = 60_000
export const hourMs: Milliseconds = 60 * minuteMs
export const dayMs: Milliseconds = 24 * hourMs

/** Limits a wait that another program asks for: some send an instant instead of seconds. */
export const limitWait = (ms: Milliseconds): Milliseconds => Math.min(Math.max(0, ms), hourMs)

/** @param failures from 1 */
export const backoff = (
  failures: number,
  { firstMs, maxMs }: { firstMs: Milliseconds; maxMs: Milliseconds },
): Milliseconds => Math.min(firstMs * 2 ** (failures - 1), maxMs)
