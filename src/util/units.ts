export type EpochMs = number

export type Milliseconds = number

export type Seconds = number

export const minuteMs: Milliseconds = 60_000
export const hourMs: Milliseconds = 60 * minuteMs
export const dayMs: Milliseconds = 24 * hourMs

/** @param failures from 1 */
export const backoff = (
  failures: number,
  { firstMs, maxMs }: { firstMs: Milliseconds; maxMs: Milliseconds },
): Milliseconds => Math.min(firstMs * 2 ** (failures - 1), maxMs)
