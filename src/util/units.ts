/** An instant, in milliseconds since 1970 began in UTC. */
export type EpochMs = number

export type Milliseconds = number
