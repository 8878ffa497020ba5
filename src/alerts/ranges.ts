import { addDays } from '../time/days.ts'
import type { LocalDay, UtcOffset, Zone } from '../time/types.ts'
import { localDay, offsetAt, startOfDay } from '../time/zones.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

/** A call may come to the list so late, and a day of the service's may end so much later than ours. */
const safelyOverMs: Milliseconds = 4 * 60 * 60_000

export interface LookRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

/**
 * Which days' calls are asked for: today's, as clocks in the zone show it now, and yesterday's until that day is safely over
 * and was looked at after that.
 * @param lookedAt when a look went well last @param since nothing that was missed before is to be told
 */
export function lookRange(
  zone: Zone,
  now: EpochMs,
  { lookedAt = 0, since }: { readonly lookedAt: EpochMs | undefined; readonly since: EpochMs },
): LookRange {
  const today = localDay(zone, new Date(now))
  const start = startOfDay(zone, today).getTime()
  const safelyOver = start + safelyOverMs
  const needsYesterday = since < start && (now < safelyOver || lookedAt < safelyOver)
  return {
    offset: offsetAt(zone, new Date(now)),
    from: needsYesterday ? addDays(today, -1) : today,
    to: today,
  }
}

export const rangeKey = ({ offset, from, to }: LookRange): string => `${from}..${to} ${offset}`
