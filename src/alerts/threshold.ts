import type { AlertRecord, MissedCall } from '../store/alerts.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

const minuteMs: Milliseconds = 60_000
/** The service may show a call as late as that, and an earlier one after a later one. */
const latenessMs: Milliseconds = 60 * minuteMs
/** What is kept waiting: more than any threshold asks for. */
const mostBelow = 1000

/** What the calls come to that no message shows yet. */
interface OverThreshold {
  /** Those of which there are so many within so many minutes. */
  readonly reached: readonly MissedCall[]
  /** Those that may come to it with others; the newest first. */
  readonly below: MissedCall[]
}

/** @param calls in any order @param threshold without one, each call counts */
export function overThreshold(
  calls: readonly MissedCall[],
  threshold: AlertRecord['threshold'],
  now: EpochMs,
): OverThreshold {
  if (!threshold) return { reached: calls, below: [] }
  const sorted = [...calls].sort((one, other) => one.at - other.at)
  const windowMs = threshold.minutes * minuteMs
  const reached = new Set<MissedCall>()
  for (const [last, { at }] of sorted.entries()) {
    const first = sorted[last + 1 - threshold.calls]
    if (first && at - first.at <= windowMs)
      for (const call of sorted.slice(last + 1 - threshold.calls, last + 1)) reached.add(call)
  }
  const isKept = (call: MissedCall) => !reached.has(call) && call.at >= now - windowMs - latenessMs
  return { reached: [...reached], below: sorted.filter(isKept).reverse().slice(0, mostBelow) }
}
