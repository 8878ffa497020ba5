import { addDays } from '../time/days.ts'
import type { LocalDay, UtcOffset, Zone } from '../time/types.ts'
import { clockChanges, endOfDay, localDay, offsetAt, startOfDay } from '../time/zones.ts'
import type { EpochMs, Milliseconds } from '../util/units.ts'

/** A call may come to the list so late, and a day of the service's may end so much later than ours. */
const safelyOverMs: Milliseconds = 4 * 60 * 60_000

export interface PollRange {
  readonly offset: UtcOffset
  readonly from: LocalDay
  readonly to: LocalDay
}

/** A day in a zone that keeps one offset all day. */
interface PlainDay {
  readonly start: EpochMs
  readonly end: EpochMs
  readonly today: LocalDay
  readonly yesterday: LocalDay
  readonly offset: UtcOffset
}

/** Which days' calls are asked for. */
export class PollRanges {
  /** By zone, the day that was polled last: thousands of accounts ask for the same one. */
  readonly #plainDays = new Map<Zone, PlainDay>()

  /**
   * Today's, as clocks in the zone show it now, and yesterday's until that day is safely over and was polled after that.
   * @param polledAt when a poll went well last @param since nothing that was missed before is to be posted
   */
  of(
    zone: Zone,
    now: EpochMs,
    { polledAt = 0, since }: { readonly polledAt: EpochMs | undefined; readonly since: EpochMs },
  ): PollRange {
    const { start, today, yesterday, offset } = this.#dayOf(zone, now)
    const safelyOver = start + safelyOverMs
    const needsYesterday = since < start && (now < safelyOver || polledAt < safelyOver)
    return { offset, from: needsYesterday ? yesterday : today, to: today }
  }

  #dayOf(zone: Zone, now: EpochMs): PlainDay {
    const known = this.#plainDays.get(zone)
    if (known && known.start <= now && now < known.end) return known
    const instant = new Date(now)
    const today = localDay(zone, instant)
    const [start, end] = [startOfDay(zone, today), endOfDay(zone, today)]
    const day = {
      start: start.getTime(),
      end: end.getTime(),
      today,
      yesterday: addDays(today, -1),
      offset: offsetAt(zone, instant),
    }
    if (clockChanges(zone, start, end).length === 0) this.#plainDays.set(zone, day)
    return day
  }
}

export const rangeKey = ({ offset, from, to }: PollRange): string => `${from}..${to} ${offset}`
