/** An instant, in milliseconds since 1970 began in UTC. */
export type EpochMs = number

/** A stretch of time. */
export type Milliseconds = number
