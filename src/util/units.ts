/** An instant, in milliseconds since 1970 began in UTC. */
export type EpochMs = number

export type Milliseconds = number

export const minuteMs: Milliseconds = 60_000
export const hourMs: Milliseconds = 60 * minuteMs
export const dayMs: Milliseconds = 24 * hourMs
