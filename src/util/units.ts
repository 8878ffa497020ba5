/** An instant, in milliseconds since 1970 began in UTC. */
export type EpochMs = number

export type Milliseconds = number

export const minuteMs: Milliseconds = 60_000
export const hourMs: Milliseconds = 60 * minuteMs
export const dayMs: Milliseconds = 24 * hourMs

/** How long to wait after so many failures: twice as long after each one, up to the longest. @param failures from 1 */
export const backoff = (
  failures: number,
  { firstMs, longestMs }: { readonly firstMs: Milliseconds; readonly longestMs: Milliseconds },
): Milliseconds => Math.min(firstMs * 2 ** (failures - 1), longestMs)
