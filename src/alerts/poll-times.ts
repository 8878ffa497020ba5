import { SHARDS } from '../store/engine/rows.ts'
import { type EpochMs, hourMs, type Milliseconds, minuteMs } from '../util/units.ts'

/** As long as nothing is to be gained by polling more often. */
export const longestIntervalMs = 10 * minuteMs
/** The service may ask for a longer wait than that; then it is taken at its word up to here. */
export const longestWaitMs = hourMs
/** A poll that takes longer slows the next ones down. */
const slowMs: Milliseconds = 5000
const slowFactor = 10

/** The shard's first tick after an instant: those of all shards are spread over the interval. */
export function nextTick(shard: number, everyMs: Milliseconds, after: EpochMs): EpochMs {
  const phase = Math.floor((shard * everyMs) / SHARDS)
  return (Math.floor((after - phase) / everyMs) + 1) * everyMs + phase
}

interface PollStats {
  readonly tookMs: Milliseconds
  /** How many failed in a row, this one included. */
  readonly failures: number
  readonly retryAfterMs?: Milliseconds | undefined
}

export function pollInterval(everyMs: Milliseconds, stats: PollStats): Milliseconds {
  const { tookMs, failures, retryAfterMs = 0 } = stats
  // The next poll may do better; from then on it takes ever longer.
  const backedOff = everyMs * 2 ** Math.min(Math.max(0, failures - 1), 10)
  // What a failure took, with its retries, says nothing of how fast the account answers.
  const slowed = failures === 0 && tookMs > slowMs ? tookMs * slowFactor : everyMs
  const interval = Math.min(Math.max(backedOff, slowed), longestIntervalMs)
  return Math.max(interval, everyMs, Math.min(retryAfterMs, longestWaitMs))
}

/** Whether what was put off until then still has to wait: no time of a clock that has jumped stops anything for long. */
export const isAhead = (until: EpochMs | undefined, now: EpochMs): boolean =>
  until !== undefined && until > now && until <= now + longestWaitMs
